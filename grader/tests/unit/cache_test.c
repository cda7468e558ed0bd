/* What is kept of much that was compiled. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/compile/cache.h"
#include "grader/tests/support.h"

enum { SHARE_MB = CACHE_MB / CACHE_PARTS };

FOLDER_SUITE(cache);

/* A file of the cache, without content, as if it had been used some seconds ago. */
static char *put(const char *name, size_t mb, long seconds) {
    char *below = support_text("cache/%s", name), *path = support_write(folder, below, "");
    struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
    cr_assert_eq(truncate(path, (off_t)mb << 20), 0);
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    return path;
}

static void keep(const char *key) {
    OWNED_BY(cache_entry_finish) struct cache_entry entry;
    struct diag diag = {0};
    char *object = support_write(folder, "object", "object");
    OWNED char *messages = NULL;
    cr_assert_eq(cache_entry_init(&entry, folder, key, &diag), GRADER_OK, "%s", diag.message);
    cr_expect_not(cache_find(&entry, &messages));
    cr_assert_eq(cache_keep(&entry, object, "said", &diag), GRADER_OK, "%s", diag.message);
    cr_assert(cache_find(&entry, &messages));
    cr_expect_str_eq(messages, "said");
    char *kept = support_read(entry.object);
    cr_expect_str_eq(kept, "object");
    cr_expect(file_is_executable(entry.object));
}

Test(cache, lets_go_of_what_was_not_used_for_longest) {
    char *oldest = put("a1.so", SHARE_MB / 2, 90000);
    OWNED char *left = put(".a4.so.12345678", 1, 80000);
    OWNED char *old = put("a2.so", SHARE_MB / 2, 70000);
    OWNED char *other = put("b1.so", 2 * SHARE_MB, 90000);
    keep("a3");
    cr_expect_not(file_exists(oldest));
    cr_expect(file_exists(left) && file_exists(old));
    cr_expect(file_exists(other), "it counts with others");
    free(oldest);
    oldest = put("a0.so", SHARE_MB, 90000);
    keep("a5");
    cr_expect_not(file_exists(oldest));
    free(put("a6.so", SHARE_MB, 60000));
    keep("a7");
    cr_expect_not(file_exists(old));
    free(oldest);
}

Test(cache, holds_on_to_what_may_be_in_use) {
    OWNED char *used = put("a1.so", 2 * SHARE_MB, CACHE_REST_S / 2);
    keep("a2");
    cr_expect(file_exists(used));
}

Test(cache, knows_by_their_time_what_is_used) {
    OWNED_BY(cache_entry_finish) struct cache_entry entry;
    OWNED char *object = put("a1.so", 1, 90000);
    OWNED char *messages = put("a1.txt", 0, 90000);
    OWNED char *said = NULL;
    struct stat status;
    cr_assert_eq(cache_entry_init(&entry, folder, "a1", NULL), GRADER_OK);
    cr_assert(cache_find(&entry, &said));
    cr_expect(stat(object, &status) == 0 && status.st_mtime > time(NULL) - CACHE_REST_S);
    cr_expect(stat(messages, &status) == 0 && status.st_mtime > time(NULL) - CACHE_REST_S);
}

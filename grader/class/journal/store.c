/* Reads students' files safely, keeps them by content, and takes this machine's paths out of their
 * records. */
#include "grader/class/journal/store.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/encoding.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"

/* Opens what lies below `root`, and nothing that a link on the way leads to. */
static int open_below(const char *root, const char *path) {
    struct open_how how = {
        .flags = O_PATH | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    const char *below = path + strlen(root);
    below += strspn(below, "/");
    int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0)
        return -1;
    int fd = (int)syscall(SYS_openat2, root_fd, below, &how, sizeof how);
    int error = errno;
    close(root_fd);
    errno = error;
    return fd;
}

static const char *text_problem(const char *bytes, size_t n_bytes) {
    for (size_t at = 0; at < n_bytes;) {
        size_t length = text_utf8_length(bytes + at, n_bytes - at);
        if (length == 0)
            return "the file is not UTF-8, and in no other code of texts that is known";
        at += length;
    }
    return file_source_problem(bytes, n_bytes);
}

static enum grader_status take_bytes(const char *root, const char *path, char **bytes,
                                     size_t *n_bytes, struct diag *diag) {
    int fd = open_below(root, path);
    if (fd < 0) {
        enum grader_status fault = file_fault(errno);
        diag_set(diag, fault == GRADER_FAILED ? path : NULL, 0, "the file cannot be opened: %s",
                 strerror(errno));
        return fault;
    }
    OWNED char *open_path = text_format("/proc/self/fd/%d", fd);
    enum grader_status status = file_read(open_path, FILE_SOURCE_BYTES, bytes, n_bytes, diag);
    close(fd);
    if (status != GRADER_OK)
        return status;
    const char *was;
    char *text = encoding_to_utf8(*bytes, *n_bytes, n_bytes, &was);
    if (text) {
        free(*bytes);
        *bytes = text;
    }
    const char *problem = text_problem(*bytes, *n_bytes);
    if (!problem)
        return GRADER_OK;
    diag_set(diag, NULL, 0, "%s", problem);
    free(*bytes);
    return GRADER_BAD_INPUT;
}

enum grader_status store_take(const char *build, const char *root, const char *path,
                              const char *name, char sha256[DIGEST_TEXT], char **stored,
                              struct diag *diag) {
    char *bytes = NULL, *old = NULL;
    size_t n_bytes = 0, n_old = 0;
    *stored = NULL;
    enum grader_status status = take_bytes(root, path, &bytes, &n_bytes, diag);
    if (status != GRADER_OK)
        return status;
    digest_of(bytes, n_bytes, sha256);
    *stored = text_format("%s/class/%s/%s", build, sha256, name);
    /* What lies there is looked at: a kill or a full disk may have left less. */
    bool is_there = file_read(*stored, FILE_SOURCE_BYTES, &old, &n_old, NULL) == GRADER_OK &&
                    n_old == n_bytes && memcmp(old, bytes, n_bytes) == 0;
    if (!is_there)
        status = file_write(*stored, bytes, n_bytes, diag);
    free(old);
    free(bytes);
    return status;
}

char *store_tidy(const char *text) {
    static const char pattern[] = "[^[:space:]:`'\"]*tmpxft_[0-9a-f]+_[0-9a-f]+-[0-9]+_";
    char *result = NULL;
    regex_t regex;
    regmatch_t match;
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0)
        abort();
    while (regexec(&regex, text, 1, &match, 0) == 0) {
        text_add(&result, "%.*s", (int)match.rm_so, text);
        text += match.rm_eo;
    }
    regfree(&regex);
    text_add(&result, "%s", text);
    return result;
}

/* Puts `to` in the place of `from` wherever it is in a document's texts. */
static void rename_in(json_t *document, const char *from, const char *to) {
    size_t index;
    const char *key;
    json_t *item;
    if (json_is_string(document) && strstr(json_string_value(document), from)) {
        OWNED char *text = text_replace(json_string_value(document), from, to);
        json_string_set(document, text);
    }
    json_array_foreach(document, index, item) rename_in(item, from, to);
    json_object_foreach(document, key, item) rename_in(item, from, to);
}

/* Removes what each line of the source cost: two thirds of a record, of use only to the student,
 * for whom `check` counts it again in a moment. */
static void leave_out_lines(json_t *record) {
    size_t index, k;
    json_t *test, *launch;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        json_array_foreach(json_object_get(test, "launches"), k, launch)
            json_object_set_new(launch, "lines", json_array());
    }
}

void store_settle(json_t *record, const char *stored, const char *name) {
    json_t *compile = json_object_get(record, "compile");
    OWNED char *messages = store_tidy(record_text(compile, "messages"));
    leave_out_lines(record);
    if (compile)
        json_object_set_new(compile, "messages", json_string(messages));
    rename_in(record, stored, name);
}

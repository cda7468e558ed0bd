/* What is listed of a folder. */
#include "common/base/system/folder.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "common/base/tests/temporary.h"

static bool is_source(const char *name) {
    return strchr(name, '.') != NULL;
}

Test(folder, lists_names_by_bytes_and_hidden_ones_too) {
    char *path = support_folder();
    static const char *const wanted[] = {".hidden", "B", "a.cu", "b.cu"};
    struct folder folder;
    for (size_t i = 4; i-- > 0;)
        support_write(path, wanted[i], "");
    cr_assert(folder_read(&folder, path));
    cr_assert_eq(folder.n, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(folder.names[i], wanted[i]);
    folder_keep(&folder, is_source);
    cr_assert_eq(folder.n, 3);
    cr_expect_str_eq(folder.names[1], "a.cu");
    folder_finish(&folder);
    support_remove(path);
}

Test(folder, says_why_one_cannot_be_read) {
    struct folder folder;
    cr_assert_not(folder_read(&folder, "/nowhere/at/all"));
    cr_expect_eq(errno, ENOENT);
    cr_expect_eq(folder.n, 0);
    folder_keep(&folder, is_source);
    folder_finish(&folder);
}

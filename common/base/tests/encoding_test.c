/* Texts as other editors save them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/encoding.h"

/* Converts; NULL for `wanted` says that the text stays as it is. */
static void expect(const char *bytes, size_t n_bytes, const char *wanted, const char *name) {
    const char *was = NULL;
    size_t n_text = 0;
    char *text = encoding_to_utf8(bytes, n_bytes, &n_text, &was);
    cr_expect_eq(text == NULL, wanted == NULL);
    if (text && wanted) {
        cr_expect_str_eq(text, wanted);
        cr_expect_eq(n_text, strlen(wanted));
        cr_expect(strstr(was, name), "%s, not %s", was, name);
    }
    free(text);
}

#define EXPECT(bytes, wanted, name) expect(bytes, sizeof bytes - 1, wanted, name)

Test(encoding, reads_utf16_of_both_orders_marked_or_not) {
    EXPECT("\xff\xfe"
           "a\0\xfc\0\n\0",
           "a\xc3\xbc\n", "UTF-16");
    EXPECT("\xfe\xff\0a\0\xfc\0\n", "a\xc3\xbc\n", "UTF-16");
    EXPECT("i\0n\0t\0;\0", "int;", "UTF-16");
    EXPECT("\0i\0n\0t\0;", "int;", "UTF-16");
}

Test(encoding, reads_a_code_of_one_byte_as_windows_1252) {
    EXPECT("// M\xfcller \x80\n", "// Müller €\n", "Latin-1");
    EXPECT("// \xfc \x81\n", "// \xc3\xbc \xc2\x81\n", "Latin-1");
}

Test(encoding, turns_carriage_returns_that_stand_alone_into_newlines) {
    EXPECT("int a;\rint b;\r", "int a;\nint b;\n", "Macintosh");
}

Test(encoding, leaves_utf8_and_what_is_no_text) {
    EXPECT("// Müller\r\nint a;\r\n", NULL, "");
    EXPECT("", NULL, "");
    EXPECT("\0\1\2", NULL, "");
    EXPECT("\177ELF\2\1\1\0\0\0\0\0", NULL, "");
    EXPECT("\xff\1\2", NULL, "");
    EXPECT("\xff\xfe\0", NULL, "");
}

/*
 * Text from the worker before it is quoted anywhere.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/call/client/validate.h"

static void expect(const char *text, size_t length, bool keep_lines, const char *wanted) {
    char buffer[64];

    memcpy(buffer, text, length);
    wire_clean_text(buffer, length, keep_lines);
    cr_expect_arr_eq(buffer, wanted, length, "%.*s became %.*s", (int)length, text, (int)length,
                     buffer);
}

#define EXPECT(text, keep_lines, wanted)                                                           \
    do {                                                                                           \
        cr_assert_eq(sizeof text, sizeof wanted);                                                  \
        expect(text, sizeof text - 1, keep_lines, wanted);                                         \
    } while (0)

Test(text, keeps_what_is_plain) {
    EXPECT("plain text ~", false, "plain text ~");
    EXPECT("a\n\tb", true, "a\n\tb");
    EXPECT("h\xc3\xa9 \xe2\x80\xa6 \xf0\x9f\x99\x82", false,
           "h\xc3\xa9 \xe2\x80\xa6 \xf0\x9f\x99\x82");
}

Test(text, replaces_control_characters) {
    EXPECT("\033[2J\r\a\x7f\0z", true, "?[2J????z");
    EXPECT("a\n\tb", false, "a  b");
    EXPECT("\xc2\x9b"
           "2J",
           true,
           "??"
           "2J");
}

Test(text, replaces_what_is_no_utf_8) {
    EXPECT("\xff\xfe", true, "??");
    EXPECT("\xc0\xaf", true, "??");                /* overlong */
    EXPECT("\xed\xa0\x80", true, "???");           /* a surrogate */
    EXPECT("\xf4\x90\x80\x80", true, "????");      /* beyond the last character */
    EXPECT("a\xe2\x80", true, "a??");              /* cut short */
    EXPECT("\x80z", true, "?z");                   /* without a start */
    EXPECT("\xf8\x88\x80\x80\x80", true, "?????"); /* five bytes */
}

Test(text, is_text_only_with_its_end) {
    cr_expect(wire_is_text("abc", 4));
    cr_expect_not(wire_is_text("abc", 3));
}

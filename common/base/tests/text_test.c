/* Texts from outside, made safe to show. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"

static void expect_clean(const char *from, size_t bytes, const char *wanted) {
    char *text = text_clean(from, bytes, true);
    cr_expect_str_eq(text, wanted);
    free(text);
}

#define EXPECT_CLEAN(from, wanted) expect_clean(from, sizeof from - 1, wanted)

Test(text, shows_escape_sequences_instead_of_obeying_them) {
    EXPECT_CLEAN("\x1b[2Jgone\r\a", "\\x1b[2Jgone\\x0d\\x07");
    EXPECT_CLEAN("\xc2\x9b"
                 "2J",
                 "\\xc2\\x9b2J");
}

Test(text, shows_marks_that_turn_text_around) {
    EXPECT_CLEAN("\xe2\x80\xaetxt", "\\xe2\\x80\\xaetxt");
    EXPECT_CLEAN("\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\xe2\\x80\\x8e\\xe2\\x80\\x8f\\xd8\\x9c");
    EXPECT_CLEAN("\xe2\x80\x8d\xe2\x80\x90 \xd8\x9b", "\xe2\x80\x8d\xe2\x80\x90 \xd8\x9b");
}

Test(text, knows_numbers_from_words) {
    cr_expect(text_is_number("0", 1));
    cr_expect(text_is_number("12_a", 2));
    cr_expect_not(text_is_number("12_a", 3));
    cr_expect_not(text_is_number("12", 3));
    cr_expect_not(text_is_number("-1", 2));
    cr_expect_not(text_is_number("", 0));
}

Test(text, makes_valid_utf8_of_anything) {
    EXPECT_CLEAN("a\xff\xc3z", "a\\xff\\xc3z");
    EXPECT_CLEAN("\xc0\xaf", "\\xc0\\xaf");
    EXPECT_CLEAN("\xed\xa0\x80", "\\xed\\xa0\\x80");
    EXPECT_CLEAN("\0", "\\x00");
    EXPECT_CLEAN("größer ✓", "größer ✓");
}

Test(text, sets_tabs_to_columns_of_four) {
    EXPECT_CLEAN("\ta\tbcd\tg\n\tf", "    a   bcd g\n    f");
}

Test(text, drops_newlines_where_they_are_not_wanted) {
    char *text = text_clean("a\nb", 3, false);
    cr_expect_str_eq(text, "a\\x0ab");
    free(text);
}

Test(text, counts_characters_as_columns) {
    cr_expect_eq(text_columns("✓ ok"), 4u);
}

Test(text, finds_lines_by_number) {
    size_t length;
    const char *source = "one\ntwo\r\n\nfour";
    cr_expect_null(text_line(source, 0, &length));
    cr_expect_eq(strncmp(text_line(source, 2, &length), "two", 3), 0);
    cr_expect_eq(length, 3u);
    text_line(source, 3, &length);
    cr_expect_eq(length, 0u);
    text_line(source, 4, &length);
    cr_expect_eq(length, 4u);
    cr_expect_null(text_line(source, 5, &length));
}

Test(text, quotes_words_for_a_shell_where_needed) {
    static const char *const pairs[][2] = {
        {"a/b-c_1.cu", "a/b-c_1.cu"}, {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},       {"", "''"},
        {"$HOME", "'$HOME'"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *quoted = text_quote(pairs[i][0]);
        cr_expect_str_eq(quoted, pairs[i][1]);
        free(quoted);
    }
}

Test(text, is_like_one_of_several_patterns) {
    cr_expect(text_is_like("cudaMallocAsync", "<<< cudaMalloc* return"));
    cr_expect(text_is_like("return", "  <<<  return "));
    cr_expect_not(text_is_like("my_return", "<<< cudaMalloc* return"));
    cr_expect_not(text_is_like("Return", "return"));
    cr_expect(text_is_like_any_case("Return", "return"));
    cr_expect_not(text_is_like("word", ""));
}

Test(text, is_added_to_a_string_or_to_none) {
    char *text = NULL;
    text_add(&text, "%s", "");
    cr_expect_str_eq(text, "");
    for (int i = 0; i < 3; i++)
        text_add(&text, "%s%d", *text ? ", " : "", i);
    cr_expect_str_eq(text, "0, 1, 2");
    text_add(&text, ": %s", text);
    cr_expect_str_eq(text, "0, 1, 2: 0, 1, 2");
    free(text);
}

Test(text, names_an_item_of_a_list) {
    static const char *const words[] = {"one", "two"};
    static const struct {
        const char *name;
        int value;
    } items[] = {{"a", 1}, {"b", 2}, {"b", 3}};
    cr_expect_eq(find_in_list("two", words, 2, sizeof *words), &words[1]);
    cr_expect_null(find_in_list("two", words, 1, sizeof *words));
    cr_expect_eq(find_in_list("b", items, 3, sizeof *items), &items[1], "the first of its name");
    cr_expect_null(find_in_list("c", items, 3, sizeof *items));
    cr_expect_null(find_in_list("a", NULL, 0, sizeof *items));
}

/* Wrapping, alignment and colour. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/terminal/page.h"

struct sheet {
    struct page page;
    char *text;
    size_t bytes;
};

static void open_sheet(struct sheet *sheet, unsigned width, bool has_colour) {
    sheet->page = (struct page){.width = width, .has_colour = has_colour};
    sheet->page.out = open_memstream(&sheet->text, &sheet->bytes);
    cr_assert(sheet->page.out);
}

static void expect_sheet(struct sheet *sheet, const char *wanted) {
    fclose(sheet->page.out);
    cr_expect_str_eq(sheet->text, wanted);
    free(sheet->text);
}

Test(page, wraps_at_spaces_and_hangs) {
    struct sheet sheet;
    struct page_span span = {PAGE_PLAIN, "one two three four five"};
    open_sheet(&sheet, 12, false);
    page_spans(&sheet.page, 0, 2, &span, 1);
    expect_sheet(&sheet, "one two\n  three four\n  five\n");
}

Test(page, fills_a_line_to_its_last_column) {
    struct sheet sheet;
    struct page_span span = {PAGE_PLAIN, "123 567 9"};
    open_sheet(&sheet, 7, false);
    page_spans(&sheet.page, 0, 0, &span, 1);
    expect_sheet(&sheet, "123 567\n9\n");
}

Test(page, breaks_a_word_longer_than_a_line) {
    struct sheet sheet;
    struct page_span span = {PAGE_PLAIN, "abcdefghijkl"};
    open_sheet(&sheet, 5, false);
    page_spans(&sheet.page, 0, 1, &span, 1);
    expect_sheet(&sheet, "abcde\n fghi\n jkl\n");
}

Test(page, counts_characters_not_bytes) {
    struct sheet sheet;
    struct page_span span = {PAGE_PLAIN, "ää öö üü"};
    open_sheet(&sheet, 5, false);
    page_spans(&sheet.page, 0, 0, &span, 1);
    expect_sheet(&sheet, "ää öö\nüü\n");
}

Test(page, never_begins_a_line_with_the_stop_behind_a_word) {
    struct sheet sheet;
    struct page_span spans[] = {{PAGE_PLAIN, "aaa bbb"}, {PAGE_STRONG, "."}};
    open_sheet(&sheet, 7, false);
    page_spans(&sheet.page, 0, 0, spans, 2);
    expect_sheet(&sheet, "aaa\nbbb.\n");
}

Test(page, colours_text_but_no_spaces_at_the_edges) {
    struct sheet sheet;
    struct page_span spans[] = {{PAGE_GOOD, "ok"}, {PAGE_PLAIN, " then"}};
    open_sheet(&sheet, 40, true);
    page_spans(&sheet.page, 2, 2, spans, 2);
    expect_sheet(&sheet, "  \x1b[32mok\x1b[0m then\n");
}

Test(page, sets_points_at_the_right_edge) {
    struct sheet sheet;
    struct page_span span = {PAGE_PLAIN, "name"};
    open_sheet(&sheet, 12, false);
    page_row(&sheet.page, 1, &span, 1, (struct page_span){PAGE_PLAIN, "3/5"});
    expect_sheet(&sheet, " name    3/5\n");
}

Test(page, sets_points_below_a_name_that_is_too_long) {
    struct sheet sheet;
    struct page_span span = {PAGE_PLAIN, "a long name"};
    open_sheet(&sheet, 12, false);
    page_row(&sheet.page, 1, &span, 1, (struct page_span){PAGE_PLAIN, "3/5"});
    expect_sheet(&sheet, " a long name\n         3/5\n");
}

Test(page, cuts_code_with_an_ellipsis) {
    struct sheet sheet;
    open_sheet(&sheet, 10, false);
    page_verbatim(&sheet.page, 0, "7 │ ", PAGE_PLAIN, "int x = 5;", 10);
    page_verbatim(&sheet.page, 0, "8 │ ", PAGE_PLAIN, "x++;", 4);
    expect_sheet(&sheet, "7 │ int x…\n8 │ x++;\n");
}

Test(page, goes_on_with_long_code_behind_the_bar) {
    static const char line[] = "  if (a && b && c && d && e)";
    struct sheet sheet;
    open_sheet(&sheet, 20, false);
    page_code(&sheet.page, 0, "> 7 │ ", PAGE_PLAIN, line, strlen(line));
    page_code(&sheet.page, 0, "  8 │ ", PAGE_PLAIN, "x++; // one more", 16);
    expect_sheet(&sheet, "> 7 │   if (a && b\n"
                         "    │       && c &&\n"
                         "    │       d && e)\n"
                         "  8 │ x++; // one m…\n");
}

Test(page, cuts_code_of_too_many_rows) {
    char line[200];
    struct sheet sheet;
    memset(line, 'x', sizeof line);
    open_sheet(&sheet, 14, false);
    page_code(&sheet.page, 0, "7 │ ", PAGE_PLAIN, line, sizeof line);
    expect_sheet(&sheet, "7 │ xxxxxxxxxx\n"
                         "  │     xxxxxx\n"
                         "  │     xxxxxx\n"
                         "  │     xxxxx…\n");
}

Test(page, breaks_a_command_before_options_only) {
    struct sheet sheet;
    open_sheet(&sheet, 40, false);
    page_command(&sheet.page, 0, "again", "./warpbook check 01 --test edge.one --case n=5,block=2");
    expect_sheet(&sheet, "again\n"
                         "  ./warpbook check 01 --test edge.one \\\n"
                         "    --case n=5,block=2\n");
}

Test(page, is_as_wide_as_COLUMNS_says_within_limits) {
    struct page page;
    FILE *out = tmpfile();
    static const struct {
        const char *columns;
        unsigned width;
    } cases[] = {{"60", 60}, {"5", PAGE_NARROWEST}, {"5000", PAGE_WIDEST}, {"", PAGE_USUAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("COLUMNS", cases[i].columns, 1);
        page_init(&page, out, PAGE_COLOUR_AUTO);
        cr_expect_eq(page.width, cases[i].width);
        cr_expect_not(page.has_colour);
    }
    page_init(&page, out, PAGE_COLOUR_ALWAYS);
    cr_expect(page.has_colour);
    fclose(out);
}

/* Code in handouts, and where it comes from. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grader/verify/agreement.h"

static const char source[] = "int f(int x) {\n"
                             "    if (x > 0) {\n"
                             "        x--;\n"
                             "\n"
                             "        x *= 2;\n"
                             "    }\n"
                             "    return x;\n"
                             "}\n";

Test(fragments, are_found_line_by_line_at_any_indentation) {
    cr_expect(fragments_has(source, "if (x > 0) {\n    x--;\n"));
    cr_expect(fragments_has(source, "    x--;\n\n    x *= 2;\n"));
    cr_expect(fragments_has(source, "}\n"));
}

Test(fragments, are_not_found_where_a_line_differs) {
    cr_expect_not(fragments_has(source, "if (x > 1) {\n    x--;\n"));
    cr_expect_not(fragments_has(source, "if (x > 0) {\n  x--;\n"), "another indentation");
    cr_expect_not(fragments_has(source, "x--;\nx *= 2;\n"), "a line was left out");
    cr_expect_not(fragments_has(source, "}\n}\n}\n"));
}

Test(fragments, may_leave_lines_out_where_they_say_so) {
    cr_expect(fragments_has(source, "int f(int x) {\n    …\n    return x;\n}\n"));
    cr_expect_not(fragments_has(source, "    return x;\n    …\nint f(int x) {\n"));
}

Test(fragments, are_taken_from_markdown_one_by_one) {
    static const char handout[] = "Text\n\n```cuda\none\n  two\n```\n\n```\nno code\n```\n"
                                  "<!-- from solutions/01-a/b.cu -->\n\n```cuda\nthree\n```\n";
    unsigned line = 1;
    char *from, *block = fragments_next(handout, &line, &from);
    cr_assert_str_eq(block, "one\n  two\n");
    cr_expect_eq(line, 4);
    cr_expect_null(from);
    free(block);
    block = fragments_next(handout, &line, &from);
    cr_assert_str_eq(block, "three\n");
    cr_expect_str_eq(from, "solutions/01-a/b.cu");
    free(from);
    free(block);
    cr_expect_null(fragments_next(handout, &line, &from));
}

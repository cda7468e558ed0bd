/* Skeleton and model answer outside their TODO regions. */
#include <criterion/criterion.h>

#include "grader/verify/agreement.h"

static const char skeleton[] = "int a;\n// TODO(1): b (about 1 line)\n// END TODO(1)\nint c;\n";

static void expect_different(const char *a, const char *b, unsigned line, const char *word) {
    struct diag diag = {0};
    cr_expect_not(regions_agree("a.cu", a, "b.cu", b, &diag));
    cr_expect_eq(diag.line, line, "line %u, not %u", diag.line, line);
    cr_expect(strstr(diag.message, word), "%s", diag.message);
}

Test(regions, may_differ_inside) {
    struct diag diag = {0};
    cr_expect(regions_agree(
        "a.cu", skeleton, "b.cu",
        "int a;\n// TODO(1): b (about 1 line)\nint b;\nint d;\n// END TODO(1)\nint c;\n", &diag));
}

Test(regions, must_agree_outside) {
    expect_different(skeleton, "int a;\n// TODO(1): b (about 1 line)\nx\n// END TODO(1)\nint d;\n",
                     4, "b.cu:5");
    expect_different("int a;\n", "int a; // more\n", 1, "b.cu:1");
    expect_different(skeleton, "int a;\n// TODO(1): c\n// END TODO(1)\nint c;\n", 2, "b.cu:2");
    expect_different(skeleton, "int a;\n// TODO(1): b (about 1 line)\n// END TODO(1)\n", 4, "");
}

Test(regions, end_where_they_say) {
    expect_different("// TODO(1): a\n", "// TODO(1): a\n// END TODO(1)\n", 1, "END TODO(1)");
    expect_different("// TODO(1): a\n// END TODO(2)\n", "// TODO(1): a\n// END TODO(2)\n", 1,
                     "END TODO(1)");
}

Test(regions, must_be_there) {
    expect_different("int a;\n", "int a;\n", 0, "no TODO");
}

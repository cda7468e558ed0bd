/* Which of a compiler's errors are certain to be about the grammar. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grader/compile/nvrtc.h"

static void expect(const char *log, const char *wanted) {
    char *errors = nvrtc_syntax_errors(log, "labs/a.cu");
    if (wanted)
        cr_expect_str_eq(errors ? errors : "", wanted);
    else
        cr_expect_null(errors, "%s", errors);
    free(errors);
}

#define SEMICOLON "labs/a.cu(9): error: expected a \";\"\n  int t = 0;\n  ^\n\n"
#define RUNTIME                                                                                    \
    "labs/a.cu(4): error: identifier \"cudaMemset\" is undefined\n  cudaMemset();\n  ^\n\n"
#define OTHER "labs/a.cu(5): error: name must be a namespace name\n  using namespace std;\n  ^\n\n"
#define END   "2 errors detected in the compilation of \"labs/a.cu\".\n"

Test(nvrtc, shows_syntax_errors_in_the_compilers_words) {
    expect(SEMICOLON "1 error detected in the compilation of \"labs/a.cu\".\n", SEMICOLON);
    expect(SEMICOLON SEMICOLON, SEMICOLON SEMICOLON);
}

Test(nvrtc, leaves_out_what_only_nvcc_knows) {
    expect(RUNTIME END, NULL);
    expect(RUNTIME SEMICOLON END, SEMICOLON);
    expect("", NULL);
}

Test(nvrtc, is_silent_after_errors_of_another_kind) {
    expect(OTHER SEMICOLON END, NULL);
    expect(SEMICOLON OTHER SEMICOLON END, SEMICOLON);
    expect("labs/x.h(1): error: expected a declaration\n" SEMICOLON, NULL);
    expect("labs/a.cu(1): catastrophic error: cannot open source file \"vector\"\n" SEMICOLON,
           NULL);
}

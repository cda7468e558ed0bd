/* What nvcc says of a file, as it does for a host and two devices. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "grader/compile/compile.h"

static void says(const char *text, const char *wanted) {
    char shown[1024];
    cr_assert_lt(strlen(text), sizeof shown);
    strcpy(shown, text);
    messages_say_once(shown);
    cr_expect_str_eq(shown, wanted);
}

#define MISSING                                                                                    \
    "a.cu:1:10: fatal error: b.h: No such file or directory\n"                                     \
    "    1 | #include \"b.h\"\n"                                                                   \
    "      |          ^~~~~\n"
#define UNUSED                                                                                     \
    "a.cu(66): warning #177-D: variable \"x\" was declared but never referenced\n"                 \
    "  { int x; }\n"                                                                               \
    "        ^\n\n"
#define REMARK "Remark: The warnings can be suppressed\n\n"

Test(messages, are_said_once) {
    says("", "");
    says("one\n", "one\n");
    says("no end of line", "no end of line");
    says(MISSING "compilation terminated.\n" MISSING "compilation terminated.\n",
         MISSING "compilation terminated.\n");
    says(UNUSED REMARK UNUSED REMARK UNUSED REMARK, UNUSED REMARK);
    says("\n" MISSING MISSING, "\n" MISSING);
}

Test(messages, that_differ_in_any_line_stay) {
    says(UNUSED
         "a.cu(66): warning #177-D: variable \"x\" was declared but never referenced\n  int x;\n",
         UNUSED
         "a.cu(66): warning #177-D: variable \"x\" was declared but never referenced\n  int x;\n");
    says("xa.cu(1): error: y\na.cu(1): error: y\n", "xa.cu(1): error: y\na.cu(1): error: y\n");
}

Test(messages, keep_the_files_that_they_come_from) {
    static const char from[] = "In file included from a.cu:1:\n";
    char text[256], wanted[256];
    snprintf(text, sizeof text, "%sb.h:1: error: x\n%sb.h:2: error: y\n%sb.h:1: error: x\n", from,
             from, from);
    snprintf(wanted, sizeof wanted, "%sb.h:1: error: x\n%sb.h:2: error: y\n", from, from);
    says(text, wanted);
}

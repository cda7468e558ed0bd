/* Lines of host code, as addr2line prints them. */
#include <criterion/criterion.h>
#include <string.h>

#include "grader/compile/sites.h"

enum { MOST = 4 };

/* `wanted`: of each address its first line. */
static void expect(const char *output, size_t n, const unsigned *wanted) {
    char *copy = strdup(output);
    struct site sites[MOST] = {{.n_lines = 0}};
    sites_read(copy, "mine/sum.cu", n, sites);
    for (size_t i = 0; i < n; i++)
        cr_expect_eq(sites[i].lines[0], wanted[i], "address %zu: line %u, not %u", i,
                     sites[i].lines[0], wanted[i]);
    free(copy);
}

Test(sites, are_lines_of_the_students_file) {
    expect("0x0000000000001139\nsum\n/submission/sum.cu:41\n"
           "0x0000000000001200\nbe_quick\n/submission/other_sum.cu:7\n"
           "0x0000000000001300\n??\n??:0\n"
           "0x0000000000001400\nsum\nsum.cu:44 (discriminator 2)\n",
           4, (const unsigned[]){41, 0, 0, 44});
}

Test(sites, are_the_lines_of_what_was_inlined_from_the_innermost_on) {
    char output[] = "0x0000000000001139\nmake\n/usr/include/vector:9\nhelp\n/submission/sum.cu:12\n"
                    "sum\n/submission/sum.cu:41\n0x2\nsum\n/submission/sum.cu:50\n";
    struct site sites[2] = {{.n_lines = 0}};
    sites_read(output, "sum.cu", 2, sites);
    cr_assert_eq(sites[0].n_lines, 2);
    cr_expect_eq(sites[0].lines[0], 12);
    cr_expect_eq(sites[0].lines[1], 41);
    cr_expect_eq(sites[1].n_lines, 1);
}

/* The stub, what has the kernel's name, and the function that launches. */
Test(sites, are_not_where_nvcc_says_that_a_launch_stands) {
    expect("0x00000000000023bd\n_Z28__device_stub__Z3addPiS_PiS_\n/x/device_functions.h:2963\n"
           "_Z28__device_stub__Z3addPiS_PiS_\n/tmp/sum.cudafe1.stub.c:51\n"
           "0x0000000000002544\n_Z3addPiS_\n/submission/sum.cu:5\n"
           "0x0000000000002600\nadd_all\n/submission/sum.cu:61\n",
           3, (const unsigned[]){0, 0, 61});
    expect("0x00000000000023bd\n_Z28__device_stub__Z3addPiS_PiS_\n/tmp/sum.cudafe1.stub.c:51\n"
           "0x0000000000002544\n_Z3addPiS_\n/submission/sum.cu:5\nsum\n/submission/sum.cu:62\n",
           2, (const unsigned[]){0, 62});
    expect("0x00000000000012ec\n__device_stub__Z3addI3maxEvPiPi\n/tmp/sum.cudafe1.stub.c:1\n"
           "0x0000000000001312\n_Z3addI3maxEvPi\n/tmp/sum.cudafe1.stub.c:2\n"
           "add<max>\n/submission/sum.cu:5\nlaunch<max>\n/submission/sum.cu:63\n",
           2, (const unsigned[]){0, 63});
}

Test(sites, of_nonsense_are_none) {
    expect("", 2, (const unsigned[]){0, 0});
    expect("sum\n/submission/sum.cu:41\n", 1, (const unsigned[]){0});
    expect("0x1\nsum\n/submission/sum.cu:41\n0x2\nsum\n/submission/sum.cu:42\n", 1,
           (const unsigned[]){41});
}

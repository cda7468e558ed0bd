/* What --case calls the numbers of a case. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grader/workbook/case_names.h"

static void expect_read(const char *names, const char *text, const char *wanted) {
    OWNED char *is_read = case_read(names, text);
    if (wanted)
        cr_expect_str_eq(is_read, wanted, "%s", text);
    else
        cr_expect_null(is_read, "%s", text);
}

Test(case_names, are_the_tests_then_the_labs_then_n_and_block) {
    struct manifest_test of_blocks = {0}, of_chunks = {.case_names = "n,chunk"};
    struct manifest manifest = {0};
    cr_expect_str_eq(case_names(&manifest, &of_blocks), "n,block");
    cr_expect_str_eq(case_names(&manifest, &of_chunks), "n,chunk");
    manifest.case_names = "m,edge";
    cr_expect_str_eq(case_names(&manifest, NULL), "m,edge");
    cr_expect_str_eq(case_names(&manifest, &of_blocks), "m,edge");
}

Test(case_names, are_one_or_two_words) {
    static const char *const good[] = {"n", "m,edge", "n,n_streams"};
    static const char *const bad[] = {"", "n,", ",n", "n,m,k", "n, block", "n,n", "seed", "n,seed"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(case_names_are_good(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(case_names_are_good(bad[i]), "%s", bad[i]);
}

Test(case_names, are_said_and_read) {
    OWNED char *two = case_say("m,edge", 15, 8, "0f"), *one = case_say("n", 15, 8, "0f");
    cr_expect_str_eq(two, "m=15,edge=8,seed=0f");
    cr_expect_str_eq(one, "n=15,seed=0f");
    expect_read("m,edge", two, "n=15,block=8,seed=0f");
    expect_read("n", one, "n=15,block=1,seed=0f");
    expect_read("n,block", "n=007,block=2", "n=7,block=2");
}

Test(case_names, other_names_and_numbers_are_refused) {
    static const char *const bad[] = {"n=15,block=8",
                                      "m=15",
                                      "m=,edge=8",
                                      "m=15,edge=",
                                      "m=15edge=8",
                                      "m=-1,edge=8",
                                      "m=15,edge=8,",
                                      "m=15,edge=8,seed=",
                                      "m=15,edge=8,seed=xyz",
                                      "m=15,edge=8,seed=12345678901234567",
                                      "m=1234567890123456789,edge=8",
                                      "m=15,edge=1234567890",
                                      "edge=8,m=15"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_read("m,edge", bad[i], NULL);
}

/* The name that somebody probably meant. */
#include <criterion/criterion.h>
#include <limits.h>

#include "common/base/text.h"

static const char *const names[] = {"list", "check", "grade", "hint", "doctor", "verify"};

static int nearest(const char *word) {
    return nearest_index(word, names, sizeof names / sizeof *names);
}

Test(nearest, counts_edits_and_swapped_neighbours) {
    cr_expect_eq(nearest_distance("check", "check"), 0u);
    cr_expect_eq(nearest_distance("hnt", "hint"), 1u);
    cr_expect_eq(nearest_distance("hnit", "hint"), 1u);
    cr_expect_eq(nearest_distance("", "abc"), 3u);
    cr_expect_eq(nearest_distance("kitten", "sitting"), 3u);
}

Test(nearest, takes_upper_and_lower_case_alike) {
    cr_expect_eq(nearest_distance("CHECK", "check"), 0u);
}

Test(nearest, takes_long_words_as_far_away) {
    char word[100] = {0};
    for (int i = 0; i < 99; i++)
        word[i] = 'a';
    cr_expect_eq(nearest_distance(word, "check"), UINT_MAX);
    cr_expect_eq(nearest(word), -1);
}

Test(nearest, suggests_what_is_near) {
    cr_expect_eq(nearest("verifu"), 5);
    cr_expect_eq(nearest("grad"), 2);
    cr_expect_eq(nearest("hnit"), 3);
    cr_expect_eq(nearest("docter"), 4);
}

Test(nearest, suggests_what_a_word_begins) {
    cr_expect_eq(nearest("ver"), 5);
}

Test(nearest, suggests_nothing_for_a_far_word) {
    cr_expect_eq(nearest("xyz"), -1);
    cr_expect_eq(nearest(""), -1);
}

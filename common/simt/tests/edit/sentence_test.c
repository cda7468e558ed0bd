/*
 * Edits in words: each kind has a word of its own and a sentence without placeholders.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/program/edit/edit.h"

Test(words, each_kind_is_found_by_its_word) {
    for (uint32_t kind = SIMT_EDIT_NONE + 1; kind < SIMT_N_EDITS; kind++)
        cr_expect_eq(simt_edit_kind_of(simt_edit_kind_word(kind)), kind, "%s",
                     simt_edit_kind_word(kind));
    cr_expect_eq(simt_edit_kind_of("no such edit"), SIMT_EDIT_NONE);
}

Test(words, each_sentence_is_whole) {
    for (uint32_t kind = SIMT_EDIT_NONE + 1; kind < SIMT_N_EDITS; kind++) {
        const struct simt_edit edit = {.kind = kind, .line = 42, .place = "sum_kernel"};
        char text[512];
        simt_edit_sentence(&edit, text, sizeof text);
        const size_t length = strlen(text);
        cr_assert_gt(length, 0);
        cr_expect_eq(text[length - 1], '.', "%s", text);
        cr_expect_null(strpbrk(text, "{}"), "%s", text);
        if (simt_edit_scope_of(kind) == SIMT_SCOPE_LINE)
            cr_expect_not_null(strstr(text, "ine 42"), "%s", text);
        if (simt_edit_scope_of(kind) == SIMT_SCOPE_KERNEL)
            cr_expect_not_null(strstr(text, "sum_kernel"), "%s", text);
    }
}

Test(words, a_sentence_names_what_is_exchanged) {
    const struct simt_edit special = {
        .kind = SIMT_EDIT_SPECIAL, .line = 7, .from = SIMT_EDIT_TID_X, .to = SIMT_EDIT_CTAID_X};
    const struct simt_edit number = {.kind = SIMT_EDIT_CONSTANT, .line = 7, .from = -3, .to = 4};
    char text[512];
    cr_expect_str_eq(
        simt_edit_sentence(&special, text, sizeof text),
        "A value in line 7 is threadIdx.x: with blockIdx.x in its place the case passes.");
    cr_expect_not_null(strstr(simt_edit_sentence(&number, text, sizeof text), "has the number -3"));
    cr_expect_not_null(strstr(text, "with 4 in its place the case"));
    const struct simt_edit real = {.kind = SIMT_EDIT_REAL,
                                   .line = 7,
                                   .from = simt_edit_bits(1),
                                   .to = simt_edit_bits(0.5),
                                   .place = "a.cu"};
    cr_expect_not_null(
        strstr(simt_edit_sentence(&real, text, sizeof text), "number 1: with 0.5 in its place"));
}

Test(words, other_words_have_the_placeholders_of_their_kind) {
    const struct simt_edit edit = {
        .kind = SIMT_EDIT_ONLY_FIRST, .line = 7, .to = SIMT_EDIT_LANEID, .place = "a.cu"};
    const struct simt_edit grid = {.kind = SIMT_EDIT_GRID_MORE, .to = 1, .place = "k"};
    char text[512];
    cr_expect_str_eq(simt_edit_fill(&edit, "{line}: {to}", text, sizeof text),
                     "7: the lane (threadIdx.x % 32)");
    cr_expect_str_eq(simt_edit_fill(&grid, "{to} of {kernel} {", text, sizeof text), "1 of k {");
    const struct simt_edit turned = {.kind = SIMT_EDIT_TURNED, .to = 1, .place = "k"};
    cr_expect_str_eq(simt_edit_fill(&turned, "{to} of {kernel}", text, sizeof text), "block of k");
    cr_expect_null(simt_edit_misfit(SIMT_EDIT_ONLY_FIRST, "In {line}, {from} for {to}."));
    cr_expect_str_eq(simt_edit_misfit(SIMT_EDIT_ONLY_FIRST, "In {kernel}"), "{kernel}");
    cr_expect_str_eq(simt_edit_misfit(SIMT_EDIT_GRID_MORE, "{kernel} {line}"), "{line}");
    cr_expect_str_eq(simt_edit_misfit(SIMT_EDIT_FRESH, "{to} {what}"), "{what}");
}

/* Numbers come from a process that is not trusted. */
Test(words, what_is_out_of_range_is_a_number) {
    const struct simt_edit edit = {
        .kind = SIMT_EDIT_SHUFFLE, .line = 7, .from = INT64_MIN, .to = SIMT_EDIT_N_SHUFFLES};
    const struct simt_edit unknown = {.kind = SIMT_N_EDITS + 3, .line = 7};
    char text[512], small[8];
    cr_expect_not_null(
        strstr(simt_edit_sentence(&edit, text, sizeof text), "-9223372036854775808"));
    cr_expect_str_eq(simt_edit_sentence(&unknown, text, sizeof text), "");
    cr_expect_str_eq(simt_edit_sentence(&edit, small, sizeof small), "The shu");
    cr_expect_str_eq(simt_edit_kind_word(SIMT_N_EDITS + 3), "none");
}

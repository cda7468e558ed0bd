/*
 * Outputs against what they must be: the first mismatch, with everything that is known about it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "common/check/context.h"

void lab_set_owner(struct lab *lab, lab_owner_of *owner) {
    lab->owner = owner;
}

/* A number that may be unknown. */
static json_t *known(int64_t value) {
    return value < 0 ? json_null() : json_integer(value);
}

/* True when the last call left the output that `got` is untouched. */
static bool is_untouched(const struct lab *lab, const void *got) {
    if (!lab->has_last)
        return false;
    for (size_t i = 0; i < lab->n_args; i++)
        if (lab->args[i].data == got)
            return (lab->last.untouched >> i & 1) != 0;
    return false;
}

static void note_mismatch(struct lab *lab, const char *what, size_t index, int64_t got,
                          int64_t expected, bool untouched) {
    struct lab_owner owner = {-1, -1, -1};
    char called[160], got_text[24], expected_text[24];
    json_t *mismatch;

    if (lab->owner != NULL)
        owner = lab->owner(lab, what, index);
    snprintf(got_text, sizeof got_text, "%" PRId64, got);
    snprintf(expected_text, sizeof expected_text, "%" PRId64, expected);
    mismatch =
        json_pack("{s:s, s:I, s:s, s:s, s:o, s:o, s:o}", "what", what, "index", (json_int_t)index,
                  "expected", expected_text, "got", untouched ? "nothing" : got_text, "block",
                  known(owner.block), "thread", known(owner.thread), "launch", known(owner.launch));
    lab_called(lab, called, sizeof called);
    if (untouched)
        lab_note(lab, LAB_WRONG_ANSWER, mismatch,
                 "%s returned cudaSuccess, but nothing wrote %s[%zu]; it must be %s.", called, what,
                 index, expected_text);
    else
        lab_note(lab, LAB_WRONG_ANSWER, mismatch, "%s gave %s[%zu] = %s; it must be %s.", called,
                 what, index, got_text, expected_text);
}

bool lab_expect_i32(struct lab *lab, const char *what, const int32_t *got, const int32_t *expected,
                    size_t count) {
    bool untouched = is_untouched(lab, got);

    for (size_t i = 0; i < count; i++)
        if (got[i] != expected[i]) {
            note_mismatch(lab, what, i, got[i], expected[i], untouched);
            return false;
        }
    return true;
}

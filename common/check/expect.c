/*
 * Outputs against what they must be: the first mismatch, with everything that is known about it.
 */
#include <inttypes.h>
#include <math.h>
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

/* Numbers as the mismatch shows them. */
struct mismatch {
    char got[40], expected[40];
    const char *beyond; /* what the reason says behind the numbers: "" or a bound */
};

static void note_mismatch(struct lab *lab, const char *what, size_t index,
                          const struct mismatch *numbers, bool untouched) {
    struct lab_owner owner = {-1, -1, -1};
    char called[160];
    json_t *mismatch;

    if (lab->owner != NULL)
        owner = lab->owner(lab, what, index);
    mismatch = json_pack("{s:s, s:I, s:s, s:s, s:o, s:o, s:o}", "what", what, "index",
                         (json_int_t)index, "expected", numbers->expected, "got",
                         untouched ? "nothing" : numbers->got, "block", known(owner.block),
                         "thread", known(owner.thread), "launch", known(owner.launch));
    lab_called(lab, called, sizeof called);
    if (untouched)
        lab_note(lab, LAB_WRONG_ANSWER, mismatch,
                 "%s returned cudaSuccess, but nothing wrote %s[%zu]; it must be %s.", called, what,
                 index, numbers->expected);
    else
        lab_note(lab, LAB_WRONG_ANSWER, mismatch, "%s gave %s[%zu] = %s; it must be %s%s.", called,
                 what, index, numbers->got, numbers->expected, numbers->beyond);
}

bool lab_expect_i32(struct lab *lab, const char *what, const int32_t *got, const int32_t *expected,
                    size_t count) {
    bool untouched = is_untouched(lab, got);

    for (size_t i = 0; i < count; i++)
        if (got[i] != expected[i]) {
            struct mismatch numbers = {.beyond = ""};

            snprintf(numbers.got, sizeof numbers.got, "%" PRId32, got[i]);
            snprintf(numbers.expected, sizeof numbers.expected, "%" PRId32, expected[i]);
            note_mismatch(lab, what, i, &numbers, untouched);
            return false;
        }
    return true;
}

bool lab_expect_f64(struct lab *lab, const char *what, const double *got, const double *expected,
                    double bound, size_t count) {
    bool untouched = is_untouched(lab, got);

    for (size_t i = 0; i < count; i++)
        if (!(fabs(got[i] - expected[i]) <= bound)) { /* NaN is never within it */
            struct mismatch numbers;
            char beyond[64];

            snprintf(beyond, sizeof beyond, ", give or take %.2g", bound);
            snprintf(numbers.got, sizeof numbers.got, "%.17g", got[i]);
            snprintf(numbers.expected, sizeof numbers.expected, "%.17g", expected[i]);
            numbers.beyond = beyond;
            note_mismatch(lab, what, i, &numbers, untouched);
            return false;
        }
    return true;
}

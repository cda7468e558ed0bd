/*
 * Outputs against what they must be: the first mismatch, with everything that is known about it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/harness/context.h"

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

/* True when a number is within the bound; notes it otherwise, printed with so many digits. NaN is
 * never within it. */
static bool is_near(struct lab *lab, const char *what, size_t index, const double numbers[2],
                    double bound, int digits, const void *output) {
    struct mismatch mismatch = {.beyond = ""};
    char beyond[64];

    if (fabs(numbers[0] - numbers[1]) <= bound)
        return true;
    if (bound > 0) {
        snprintf(beyond, sizeof beyond, ", give or take %.2g", bound);
        mismatch.beyond = beyond;
    }
    snprintf(mismatch.got, sizeof mismatch.got, "%.*g", digits, numbers[0]);
    snprintf(mismatch.expected, sizeof mismatch.expected, "%.*g", digits, numbers[1]);
    note_mismatch(lab, what, index, &mismatch, is_untouched(lab, output));
    return false;
}

bool lab_expect_f32(struct lab *lab, const char *what, const float *got, const double *expected,
                    double bound, size_t count) {
    size_t i = 0;

    while (i < count &&
           is_near(lab, what, i, (double[]){(double)got[i], expected[i]}, bound, 9, got))
        i++;
    return i == count;
}

bool lab_expect_f64(struct lab *lab, const char *what, const double *got, const double *expected,
                    double bound, size_t count) {
    size_t i = 0;

    while (i < count && is_near(lab, what, i, (double[]){got[i], expected[i]}, bound, 17, got))
        i++;
    return i == count;
}

/*
 * Which edits are not worth a try where a lock is taken: those with which nobody waits any more,
 * and the case passes since the lock is off.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "common/simt/program/edit/edit.h"
#include "common/simt/tests/run/fixture.h"

enum { N = 64 };

/* How many edits of a kind are candidates at a line, after a kernel's run. */
static size_t count(const char *kernel, enum simt_edit_kind kind, const char *mark) {
    struct fixture fixture;
    struct simt_edit *candidates;
    size_t found = 0;
    fixture_open(&fixture);
    const struct {
        uint64_t in;
        int n;
        uint64_t out;
    } params = {fixture_ramp(&fixture, "in", N), N, fixture_ramp(&fixture, "out", N)};
    fixture_run(&fixture, kernel, 2, 32, 0, &params);
    const size_t n = simt_edit_candidates(fixture.simt, &candidates);
    for (size_t i = 0; i < n; i++)
        found += candidates[i].kind == kind && candidates[i].line == fixture_line(mark);
    free(candidates);
    fixture_close(&fixture);
    return found;
}

TestSuite(locks, .timeout = 60);

Test(locks, that_are_right_stay_on) {
    cr_expect_eq(count("scope", SIMT_EDIT_NEGATION, "@wait"), 0);
    cr_expect_eq(count("scope", SIMT_EDIT_CONSTANT, "@wait"), 0);
}

Test(locks, that_nobody_waits_for_are_mended) {
    cr_expect_gt(count("lock_the_wrong_way", SIMT_EDIT_NEGATION, "@wrong_wait"), 0);
    cr_expect_gt(count("lock_the_wrong_way", SIMT_EDIT_CONSTANT, "@wrong_wait"), 0);
}

Test(locks, are_not_replaced_by_an_atomic) {
    cr_expect_eq(count("scope", SIMT_EDIT_ATOMIC, "@locked"), 0);
    cr_expect_gt(count("atomic", SIMT_EDIT_ATOMIC, "@atomic"), 0);
}

/* Who adds to a sum tells nobody that something was stored before. */
Test(locks, need_a_fence_where_they_are_given_back_alone) {
    cr_expect_gt(count("fence", SIMT_EDIT_FENCE, "@fence"), 0);
    cr_expect_eq(count("counts", SIMT_EDIT_FENCE, "@counts"), 0);
    cr_expect_gt(count("numbers", SIMT_EDIT_FENCE, "@numbers"), 0);
}

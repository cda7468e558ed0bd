/*
 * What the checks leave unrecorded, and launches that start over for it: they find what they would
 * have found, and leave memory as if they had run once.
 */
#include <criterion/criterion.h>

#include "common/simt/state/module.h"
#include "common/simt/tests/run/fixture.h"

TestSuite(spare, .timeout = 20);

enum { BLOCKS = 4, THREADS = 64, ALL = BLOCKS * THREADS };

/* Of a launch of all threads, each of which has added 1 to `count` once. */
static uint64_t run(struct fixture *fixture, const char *kernel) {
    const struct {
        uint64_t in, out, count;
    } params = {
        fixture_ramp(fixture, "in", ALL),
        fixture_unwritten(fixture, "out", ALL),
        fixture_zeros(fixture, "count", 1),
    };
    fixture_pass(fixture, kernel, BLOCKS, THREADS, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.count, 0), ALL, "%s: %d", kernel,
                 fixture_int(fixture, params.count, 0));
    return params.in;
}

static bool started_over(const struct fixture *fixture, const char *kernel) {
    return !simt_kernel_find(fixture->module, kernel)->program->may_start_over;
}

static void expect_race(struct fixture *fixture, const char *kernel, enum simt_finding_kind kind,
                        const char *mark, const char *other_mark) {
    run(fixture, kernel);
    const struct simt_finding *finding = fixture_found(fixture, kind);
    cr_expect(started_over(fixture, kernel));
    const unsigned here = finding->here.line, there = finding->other.line;
    const unsigned line = fixture_line(mark), other = fixture_line(other_mark);
    cr_expect((here == line && there == other) || (here == other && there == line), "%s",
              finding->message);
}

FIXTURE_TEST(spare, leaves_no_trace_of_what_is_only_read) {
    const uint64_t in = run(fixture, "only_reads");
    const struct simt_allocation *allocation = simt_space_find(&fixture->simt->space, in);
    fixture_expect_quiet(fixture);
    cr_expect_not(started_over(fixture, "only_reads"));
    for (uint64_t i = 0; i < ALL; i++)
        cr_expect_eq(simt_get_word(allocation->words, i).reader, 0, "word %d", (int)i);
}

FIXTURE_TEST(spare, finds_a_write_of_what_was_read_long_before) {
    expect_race(fixture, "writes_at_last", SIMT_FINDING_GLOBAL_RACE, "@writes", "@reads");
}

FIXTURE_TEST(spare, tells_what_barriers_part) {
    run(fixture, "takes_turns");
    fixture_expect_quiet(fixture);
    cr_expect_not(started_over(fixture, "takes_turns"));
}

FIXTURE_TEST(spare, finds_a_write_of_what_was_read_in_shared_memory) {
    expect_race(fixture, "writes_what_others_read", SIMT_FINDING_SHARED_RACE, "@writes_shared",
                "@reads_shared");
}

FIXTURE_TEST(spare, finds_a_read_of_what_was_added_to_in_shared_memory) {
    expect_race(fixture, "reads_what_others_add", SIMT_FINDING_SHARED_RACE, "@sees_shared",
                "@adds_shared");
}

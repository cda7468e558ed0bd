/*
 * What the checks find, and what they must not find.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/state/findings.h"
#include "common/simt/state/module.h"
#include "common/simt/tests/run/fixture.h"

TestSuite(check, .timeout = 20);

/* Runs a kernel of one argument `out` and expects no finding. */
static void expect_clean(const char *kernel, unsigned n_blocks, unsigned n_threads) {
    struct fixture fixture;
    fixture_open(&fixture);
    uint64_t out = fixture_zeros(&fixture, "out", 256);
    fixture_pass(&fixture, kernel, n_blocks, n_threads, 0, &out);
    cr_expect_eq(fixture.report.n_findings, 0, "%s: %s", kernel,
                 fixture.report.n_findings ? fixture.report.findings[0].message : "");
    fixture_close(&fixture);
}

/* Runs it and expects a race between two lines, in either order. */
static void expect_race(const char *kernel, unsigned n_blocks, unsigned n_threads,
                        enum simt_finding_kind kind, const char *mark, const char *other_mark) {
    struct fixture fixture;
    fixture_open(&fixture);
    uint64_t out = fixture_zeros(&fixture, "out", 256);
    fixture_pass(&fixture, kernel, n_blocks, n_threads, 0, &out);
    const struct simt_finding *finding = fixture_finding(&fixture, kind);
    cr_assert_not_null(finding, "%s", kernel);
    unsigned line = fixture_line(mark), other = fixture_line(other_mark);
    cr_expect((finding->here.line == line && finding->other.line == other) ||
                  (finding->here.line == other && finding->other.line == line),
              "%s: %s", kernel, finding->message);
    cr_expect_gt(strlen(finding->place), 0);
    cr_expect_gt(strlen(finding->advice), 0);
    fixture_close(&fixture);
}

Test(check, finds_a_missing_barrier) {
    expect_race("no_barrier", 1, 128, SIMT_FINDING_SHARED_RACE, "@no_barrier_write",
                "@no_barrier_read");
}

/* A barrier lies between the two in each turn, so that the read races with the next turn's write.
 */
static void expect_later_write(struct fixture *fixture, const char *kernel, const char *when,
                               const char *mark) {
    uint64_t out = fixture_zeros(fixture, "out", 128);
    fixture_run(fixture, kernel, 1, 128, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_SHARED_RACE);
    char next[96];
    snprintf(next, sizeof next, "writes it %s (line %u)", when, fixture_line(mark));
    cr_expect_not_null(strstr(finding->message, "reads tile["), "%s", finding->message);
    cr_expect_not_null(strstr(finding->message, next), "%s", finding->message);
    cr_expect_not_null(strstr(finding->advice, "at the end of"), "%s", finding->advice);
}

FIXTURE_TEST(check, tells_a_race_between_two_turns_of_a_loop) {
    expect_later_write(fixture, "one_barrier_a_turn", "in the loop's next turn", "@turn_write");
    expect_later_write(fixture, "one_barrier_an_unrolled_turn", "further on", "@unrolled_write");
    uint64_t out = fixture_zeros(fixture, "out", 128);
    fixture_run(fixture, "no_barrier", 1, 128, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_SHARED_RACE);
    cr_expect_null(strstr(finding->message, "turn"), "%s", finding->message);
    cr_expect_null(strstr(finding->message, "further"), "%s", finding->message);
}

FIXTURE_TEST(check, counts_a_race_once_a_pair_of_lines) {
    uint64_t out = fixture_zeros(fixture, "out", 128);
    fixture_run(fixture, "no_barrier", 3, 128, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_SHARED_RACE);
    size_t n = 0;
    for (size_t i = 0; i < fixture->report.n_findings; i++)
        n += fixture->report.findings[i].kind == SIMT_FINDING_SHARED_RACE;
    cr_expect_eq(n, 1);
    /* The first warps read before the last ones write, then those read what is written. */
    cr_expect_eq(finding->count, 3 * 128);
    cr_expect_str_eq(finding->kernel, "no_barrier");
    cr_expect_not_null(strstr(finding->place, "tile["), "%s", finding->place);
    cr_expect_neq(finding->here.thread.x, finding->other.thread.x);
}

Test(check, does_not_take_lockstep_for_order) {
    expect_race("lockstep", 1, 32, SIMT_FINDING_SHARED_RACE, "@lockstep_write", "@lockstep_read");
}

Test(check, takes_syncwarp_for_order) {
    expect_clean("with_syncwarp", 1, 32);
    expect_clean("syncwarp_of_halves", 1, 32);
}

FIXTURE_TEST(check, knows_an_access_before_a_million_syncs) {
    simt_options(fixture->simt)->timeout_ms = 0;
    uint64_t out = fixture_zeros(fixture, "out", 64);
    cr_assert_eq(fixture_run(fixture, "race_across_many_syncs", 1, 33, 0, &out), SIMT_OK, "%s",
                 fixture->diag.message);
    cr_assert_eq(fixture->report.n_findings, 2); /* what nobody wrote, and the race */
    const struct simt_finding *finding = fixture_finding(fixture, SIMT_FINDING_SHARED_RACE);
    cr_assert_not_null(finding);
    cr_expect_eq(finding->here.line, fixture_line("@many_syncs_write"));
    cr_expect_eq(finding->other.line, fixture_line("@many_syncs_read"));
}

FIXTURE_TEST(check, looks_at_no_shadow_beside_a_buffer) {
    enum { N = 1 << 22 }; /* large: nothing of the simulator's lies right before its shadow */
    struct {
        uint64_t in, out;
    } params = {fixture_zeros(fixture, "in", N), fixture_zeros(fixture, "out", N)};
    fixture_pass(fixture, "last_lane_adds", 1, 32, 0, &params);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(check, orders_only_the_lanes_that_syncwarp_names) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    fixture_run(fixture, "syncwarp_of_halves_crossed", 1, 32, 0, &out);
    cr_expect_not_null(fixture_finding(fixture, SIMT_FINDING_SHARED_RACE));
}

Test(check, finds_the_second_barrier_of_a_scan_missing) {
    expect_race("scan_one_barrier", 1, 32, SIMT_FINDING_SHARED_RACE, "@scan_write", "@scan_read");
    expect_clean("scan_two_barriers", 1, 64);
}

Test(check, lets_writes_of_equal_values_go) {
    expect_clean("same_flag", 2, 64);
    expect_race("different_values", 1, 64, SIMT_FINDING_GLOBAL_RACE, "@different_values",
                "@different_values");
    expect_race("different_values", 1, 2, SIMT_FINDING_GLOBAL_RACE, "@different_values",
                "@different_values");
}

Test(check, tells_the_bytes_of_a_word_apart) {
    expect_clean("bytes_side_by_side", 2, 64);
}

Test(check, finds_blocks_that_share_an_element) {
    expect_race("blocks_share", 2, 32, SIMT_FINDING_GLOBAL_RACE, "@blocks_share", "@blocks_share");
    expect_clean("blocks_share", 1, 32);
    expect_clean("blocks_add", 4, 32);
}

/* Where the places of lanes that are off would lie before the allocation: for builds with the
 * address sanitizer. */
Test(check, keeps_to_the_shadow_of_an_allocation) {
    expect_clean("upper_half", 1, 32);
}

FIXTURE_TEST(check, names_the_blocks_of_both_sides) {
    uint64_t out = fixture_zeros(fixture, "out", 1);
    fixture_run(fixture, "blocks_share", 2, 32, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_GLOBAL_RACE);
    cr_expect_eq(finding->here.cta.x, 1);
    cr_expect_eq(finding->other.cta.x, 0);
    cr_expect_str_eq(finding->place, "out[0]");
}

Test(check, finds_a_plain_read_of_what_others_add_to) {
    expect_race("atomic_and_plain", 1, 64, SIMT_FINDING_SHARED_RACE, "@atomic", "@plain");
}

FIXTURE_TEST(check, takes_a_fence_before_a_ticket_for_order) {
    struct {
        uint64_t partial, ticket, out;
        int fence;
    } params = {fixture_zeros(fixture, "partial", 16), fixture_zeros(fixture, "ticket", 1),
                fixture_zeros(fixture, "out", 1), 1};
    fixture_pass(fixture, "last_block", 16, 32, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.out, 0), 120);
    fixture_expect_quiet(fixture);
    params.ticket = fixture_zeros(fixture, "ticket", 1);
    params.fence = 0;
    fixture_run(fixture, "last_block", 16, 32, 0, &params);
    const struct simt_finding *finding = fixture_finding(fixture, SIMT_FINDING_GLOBAL_RACE);
    cr_assert_not_null(finding, "without the fence nothing orders the partial sums");
    cr_expect_eq(finding->here.line, fixture_line("@last_block"));
}

FIXTURE_TEST(check, takes_a_lock_with_fences_for_order) {
    struct {
        uint64_t lock, sum;
    } params = {fixture_zeros(fixture, "lock", 1), fixture_zeros(fixture, "sum", 1)};
    fixture_pass(fixture, "locked_add", 2, 64, 0, &params);
    fixture_expect_quiet(fixture);
    fixture_pass(fixture, "unlocked_add", 1, 64, 0, &params.sum);
    cr_expect_not_null(fixture_finding(fixture, SIMT_FINDING_GLOBAL_RACE));
}

FIXTURE_TEST(check, takes_a_fence_of_the_block_for_order_within_it_alone) {
    struct {
        uint64_t lock, sum;
    } params = {fixture_zeros(fixture, "lock", 1), fixture_zeros(fixture, "sum", 1)};
    fixture_pass(fixture, "add_locked_in_the_block", 1, 64, 0, &params);
    fixture_expect_quiet(fixture);
    fixture_pass(fixture, "add_locked_in_the_block", 2, 64, 0, &params);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_GLOBAL_RACE);
    cr_expect_eq(finding->here.line, fixture_line("@locked_in_the_block"));
    cr_expect_eq(finding->other.line, finding->here.line);
    char why[96];
    snprintf(why, sizeof why, "the fence of line %u is for threads of its own block alone",
             fixture_line("@fence_of_the_block"));
    cr_expect_not_null(strstr(finding->message, why), "%s", finding->message);
    cr_expect_not_null(strstr(finding->advice, "__threadfence()"), "%s", finding->advice);
}

FIXTURE_TEST(check, takes_a_flag_with_fences_for_order) {
    struct {
        uint64_t data, flag, out;
        int sync;
    } params = {fixture_zeros(fixture, "data", 32), fixture_zeros(fixture, "flag", 1),
                fixture_zeros(fixture, "out", 32), 1};
    fixture_pass(fixture, "hand_to_next_warp", 1, 64, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.out, 0), 32);
    fixture_expect_quiet(fixture);
    params.sync = 0;
    simt_set(fixture->simt, params.data, 0, 128);
    fixture_run(fixture, "hand_to_next_warp", 1, 64, 0, &params);
    const struct simt_finding *finding = fixture_finding(fixture, SIMT_FINDING_GLOBAL_RACE);
    cr_assert_not_null(finding, "lanes that did not see the flag are not ordered");
    cr_expect_eq(finding->here.line, fixture_line("@handed"));
}

FIXTURE_TEST(check, finds_shared_memory_that_nobody_wrote) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    fixture_pass(fixture, "read_unwritten_shared", 2, 64, 0, &out);
    cr_assert_eq(fixture->report.n_findings, 1);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_UNINITIALISED);
    cr_expect_eq(finding->here.line, fixture_line("@unwritten_shared"));
    cr_expect_eq(finding->here.thread.x, 32);
    cr_expect_eq(finding->count, 2 * 32);
    cr_expect_str_eq(finding->place, "tile[32]");
    cr_expect_eq(fixture_run(fixture, "read_unwritten_shared", 1, 32, 0, &out), SIMT_OK);
    fixture_expect_quiet(fixture);
}

/* A line of a header is looked for in the student's file otherwise. */
Test(words, name_the_file_of_a_line_that_was_included) {
    cr_expect_str_eq(simt_line_of("/labs/12-streams/work.cuh", 26).text, "line 26 of work.cuh");
    cr_expect_str_eq(simt_line_of("/labs/12-streams/streams.cu", 7).text, "line 7");
    cr_expect_str_eq(simt_line_of("nvrtc", 7).text, "line 7");
    cr_expect_str_eq(simt_line_of(NULL, 7).text, "line 7");
}

/* Something was stored where it is read. */
FIXTURE_TEST(check, says_that_a_value_was_made_of_what_nobody_wrote) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    fixture_run(fixture, "add_unwritten_shared", 1, 64, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_UNINITIALISED);
    cr_expect_eq(finding->here.line, fixture_line("@made_of_unwritten"));
    cr_expect_str_eq(finding->place, "tile[0]");
    cr_expect_not_null(strstr(finding->message, "what was stored there was made of elements that "
                                                "nobody had written: the value"),
                       "%s", finding->message);
    fixture_run(fixture, "read_unwritten_shared", 1, 64, 0, &out);
    finding = fixture_found(fixture, SIMT_FINDING_UNINITIALISED);
    cr_expect_not_null(strstr(finding->message, "nothing has been written there: the value"));
}

FIXTURE_TEST(check, finds_global_memory_that_nobody_wrote) {
    struct {
        uint64_t in, out;
    } params = {fixture_unwritten(fixture, "in", 64), fixture_unwritten(fixture, "out", 64)};
    fixture_run(fixture, "copy", 1, 64, 0, &params);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_UNINITIALISED);
    cr_expect_eq(finding->here.line, fixture_line("@copy"));
    cr_expect_str_eq(finding->place, "in[0]");
    simt_set(fixture->simt, params.in, 1, 63 * 4);
    fixture_run(fixture, "copy", 1, 64, 0, &params);
    finding = fixture_found(fixture, SIMT_FINDING_UNINITIALISED);
    cr_expect_str_eq(finding->place, "in[63]");
    simt_set(fixture->simt, params.in + 63 * 4, 1, 4);
    fixture_run(fixture, "copy", 1, 64, 0, &params);
    fixture_expect_quiet(fixture);
    /* What the kernel stored is written; what the host takes back is not. */
    uint64_t swapped[2] = {params.out, params.in};
    fixture_run(fixture, "copy", 1, 64, 0, swapped);
    fixture_expect_quiet(fixture);
    simt_undefine(fixture->simt, params.in + 40, 4);
    fixture_run(fixture, "copy", 1, 64, 0, &params);
    cr_expect_not_null(fixture_finding(fixture, SIMT_FINDING_UNINITIALISED));
}

FIXTURE_TEST(check, can_be_switched_off) {
    simt_options(fixture->simt)->checks = false;
    uint64_t out = fixture_unwritten(fixture, "out", 128);
    fixture_run(fixture, "no_barrier", 1, 128, 0, &out);
    fixture_expect_quiet(fixture);
    simt_options(fixture->simt)->checks = true;
    struct {
        uint64_t in, out;
    } params = {out, fixture_unwritten(fixture, "copied", 128)};
    fixture_run(fixture, "copy", 1, 128, 0, &params);
    cr_expect_eq(fixture->report.n_findings, 0, "what an unwatched kernel wrote counts as written");
}

FIXTURE_TEST(check, stops_at_a_write_past_the_end) {
    struct {
        uint64_t out;
        int n;
    } params = {fixture_zeros(fixture, "out", 100), 100};
    cr_assert_eq(fixture_run(fixture, "write_past_the_end", 1, 128, 0, &params),
                 SIMT_ILLEGAL_ADDRESS);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_OUT_OF_BOUNDS);
    cr_expect_str_eq(finding->place, "out[100]");
    cr_expect_eq(finding->here.thread.x, 100);
    cr_expect_eq(finding->here.line, fixture_line("@past_the_end"));
    cr_expect_eq(fixture->diag.line, fixture_line("@past_the_end"));
    cr_expect_not_null(strstr(finding->message, "100 elements"), "%s", finding->message);
    params.n = 99;
    cr_expect_eq(fixture_run(fixture, "write_past_the_end", 1, 128, 0, &params), SIMT_OK);
}

/* Where the read of in[index] is told to be; out lies behind in. */
static void expect_read(struct fixture *fixture, const char *kernel, uint64_t in, uint64_t out,
                        int64_t index, const char *place, const char *words) {
    struct {
        uint64_t in, out;
        int64_t index;
    } params = {in, out, index};
    cr_assert_eq(fixture_run(fixture, kernel, 1, 1, 0, &params), SIMT_ILLEGAL_ADDRESS);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_OUT_OF_BOUNDS);
    cr_expect_str_eq(finding->place, place);
    cr_expect_not_null(strstr(finding->message, words), "%s", finding->message);
}

FIXTURE_TEST(check, tells_an_access_by_the_pointer_that_it_was_made_from) {
    uint64_t in = fixture_ramp(fixture, "in", 32), out = fixture_zeros(fixture, "out", 1);
    int64_t before_out = (int64_t)(out - in) / 4 - 3;
    char place[32];
    snprintf(place, sizeof place, "in[%lld]", (long long)before_out);
    expect_read(fixture, "read_at", in, out, before_out, place, "in has 32 elements");
    expect_read(fixture, "walk_to", in, out, before_out, place, "in has 32 elements");
    expect_read(fixture, "read_at", out, in, -3, "out[-3]", "out has 1 element");
}

FIXTURE_TEST(check, claims_no_array_where_a_pointer_came_from_memory) {
    uint64_t out = fixture_zeros(fixture, "out", 1), in = fixture_ramp(fixture, "in", 32);
    uint64_t table = fixture_buffer(fixture, "table", &in, sizeof in, sizeof in);
    expect_read(fixture, "read_by_table", table, out, 32, "in + 128",
                "reads in + 128, in bytes, but in has 128 of them");
}

/* Such a pointer is no index of the array that lies nearest. */
FIXTURE_TEST(check, tells_of_a_pointer_that_the_launch_hands_over_astray) {
    uint64_t in = fixture_ramp(fixture, "in", 32), out = fixture_zeros(fixture, "out", 1);
    expect_read(fixture, "read_at", out + 20000, in, 3, "out + 20012",
                "reads through a pointer to no array, which the launch hands over: out + 20012, in "
                "bytes");
}

/* An index that is garbage says nothing of the array that lies nearest. */
FIXTURE_TEST(check, claims_no_array_far_from_all) {
    uint64_t in = fixture_ramp(fixture, "in", 32), out = fixture_zeros(fixture, "out", 1);
    uint64_t table = fixture_buffer(fixture, "table", &in, sizeof in, sizeof in);
    expect_read(fixture, "read_by_table", table, out, INT64_C(1) << 31, "",
                "reads an address far from all arrays (0x");
}

FIXTURE_TEST(check, finds_an_atomic_of_a_word_that_is_half_written) {
    uint64_t out = fixture_unwritten(fixture, "out", 4);
    fixture_run(fixture, "half_written_ticket", 1, 1, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_UNINITIALISED);
    cr_expect_eq(finding->here.line, fixture_line("@half_written"));
    cr_expect_not_null(strstr(finding->message, "only some of its bytes"), "%s", finding->message);
}

FIXTURE_TEST(check, stops_at_a_null_and_a_freed_pointer) {
    struct {
        uint64_t in, out;
    } params = {0, fixture_zeros(fixture, "out", 32)};
    cr_expect_eq(fixture_run(fixture, "copy", 1, 32, 0, &params), SIMT_ILLEGAL_ADDRESS);
    params.in = fixture_ramp(fixture, "in", 32);
    cr_expect_eq(fixture_run(fixture, "copy", 1, 32, 0, &params), SIMT_OK);
    simt_free(fixture->simt, params.in);
    fixture_ramp(fixture, "next", 32);
    cr_expect_eq(fixture_run(fixture, "copy", 1, 32, 0, &params), SIMT_ILLEGAL_ADDRESS);
}

FIXTURE_TEST(check, stops_at_a_read_past_shared_memory) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    cr_assert_eq(fixture_run(fixture, "read_past_shared", 1, 32, 128, &out), SIMT_ILLEGAL_ADDRESS);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_OUT_OF_BOUNDS);
    cr_expect_str_eq(finding->place, "tile[32]");
    cr_expect_eq(finding->here.thread.x, 31);
}

FIXTURE_TEST(check, says_that_a_store_behind_an_atomic_writes) {
    uint64_t out = fixture_zeros(fixture, "out", 256);
    fixture_run(fixture, "first_block_clears", 3, 64, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_GLOBAL_RACE);
    cr_expect_eq(finding->other.line, fixture_line("@first_block_clears"));
    cr_expect_str_eq(finding->other.what, "writes");
    cr_expect_str_eq(finding->here.what, "atomically updates");
}

FIXTURE_TEST(check, stops_at_a_misaligned_address) {
    struct {
        uint64_t in, out;
    } params = {fixture_ramp(fixture, "in", 32), fixture_zeros(fixture, "out", 32)};
    cr_assert_eq(fixture_run(fixture, "misaligned", 1, 32, 0, &params), SIMT_MISALIGNED);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_MISALIGNED);
    cr_expect_eq(finding->here.line, fixture_line("@misaligned"));
    cr_expect_eq(finding->here.thread.x, 1);
}

Test(check, has_no_shadow_where_it_is_off) {
    for (int on = 0; on <= 1; on++) {
        struct fixture fixture;
        fixture_open(&fixture);
        simt_options(fixture.simt)->checks = on;
        uint64_t out = fixture_zeros(&fixture, "out", 256);
        fixture_pass(&fixture, "same_flag", 2, 128, 0, &out);
        cr_expect_eq(simt_shadow_bytes(&fixture.simt->space) != 0, on);
        fixture_close(&fixture);
    }
}

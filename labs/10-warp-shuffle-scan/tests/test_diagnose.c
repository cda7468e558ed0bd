/* The diagnoses that need no simulator: what comes out wrong is known by what it comes to. Each
 * answer here makes one mistake, in plain C, in place of a worker. */
#include <string.h>

#include "common/harness/tests/fake_call.h"
#include "labs/10-warp-shuffle-scan/tests/parts.h"

static size_t case_n;
static lab_case_body *case_body;

static void one_scan(struct lab *lab) {
    lab_one(lab, case_n, 128, case_body);
}

static void expect_diagnosis(lab_case_body *body, size_t n, fake_answer *answer, const char *id) {
    case_n = n;
    case_body = body;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_scan);
    fake_expect(document, "diagnosis", id);
}

/* Scans each `tile` ints by themselves, and adds to a tile what lies in `more` tiles before it, its
 * own where `own` says so. */
static void scan_parts(struct call_arg *args, size_t part, size_t tile, size_t more, bool own) {
    const int32_t *in = args[0].data;
    int32_t *out = args[3].data;
    size_t n = args[0].count;

    for (size_t i = 0; i < n; i++) {
        size_t of_part = i - i % part, of_tile = i - i % tile;
        size_t from = of_tile < of_part + more * tile ? of_part : of_tile - more * tile;
        uint32_t sum = 0;

        for (size_t k = from; k <= i; k++)
            sum += (uint32_t)in[k];
        for (size_t k = of_tile; own && k < of_tile + tile && k < n; k++)
            sum += (uint32_t)in[k];
        out[i] = (int32_t)sum;
    }
}

FAKE_ANSWER(warps_by_themselves) {
    (void)function;
    scan_parts(args, 128, 32, 0, false);
}

FAKE_ANSWER(with_the_last_total) {
    (void)function;
    scan_parts(args, 128, 32, 1, false);
}

FAKE_ANSWER(with_their_own_total) {
    (void)function;
    scan_parts(args, 128, 32, 4, true);
}

/* Five steps, up or down, of whole warps. */
static void make_steps(struct call_arg *args, bool is_up) {
    const int32_t *in = args[0].data;
    uint32_t *out = args[3].data, before[32];

    for (size_t first = 0; first < args[0].count; first += 32) {
        memcpy(out + first, in + first, sizeof before);
        for (size_t d = 1; d < 32; d *= 2) {
            memcpy(before, out + first, sizeof before);
            for (size_t lane = 0; lane < 32; lane++) {
                size_t from =
                    is_up ? (lane >= d ? lane - d : lane) : (lane + d < 32 ? lane + d : lane);

                out[first + lane] += before[from];
            }
        }
    }
}

FAKE_ANSWER(own_value_at_the_edge) {
    (void)function;
    make_steps(args, true);
}

FAKE_ANSWER(shifted_down) {
    (void)function;
    make_steps(args, false);
}

FAKE_ANSWER(one_off) {
    (void)function;
    scan_parts(args, 128, 32, 4, false);
    ((int32_t *)args[3].data)[args[0].count / 2]++;
}

Test(diagnosis, tells_what_is_missing_from_a_warp) {
    expect_diagnosis(blocks_case, 512, warps_by_themselves, "warps_alone");
    expect_diagnosis(blocks_case, 512, with_the_last_total, "last_total_only");
    expect_diagnosis(blocks_case, 512, with_their_own_total, "own_total_added");
}

Test(diagnosis, tells_steps_without_a_guard_from_steps_down) {
    expect_diagnosis(warps_case, 512, own_value_at_the_edge, "own_value_added");
    expect_diagnosis(warps_case, 512, shifted_down, "wrong_direction");
}

Test(diagnosis, claims_nothing_of_a_scan_that_it_does_not_know) {
    expect_diagnosis(blocks_case, 512, one_off, NULL);
    expect_diagnosis(warps_case, 512, with_the_last_total, NULL);
}

/* A finding of a scan of 100 ints in a block of 128. */
#define FOUND(barriers, kind, place, here_does, here_thread, other_does, other_thread)             \
    "{\"launches\":[{\"grid\":[1,1,1],\"block\":[128,1,1],\"shared_bytes\":128,"                   \
    "\"counters\":{\"barriers\":" barriers "},\"lines\":[]}],"                                     \
    "\"findings\":[{\"kind\":\"" kind "\",\"place\":\"" place "\",\"here\":{\"what\":\"" here_does \
    "\",\"line\":9,\"block\":[0,0,0],\"thread\":[" here_thread                                     \
    ",0,0]},\"other\":{\"what\":\"" other_does                                                     \
    "\",\"line\":5,\"block\":[0,0,0],\"thread\":[" other_thread ",0,0]}}]}"

static void expect_found(const char *report, const char *id) {
    fake.report = report;
    expect_diagnosis(blocks_case, 100, one_off, id);
}

Test(diagnosis, tells_a_race_by_who_waits_for_whom) {
    expect_found(FOUND("0", "shared_race", "before[1]", "reads", "1", "writes", "63"),
                 "no_barrier");
    expect_found(FOUND("4", "shared_race", "before[1]", "reads", "1", "writes", "63"),
                 "no_barrier_before_totals");
    expect_found(FOUND("4", "shared_race", "before[1]", "reads", "40", "writes", "1"),
                 "no_barrier_behind_totals");
    expect_found(FOUND("4", "shared_race", "before[1]", "reads", "40", "writes", "70"), NULL);
    expect_found(FOUND("4", "shared_race", "before[0]", "reads", "1", "writes", "63"), NULL);
}

Test(diagnosis, tells_lanes_that_wait_elsewhere_from_a_barrier_in_a_branch) {
    expect_found(
        FOUND("4", "deadlock", "", "waits for lanes of its warp", "0", "waits at the barrier", "1"),
        "lanes_missing");
    expect_found(
        FOUND("4", "deadlock", "", "waits at the barrier", "0", "waits at the barrier", "1"),
        "barrier_in_branch");
    expect_found(FOUND("4", "invalid_sync", "", "waits for the lanes of its mask", "0",
                       "leaves the kernel", "5"),
                 "lanes_missing");
    expect_found(FOUND("4", "invalid_sync", "", "is not in its mask", "0", "", "0"), NULL);
}

Test(diagnosis, tells_a_word_of_no_warp_from_one_that_has) {
    expect_found(FOUND("8", "uninitialised", "before[4]", "reads", "4", "", "0"), "absent_warps");
    expect_found(FOUND("8", "uninitialised", "before[3]", "reads", "3", "", "0"), NULL);
}

Test(diagnosis, tells_accesses_by_their_place) {
    expect_found(FOUND("8", "out_of_bounds", "in[100]", "reads", "100", "", "0"),
                 "reads_past_the_end");
    expect_found(FOUND("8", "out_of_bounds", "out[100]", "writes", "100", "", "0"),
                 "writes_past_the_end");
    expect_found(FOUND("8", "out_of_bounds", "in[-1]", "reads", "0", "", "0"), NULL);
}

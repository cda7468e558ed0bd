/* The diagnoses that need no simulator: a wrong sum is known by what it comes to. Each answer here
 * makes one mistake, in plain C, in place of a worker. */
#include <signal.h>

#include "common/harness/tests/fake_call.h"
#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

static lab_case_body *case_body;
static size_t case_n;
static unsigned case_block;

static void one_sum(struct lab *lab) {
    lab_one(lab, case_n, case_block, case_body);
}

static void expect_diagnosis(lab_case_body *body, size_t n, unsigned block, fake_answer *answer,
                             const char *id) {
    case_body = body;
    case_n = n;
    case_block = block;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_sum);
    fake_expect(document, "diagnosis", id);
}

/* The sum of in[first] to in[end - 1], as far as there are so many. */
static float sum_of(const struct call_arg *in, size_t first, size_t end) {
    double sum = 0;

    for (size_t i = first; i < end && i < in->count; i++)
        sum += (double)((const float *)in->data)[i];
    return (float)sum;
}

/* Right sums of groups of `group` whose elements lie `apart`; of each, `used` elements. */
static void sum_groups(struct call_arg *args, size_t apart, size_t used) {
    float *out = args[3].data;

    for (size_t i = 0; i < args[3].count; i++)
        out[i] = sum_of(&args[0], i * apart, i * apart + used);
}

/* --- a warp's sum ----------------------------------------------------------------------------- */

/* What shifts alone leave: lane 0 has the sum, the others what lies behind them. */
FAKE_ANSWER(shifted_sums) {
    float *out = args[3].data;

    for (size_t i = 0; i < args[3].count; i++)
        out[i] = sum_of(&args[0], i, i - i % 32 + 32);
}

FAKE_ANSWER(halves_of_warps) {
    for (size_t i = 0; i < args[3].count; i++)
        ((float *)args[3].data)[i] = 2 * sum_of(&args[0], 32 * i, 32 * i + 16);
}

FAKE_ANSWER(own_value_32_times) {
    for (size_t i = 0; i < args[3].count; i++)
        ((float *)args[3].data)[i] = 32 * sum_of(&args[0], 32 * i, 32 * i + 1);
}

/* The exchange by 4 is left out: lane 0 gets those whose bit 4 is 0. */
FAKE_ANSWER(no_step_of_4) {
    for (size_t i = 0; i < args[3].count; i++) {
        float sum = 0;

        for (size_t lane = 0; lane < 32; lane += lane % 4 == 3 ? 5 : 1)
            sum += sum_of(&args[0], 32 * i + lane, 32 * i + lane + 1);
        ((float *)args[3].data)[i] = sum;
    }
}

Test(diagnosis, knows_a_butterfly_made_of_shifts) {
    expect_diagnosis(warps_all_case, 64, 32, shifted_sums, "only_lane_0_has_it");
}

Test(diagnosis, tells_width_direction_and_missing_steps_apart) {
    expect_diagnosis(warps_first_case, 64, 32, halves_of_warps, "wrong_width");
    expect_diagnosis(warps_first_case, 64, 32, own_value_32_times, "wrong_direction");
    expect_diagnosis(warps_first_case, 64, 32, no_step_of_4, "step_missing");
}

/* Of 16 elements, twice the first half of the warp's is twice the whole. */
FAKE_ANSWER(twice) {
    ((float *)args[3].data)[0] = 2 * sum_of(&args[0], 0, args[0].count);
}

Test(diagnosis, names_no_width_where_few_lanes_leave_it_open) {
    expect_diagnosis(warps_first_case, 16, 32, twice, NULL);
    expect_diagnosis(warps_first_case, 32, 32, twice, NULL);
}

/* --- a block's sum ---------------------------------------------------------------------------- */

FAKE_ANSWER(first_warp_alone) {
    sum_groups(args, 128, 32);
}

FAKE_ANSWER(full_warps_alone) {
    sum_groups(args, 80, 64);
}

/* 48 elements belong to each block, which has 64 threads. */
FAKE_ANSWER(tiles_of_64) {
    sum_groups(args, 64, 48);
}

FAKE_ANSWER(tiles_of_96) {
    sum_groups(args, 96, 80);
}

FAKE_ANSWER(full_blocks_alone) {
    sum_groups(args, 128, 128);
    ((float *)args[3].data)[args[3].count - 1] = 0.5f;
}

Test(diagnosis, knows_which_warps_of_a_block_are_missing) {
    expect_diagnosis(blocks_case, 256, 128, first_warp_alone, "other_warps_missing");
    expect_diagnosis(blocks_case, 80, 80, full_warps_alone, "last_warp_missing");
}

Test(diagnosis, knows_tiles_of_whole_warps) {
    expect_diagnosis(blocks_case, 144, 48, tiles_of_64, "wrong_tile");
    expect_diagnosis(blocks_case, 240, 80, tiles_of_96, "wrong_tile");
}

Test(diagnosis, knows_a_dropped_partial_block) {
    fake.report = "{\"launches\":[{\"grid\":[2,1,1],\"block\":[128,1,1]}]}";
    expect_diagnosis(blocks_case, 300, 128, full_blocks_alone, "dropped_partial_block");
}

/* A wrong sum of the last block is not said to be missing where the grid has that block. */
Test(diagnosis, drops_no_block_that_the_grid_has) {
    expect_diagnosis(blocks_case, 300, 128, full_blocks_alone, NULL);
    fake.report = "{\"launches\":[{\"grid\":[3,1,1],\"block\":[128,1,1]}]}";
    expect_diagnosis(blocks_case, 300, 128, full_blocks_alone, NULL);
}

/* --- the grid's sum, and all ------------------------------------------------------------------ */

FAKE_ANSWER(sum_32_times) {
    *(float *)args[3].data = 32 * sum_of(&args[0], 0, args[0].count);
}

FAKE_ANSWER(one_more) {
    *(float *)args[3].data = sum_of(&args[0], 0, args[0].count) + 1;
}

Test(diagnosis, knows_an_atomic_by_each_lane) {
    expect_diagnosis(grid_case, 1000, 256, sum_32_times, "every_lane_adds");
}

Test(diagnosis, claims_nothing_of_a_sum_that_it_does_not_know) {
    expect_diagnosis(grid_case, 1000, 256, one_more, NULL);
}

Test(diagnosis, knows_grids_of_no_blocks) {
    expect_diagnosis(grid_case, 0, 256, fake_refuse, "empty_input_not_handled");
    expect_diagnosis(grid_case, 100, 256, fake_refuse, "dropped_partial_block");
    fake.words = "it returned an error: Too many threads in a block: 1056, …";
    expect_diagnosis(grid_case, 100, 256, fake_refuse, "block_refused");
    fake.words = "it returned an error: invalid argument";
    expect_diagnosis(grid_case, 100, 256, fake_refuse, NULL);
}

/* A finding of a call of sum_blocks on 100 elements in blocks of 48. */
static void expect_found(const char *report, const char *id) {
    fake.report = report;
    expect_diagnosis(blocks_case, 100, 48, full_warps_alone, id);
}

#define FOUND(threads, barriers, kind, place, what, line, block, thread, other)                    \
    "{\"launches\":[{\"grid\":[3,1,1],\"block\":[" threads ",1,1],\"shared_bytes\":4,"             \
    "\"counters\":{\"barriers\":" barriers "}}],\"findings\":[{\"kind\":\"" kind                   \
    "\",\"place\":\"" place "\",\"here\":{\"what\":\"" what "\",\"line\":" line                    \
    ",\"block\":[" block ",0,0],\"thread\":[" thread ",0,0]},\"other\":" other "}]}"
#define OTHER(what, line, block, thread)                                                           \
    "{\"what\":\"" what "\",\"line\":" line ",\"block\":[" block ",0,0],\"thread\":[" thread       \
    ",0,0]}"

Test(diagnosis, tells_reads_by_the_thread_s_own_element) {
    expect_found(FOUND("48", "0", "out_of_bounds", "in[100]", "reads", "5", "2", "4", "null"),
                 "reads_past_the_end");
    expect_found(FOUND("64", "0", "out_of_bounds", "in[130]", "reads", "5", "2", "2", "null"),
                 "wrong_tile");
    expect_found(FOUND("48", "0", "out_of_bounds", "in[101]", "reads", "5", "2", "4", "null"),
                 NULL);
    expect_found(FOUND("48", "0", "out_of_bounds", "in[100]", "writes", "5", "2", "4", "null"),
                 NULL);
}

Test(diagnosis, tells_races_by_their_sides) {
    expect_found(FOUND("64", "0", "shared_race", "sums[1]", "reads", "9", "0", "1",
                       OTHER("writes", "7", "0", "32")),
                 "no_barrier");
    expect_found(FOUND("64", "6", "shared_race", "sums[1]", "reads", "9", "0", "1",
                       OTHER("writes", "7", "0", "32")),
                 NULL);
    expect_found(FOUND("64", "6", "global_race", "out[0]", "writes", "9", "0", "1",
                       OTHER("writes", "9", "0", "0")),
                 "several_lanes_store");
    expect_found(FOUND("64", "6", "global_race", "out[0]", "writes", "9", "1", "0",
                       OTHER("writes", "9", "0", "0")),
                 NULL);
}

Test(diagnosis, tells_absent_lanes_by_the_block_that_was_launched) {
    expect_found(FOUND("48", "0", "shuffle_inactive", "", "reads", "9", "0", "33", "null"),
                 "partial_warp");
    expect_found(FOUND("64", "0", "shuffle_inactive", "", "reads", "9", "0", "33", "null"),
                 "lanes_missing");
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(blocks_case, 64, 32, fake_crash, "device_pointer_on_host");
    fake.words = "it was killed by signal 11: a null pointer (address 0x0)";
    expect_diagnosis(blocks_case, 64, 32, fake_crash, NULL);
}

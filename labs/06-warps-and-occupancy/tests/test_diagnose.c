/* The diagnoses of functions that launch: which one is told of which report. Each answer here makes
 * one mistake, in plain C, in place of a worker. */
#include "common/harness/tests/fake_call.h"
#include "labs/06-warps-and-occupancy/tests/seats.h"

static unsigned case_blocks = 2, case_threads = 60;

static void one_case(struct lab *lab) {
    lab_one(lab, case_blocks, case_threads, seats_case);
}

static void one_mix(struct lab *lab) {
    lab_one(lab, 100, 64, mix_case);
}

static void expect_diagnosis(const char *report, fake_answer *answer, const char *id) {
    fake.report = report;
    fake.answer = answer;
    fake_expect(fake_perform("edge", one_case), "diagnosis", id);
}

#define LAUNCH(blocks)                                                                             \
    "{\"launches\":[{\"grid\":[" blocks ",1,1],\"block\":[5,4,3],\"counters\":{"                   \
    "\"global_stores\":24}}],\"findings\":[]}"

/* Blocks of 5 × 4 × 3: each thread at the seat that `number` and `first` give. */
static void seat(struct call_arg *args, unsigned blocks, unsigned first, bool is_y_first) {
    int32_t *x = args[4].data, *y = args[5].data, *z = args[6].data;

    for (unsigned b = 0; b < blocks; b++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++)
                for (int i = 0; i < 5; i++) {
                    int number = is_y_first ? j + 4 * (i + 5 * k) : i + 5 * (j + 4 * k);
                    unsigned at = b * first + (unsigned)number;

                    x[at] = i;
                    y[at] = j;
                    z[at] = k;
                }
}

FAKE_ANSWER(y_first) {
    seat(args, 2, 64, true);
}

FAKE_ANSWER(without_gaps) {
    seat(args, 2, 60, false);
}

FAKE_ANSWER(first_block) {
    seat(args, 1, 64, false);
}

FAKE_ANSWER(nothing) {
}

Test(diagnosis, tells_the_order_of_the_axes) {
    expect_diagnosis(LAUNCH("2"), y_first, "other_axis_first");
}

Test(diagnosis, tells_seats_without_gaps) {
    expect_diagnosis(LAUNCH("2"), without_gaps, "seats_without_gaps");
}

Test(diagnosis, tells_seats_of_the_first_block_alone_where_all_blocks_ran) {
    expect_diagnosis(LAUNCH("2"), first_block, "block_left_out");
    expect_diagnosis(LAUNCH("1"), first_block, NULL);
}

Test(diagnosis, tells_kernels_that_store_nothing) {
    expect_diagnosis("{\"launches\":[],\"findings\":[]}", nothing, "nothing_launched");
    expect_diagnosis("{\"launches\":[{\"grid\":[2,1,1],\"block\":[5,4,3],\"counters\":{}}],"
                     "\"findings\":[]}",
                     nothing, "kernel_not_written");
    expect_diagnosis(LAUNCH("2"), nothing, NULL);
}

#define SIDE(x, y, z)                                                                              \
    "{\"what\":\"writes\",\"line\":5,\"block\":[0,0,0],\"thread\":[" x "," y "," z "]}"
#define RACE(place, one, other)                                                                    \
    "{\"launches\":[{\"grid\":[2,1,1],\"block\":[5,4,3],\"counters\":{}}],\"findings\":[{"         \
    "\"kind\":\"global_race\",\"place\":\"" place "\",\"here\":" one ",\"other\":" other "}]}"

Test(diagnosis, tells_threads_that_differ_in_one_axis) {
    expect_diagnosis(RACE("x[3]", SIDE("3", "0", "0"), SIDE("3", "0", "1")), nothing,
                     "axis_left_out");
    expect_diagnosis(RACE("x[3]", SIDE("3", "1", "0"), SIDE("3", "0", "1")), nothing, NULL);
    expect_diagnosis(RACE("w[3]", SIDE("3", "0", "0"), SIDE("3", "0", "1")), nothing, NULL);
}

FAKE_ANSWER(swapped_sides) {
    const int32_t *in = args[0].data;

    for (size_t i = 0; i < args[0].count; i++)
        ((int32_t *)args[3].data)[i] = mix_number(i + 1, in[i]);
}

FAKE_ANSWER(all_even) {
    const int32_t *in = args[0].data;

    for (size_t i = 0; i < args[0].count; i++)
        ((int32_t *)args[3].data)[i] = mix_number(0, in[i]);
}

Test(diagnosis, tells_sides_that_are_swapped) {
    fake.report = LAUNCH("2");
    fake.answer = swapped_sides;
    fake_expect(fake_perform("edge", one_mix), "diagnosis", "sides_swapped");
    fake.answer = all_even;
    fake_expect(fake_perform("edge", one_mix), "diagnosis", NULL);
}

/* The diagnoses: which one is told of which report. Each answer here makes one mistake, in plain C,
 * in place of a worker. */
#include <signal.h>

#include "common/harness/tests/fake_call.h"
#include "labs/00-first-kernel/tests/map_case.h"

static lab_case_body *body = scale_case;
static size_t case_n = 1000;

static void one_case(struct lab *lab) {
    lab_one(lab, case_n, 256, body);
}

static void expect_diagnosis(const char *report, fake_answer *answer, const char *id) {
    fake.report = report;
    fake.answer = answer;
    fake_expect(fake_perform("edge", one_case), "diagnosis", id);
}

FAKE_ANSWER(nothing) {
}

/* Right up to number 768. */
FAKE_ANSWER(three_blocks) {
    const int32_t *in = args[0].data;
    int32_t *out = args[n_args - 1].data;

    for (size_t i = 0; i < args[0].count && i < 768; i++)
        out[i] = (int32_t)(args[2].value.i64 * in[i]);
}

#define LAUNCH(blocks) LAUNCH_OF(blocks, "24")
#define LAUNCH_OF(blocks, loads)                                                                   \
    "{\"launches\":[{\"grid\":[" blocks ",1,1],\"block\":[256,1,1],\"counters\":{"                 \
    "\"global_stores\":24,\"global_loads\":" loads "}}],\"findings\":[]}"
#define FOUND(kind, place, block, thread)                                                          \
    "{\"launches\":[{\"grid\":[4,1,1],\"block\":[256,1,1],\"counters\":{}}],"                      \
    "\"findings\":[{\"kind\":\"" kind "\",\"place\":\"" place "\",\"here\":{\"what\":\"writes\","  \
    "\"line\":5,\"block\":[" block ",0,0],\"thread\":[" thread ",0,0]},\"other\":null}]}"
Test(diagnosis, tells_too_few_blocks_by_the_grid) {
    expect_diagnosis(LAUNCH("3"), three_blocks, "too_few_blocks");
    expect_diagnosis(LAUNCH("4"), three_blocks, NULL);
    body = strided_case;
    expect_diagnosis(LAUNCH("3"), three_blocks, "one_number_a_thread");
}

/* 24 warps that load more often than once: a loop that goes wrong. */
Test(diagnosis, takes_no_loop_for_one_number_a_thread) {
    body = strided_case;
    expect_diagnosis(LAUNCH_OF("3", "25"), three_blocks, NULL);
}

Test(diagnosis, tells_threads_behind_the_end) {
    expect_diagnosis(FOUND("out_of_bounds", "in[1000]", "3", "232"), nothing, "no_bounds_check");
    expect_diagnosis(FOUND("out_of_bounds", "in[1000]", "3", "231"), nothing, NULL);
    expect_diagnosis(FOUND("out_of_bounds", "in[1002]", "3", "232"), nothing, NULL);
}

#define PIXEL(place, x, y)                                                                         \
    "{\"launches\":[{\"grid\":[4,1,1],\"block\":[32,8,1],\"counters\":{}}],"                       \
    "\"findings\":[{\"kind\":\"out_of_bounds\",\"place\":\"" place "\",\"here\":{\"what\":"        \
    "\"reads\",\"line\":5,\"block\":[0,0,0],\"thread\":[" x "," y ",0]},\"other\":null}]}"

/* 5 pixels in a row, 7 rows, 10 ints apart. */
Test(diagnosis, tells_pixels_apart) {
    body = negative_case;
    case_n = 5;
    expect_diagnosis(PIXEL("in[70]", "5", "6"), nothing, "no_bounds_check");
    expect_diagnosis(PIXEL("in[83]", "3", "2"), nothing, "pitch_in_ints");
    expect_diagnosis(PIXEL("in[90]", "3", "2"), nothing, NULL);
}

/* The picture is right, and so are not all ints between its rows. */
FAKE_ANSWER(fills_a_gap) {
    const struct call_arg *in = &args[0], *out = &args[n_args - 1];
    const size_t width = args[1].value.u64, row = args[3].value.u64 / sizeof(int32_t);

    for (size_t i = 0; i < in->count; i++)
        if (i % row < width)
            ((int32_t *)out->data)[i] = 255 - ((const int32_t *)in->data)[i];
    ((int32_t *)out->data)[2 * row + width] = 0;
}

Test(diagnosis, knows_what_lies_between_rows) {
    body = negative_case;
    case_n = 5;
    expect_diagnosis(LAUNCH("1"), fills_a_gap, "gap_written");
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(NULL, fake_crash, "device_pointer_on_host");
    fake.words = "it was killed by signal 11: a null pointer (address 0x0)";
    expect_diagnosis(NULL, fake_crash, NULL);
}

Test(diagnosis, knows_who_launches_nothing) {
    expect_diagnosis("{\"launches\":[],\"findings\":[]}", nothing, NULL);
}

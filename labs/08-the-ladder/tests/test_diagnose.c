/* The diagnoses of sums whose blocks have more ints than threads, and of a last warp that is
 * written out line by line: which one is told of which report. */
#include "common/harness/tests/fake_call.h"
#include "labs/08-the-ladder/tests/rungs.h"

static enum rung rung;

static void rung_case(struct lab *lab, const struct lab_case *c) {
    levels_case_of(lab, &levels_sums[rung], c);
}

static unsigned block;

/* Of 700 ints in blocks of 128, the last block has 60 in rungs 1 to 3, and 188 in rungs 4 to 6. */
static void one_sum(struct lab *lab) {
    lab_one(lab, 700, block, rung_case);
}

FAKE_ANSWER(nothing) {
}

static void expect_diagnosis(enum rung of, unsigned in_blocks_of, const char *report,
                             const char *id) {
    rung = of;
    block = in_blocks_of;
    fake.report = report;
    fake.answer = nothing;
    fake_expect(fake_perform("edge", one_sum), "diagnosis", id);
}

#define SIDE(what, line, block, thread)                                                            \
    "{\"what\":\"" what "\",\"line\":" line ",\"block\":[" block ",0,0],\"thread\":[" thread       \
    ",0,0]}"
#define REPORT(blocks, threads, barriers, findings)                                                \
    "{\"launches\":[{\"grid\":[" blocks ",1,1],\"block\":[" threads                                \
    ",1,1],\"shared_bytes\":4096,\"counters\":{\"barriers\":" barriers "},\"lines\":["             \
    "{\"line\":7,\"counters\":{\"shared_loads\":6,\"shared_stores\":3}},"                          \
    "{\"line\":8,\"counters\":{\"shared_loads\":6,\"shared_stores\":3}}]}],\"findings\":"          \
    "[" findings "]}"
#define OUTSIDE(blocks, block, thread)                                                             \
    REPORT(blocks, "128", "24",                                                                    \
           "{\"kind\":\"out_of_bounds\",\"place\":\"in[700]\",\"here\":" SIDE(                     \
               "reads", "5", block, thread) ",\"other\":null}")
#define RACE(threads, barriers, place, here, other)                                                \
    REPORT("3", threads, barriers,                                                                 \
           "{\"kind\":\"shared_race\",\"place\":\"" place "\",\"here\":" here ",\"other\":" other  \
           "}")

/* Thread 70 of block 2 has int 582, and no 710. */
Test(diagnosis, knows_a_thread_that_has_one_int_of_two) {
    expect_diagnosis(FIRST_ADD, 128, OUTSIDE("3", "2", "70"), "reads_past_the_end");
    expect_diagnosis(FIRST_ADD, 128, OUTSIDE("3", "2", "50"), NULL); /* it has both */
    expect_diagnosis(FIRST_ADD, 128, OUTSIDE("3", "1", "70"), NULL);
    expect_diagnosis(SEQUENTIAL, 128, OUTSIDE("6", "5", "70"), "reads_past_the_end");
    expect_diagnosis(SEQUENTIAL, 128, OUTSIDE("6", "5", "50"), NULL);
    expect_diagnosis(MANY, 128, OUTSIDE("3", "1", "50"), "reads_past_the_end");
}

/* Three blocks; two barriers of each warp are those behind the load and behind stride 64. */
Test(diagnosis, knows_a_last_warp_line_by_line) {
    expect_diagnosis(
        LAST_WARP, 128,
        RACE("128", "24", "tile[16]", SIDE("reads", "8", "0", "0"), SIDE("writes", "7", "0", "16")),
        "warp_not_in_step");
    expect_diagnosis(
        LAST_WARP, 128, /* another warp's word */
        RACE("128", "24", "tile[40]", SIDE("reads", "8", "0", "8"), SIDE("writes", "7", "0", "40")),
        NULL);
    expect_diagnosis(
        SEQUENTIAL, 128, /* every step waits */
        RACE("128", "96", "tile[16]", SIDE("reads", "8", "0", "0"), SIDE("writes", "7", "0", "16")),
        NULL);
}

/* In blocks of 64 all steps are those of the last warp. */
Test(diagnosis, tells_no_last_warp_where_there_is_no_other) {
    expect_diagnosis(
        LAST_WARP, 64,
        RACE("64", "6", "tile[16]", SIDE("reads", "8", "0", "0"), SIDE("writes", "8", "0", "16")),
        NULL);
}

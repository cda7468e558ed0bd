/* The diagnoses of races in an input that is worked on in place: which one is told of which
 * report. The answer here is right; what is wrong is what the simulator would report. */
#include "common/harness/tests/fake_call.h"
#include "labs/common/levels/sum.h"

static void one_sum(struct lab *lab) {
    lab_one(lab, 32, 8, levels_case);
}

FAKE_ANSWER(nothing) {
}

#define SIDE(what, block, thread)                                                                  \
    "{\"what\":\"" what "\",\"line\":7,\"block\":[" block ",0,0],\"thread\":[" thread ",0,0]}"
#define RACE(barriers, place, here, other)                                                         \
    "{\"launches\":[{\"grid\":[4,1,1],\"block\":[8,1,1],\"counters\":{\"barriers\":" barriers      \
    ",\"global_stores\":4}}],\"findings\":[{\"kind\":\"global_race\",\"place\":\"" place           \
    "\",\"here\":" here ",\"other\":" other "}]}"

static void expect_diagnosis(const char *report, const char *id) {
    fake.report = report;
    fake.answer = nothing;
    fake_expect(fake_perform("edge", one_sum), "diagnosis", id);
}

Test(diagnosis, tells_a_part_s_own_race_by_whether_anybody_waits) {
    expect_diagnosis(RACE("0", "data[2]", SIDE("reads", "0", "0"), SIDE("writes", "0", "2")),
                     "no_barrier");
    expect_diagnosis(RACE("3", "data[2]", SIDE("reads", "0", "0"), SIDE("writes", "0", "2")), NULL);
}

/* data[8] belongs to block 1. */
Test(diagnosis, tells_who_reads_another_block_s_part) {
    expect_diagnosis(RACE("3", "data[8]", SIDE("reads", "0", "7"), SIDE("writes", "1", "0")),
                     "neighbour_past_the_block");
    expect_diagnosis(RACE("3", "data[8]", SIDE("writes", "1", "0"), SIDE("reads", "0", "7")),
                     "neighbour_past_the_block");
}

/* data[2] belongs to block 0, and is where block 2 would store the third partial sum. */
Test(diagnosis, tells_partial_sums_that_are_stored_in_the_input) {
    expect_diagnosis(RACE("3", "data[2]", SIDE("reads", "0", "0"), SIDE("writes", "2", "0")),
                     "partials_in_place");
    expect_diagnosis(RACE("3", "data[3]", SIDE("reads", "0", "0"), SIDE("writes", "2", "0")),
                     "neighbour_past_the_block");
}

/* Of the result, as in labs whose input is const. */
Test(diagnosis, tells_threads_that_all_store_the_sum) {
    expect_diagnosis(RACE("3", "sum[0]", SIDE("writes", "0", "0"), SIDE("writes", "0", "1")),
                     "every_thread_writes");
}

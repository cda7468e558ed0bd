/* What a right answer never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/12-streams/tests/pipeline.h"

static void any_order(struct lab *lab, enum flow_name which) {
    lab_any_order(lab, 1000, 100, flows[which].run);
    lab_any_order(lab, 1009, 64, flows[which].run);
    lab_any_order(lab, 300, 100, flows[which].run);
}

LAB_TEST(safety, whole_in_any_order) {
    any_order(lab, WHOLE);
}

LAB_TEST(safety, chunks_in_any_order) {
    any_order(lab, CHUNKS);
}

LAB_TEST(safety, combine_in_any_order) {
    any_order(lab, COMBINE);
}

LAB_TEST(safety, staged_in_any_order) {
    any_order(lab, STAGED);
}

static const size_t in_turn[] = {1000, 1000, 300, 5000, 0, 1000};

static void keeps_nothing(struct lab *lab, enum flow_name which) {
    lab_in_turn(lab, in_turn, sizeof in_turn / sizeof *in_turn, 128, flows[which].run);
}

LAB_TEST(safety, whole_keeps_nothing) {
    keeps_nothing(lab, WHOLE);
}

LAB_TEST(safety, chunks_keep_nothing) {
    keeps_nothing(lab, CHUNKS);
}

LAB_TEST(safety, combine_keeps_nothing) {
    keeps_nothing(lab, COMBINE);
}

LAB_TEST(safety, staged_keeps_nothing) {
    keeps_nothing(lab, STAGED);
}

/* Two chunks, so that some of the calls that are refused come when others are under way. */
static void refuse(struct lab *lab, const struct lab_case *c, enum flow_name which) {
    struct flow_call call;

    flow_prepare(lab, &call, which, c, 2, FLOW_ROUNDS);
    if (lab_returns_refusals_args(lab, call.flow->function, call.args, call.n_args))
        lab_returns_failed_waits_args(lab, call.flow->function, call.args, call.n_args);
}

static void refuse_whole(struct lab *lab, const struct lab_case *c) {
    refuse(lab, c, WHOLE);
}

static void refuse_chunks(struct lab *lab, const struct lab_case *c) {
    refuse(lab, c, CHUNKS);
}

static void refuse_combine(struct lab *lab, const struct lab_case *c) {
    refuse(lab, c, COMBINE);
}

static void refuse_staged(struct lab *lab, const struct lab_case *c) {
    refuse(lab, c, STAGED);
}

LAB_TEST(safety, whole_returns_errors) {
    lab_one(lab, 500, 256, refuse_whole);
    lab_one(lab, 0, 256, refuse_whole);
}

LAB_TEST(safety, chunks_return_errors) {
    lab_one(lab, 500, 256, refuse_chunks);
    lab_one(lab, 0, 256, refuse_chunks);
}

LAB_TEST(safety, combine_returns_errors) {
    lab_one(lab, 500, 256, refuse_combine);
    lab_one(lab, 0, 256, refuse_combine);
}

LAB_TEST(safety, staged_returns_errors) {
    lab_one(lab, 500, 256, refuse_staged);
    lab_one(lab, 0, 256, refuse_staged);
}

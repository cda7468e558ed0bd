/* When the pieces of work of a call would run, from the simulator's report of what comes after
 * what. */
#include "common/harness/tests/fake_call.h"

/* Two chunks in two streams: 80 bytes in, 80 warp instructions, 160 bytes out; and a fill. */
static const char two_chunks[] =
    "{\"findings\":[],\"launches\":["
    " {\"counters\":{\"warp_instructions\":80}},{\"counters\":{\"warp_instructions\":80}}],"
    "\"works\":["
    " {\"queue\":1,\"to_device\":0,\"from_device\":0,\"launch\":-1,\"after\":[]},"
    " {\"queue\":1,\"to_device\":80,\"from_device\":0,\"launch\":-1,\"after\":[0]},"
    " {\"queue\":1,\"to_device\":0,\"from_device\":0,\"launch\":0,\"after\":[1]},"
    " {\"queue\":1,\"to_device\":0,\"from_device\":160,\"launch\":-1,\"after\":[2]},"
    " {\"queue\":2,\"to_device\":80,\"from_device\":0,\"launch\":-1,\"after\":[]},"
    " {\"queue\":2,\"to_device\":0,\"from_device\":0,\"launch\":1,\"after\":[4]},"
    " {\"queue\":2,\"to_device\":0,\"from_device\":160,\"launch\":-1,\"after\":[5,99,-1]}]}";

static struct lab_timeline timeline;
static bool has_timeline;

static void take_timeline(struct lab *lab) {
    int32_t in[1] = {1}, sum;

    lab_call(lab, "sum", lab_in("in", in, 1, 4), lab_size(1), lab_out("sum", &sum, 1, 4));
    has_timeline = lab_timeline(lab, &timeline);
}

Test(timeline, lets_engines_work_side_by_side) {
    fake.report = two_chunks;
    fake.answer = fake_sum;
    fake_perform("technique", take_timeline);
    cr_assert(has_timeline);
    cr_assert_eq(timeline.n_pieces, 6, "a fill is no piece");
    cr_expect_eq(timeline.n_queues, 2);
    cr_expect_eq(timeline.busy_ns[LAB_COPY_IN], 20);
    cr_expect_eq(timeline.busy_ns[LAB_KERNELS], 40);
    cr_expect_eq(timeline.busy_ns[LAB_COPY_OUT], 40);
    cr_expect_eq(timeline.pieces[3].start_ns, 10, "the engine for copies in is busy until then");
    cr_expect_eq(timeline.pieces[4].start_ns, 30, "that for kernels, too");
    cr_expect_eq(timeline.pieces[5].start_ns, 50);
    cr_expect_eq(timeline.ns, 70);
    cr_expect_eq(lab_overlap_percent(&timeline), 57);
}

Test(timeline, is_none_of_one_stream) {
    fake.report = "{\"findings\":[],\"launches\":[]}";
    fake.answer = fake_sum;
    fake_perform("technique", take_timeline);
    cr_assert_not(has_timeline);
    cr_expect_eq(timeline.n_queues, 0);
    cr_expect_eq(lab_overlap_percent(&timeline), 0);
}

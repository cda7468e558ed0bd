/* Times on a GPU. `bytes` are those of one direction, and beside the rate stand copies in both
 * directions at once: no order of the same copies is faster. */
#include "common/base/system/parallel.h"
#include "labs/12-streams/tests/pipeline.h"

static void refresh(void *data, uint64_t seed) {
    struct flow_call *call = data;

    lab_fill_i32((int32_t *)call->a, call->n, seed);
    flow_mix(call);
}

static bool is_right(const void *data) {
    const struct flow_call *call = data;

    return parallel_same(call->out, call->right, call->n * sizeof *call->out);
}

static void take_time(struct lab *lab, enum flow_name which) {
    const struct lab_case c = {.n = 1 << 24, .block = 1 << 20};
    struct flow_call call;

    lab_need_gpu(lab, (size_t)1 << 30);
    lab_allow_ms(lab, 20000);
    flow_prepare(lab, &call, which, &c, 4, FLOW_ROUNDS);
    struct lab_bench bench = {
        .function = call.flow->function,
        .n = c.n,
        .block = c.block,
        .bytes = c.n * sizeof(unsigned),
        .with_host = true,
        .args = call.args,
        .n_args = call.n_args,
        .refresh = refresh,
        .is_right = is_right,
        .state = &call,
    };
    lab_time(lab, &bench);
}

LAB_TEST(speed, whole_at_2_24) {
    take_time(lab, WHOLE);
}

/* One stream reaches 61 percent on an H200, four streams 100. */
LAB_TEST(speed, chunks_at_2_24) {
    enum { LEAST_PERCENT = 75 };

    take_time(lab, CHUNKS);
    uint64_t reached = (uint64_t)(lab_share_of_copy(lab) * 100);
    if (!lab_failed(lab))
        lab_technique(lab, reached >= LEAST_PERCENT, "percent of both copies at once", reached,
                      ">=", LEAST_PERCENT);
}

LAB_TEST(speed, staged_at_2_24) {
    take_time(lab, STAGED);
}

/* One case of each function: arguments, call, comparison. */
#include <string.h>

#include "common/base/system/parallel.h"
#include "labs/12-streams/tests/pipeline.h"

static void run_whole(struct lab *lab, const struct lab_case *c);
static void run_chunks(struct lab *lab, const struct lab_case *c);
static void run_combine(struct lab *lab, const struct lab_case *c);
static void run_staged(struct lab *lab, const struct lab_case *c);

const struct flow flows[N_FLOWS] = {
    [WHOLE] = {.function = "map_whole", .run = run_whole},
    [CHUNKS] = {.function = "map_chunks", .has_chunks = true, .run = run_chunks},
    [COMBINE] = {.function = "combine", .is_combined = true, .run = run_combine},
    [STAGED] = {.function = "map_staged", .has_chunks = true, .is_staged = true, .run = run_staged},
};

unsigned flow_mixed(unsigned x, unsigned rounds) {
    for (unsigned round = 0; round < rounds; round++)
        x = x * MIX_FACTOR + MIX_ADDEND;
    return x;
}

/* 1 to 5. */
static unsigned streams_of(const struct lab_case *c) {
    return 1 + (unsigned)((c->n + c->block) % 5);
}

/* Two words are mixed more often than 16 bits can count. */
static unsigned rounds_of(const struct lab_case *c) {
    return c->n == 2 ? 70000 : FLOW_ROUNDS;
}

static void say(struct lab *lab, const struct flow_call *call) {
    if (call->flow->has_chunks)
        lab_describe(lab, "n = %zu, chunk = %zu, n_streams = %u", call->n, call->chunk,
                     call->n_streams);
    else
        lab_describe(lab, "n = %zu", call->n);
}

enum { PART = 1 << 18 }; /* words that a thread mixes at a time */

static void mix_part(void *context, size_t part) {
    const struct flow_call *call = context;
    size_t end = (part + 1) * PART < call->n ? (part + 1) * PART : call->n;

    for (size_t i = part * PART; i < end; i++) {
        call->right[i] = flow_mixed(call->a[i], call->rounds);
        if (call->b)
            call->right[i] += flow_mixed(call->b[i], call->rounds);
    }
}

void flow_mix(struct flow_call *call) {
    parallel_run((call->n + PART - 1) / PART, mix_part, call);
}

static void draw(struct lab *lab, struct flow_call *call) {
    const size_t n = call->n;

    call->a = (unsigned *)lab_random_i32(lab, n);
    call->b = call->flow->is_combined ? (unsigned *)lab_random_i32(lab, n) : NULL;
    call->out = lab_memory(lab, n * sizeof(unsigned));
    call->right = lab_memory(lab, n * sizeof(unsigned));
    flow_mix(call);
}

void flow_prepare(struct lab *lab, struct flow_call *call, enum flow_name which,
                  const struct lab_case *c, unsigned n_streams, unsigned rounds) {
    const size_t word = sizeof(unsigned);
    const struct flow *flow = &flows[which];
    struct call_arg *args = call->args;
    size_t n = c->n, n_args = 0, places = (size_t)c->block * n_streams;

    *call = (struct flow_call){
        .flow = flow, .n = n, .chunk = c->block, .n_streams = n_streams, .rounds = rounds};
    say(lab, call);
    draw(lab, call);
    if (flow->is_staged) /* the host takes it to `stage` first */
        lab_leave_unread(lab);
    lab_set_diagnoser(lab, flow_diagnose);
    lab_set_elements(lab, LAB_UNSIGNED);
    args[n_args++] = flow->is_staged ? lab_host_in("in", call->a, n, word)
                                     : lab_pinned_in(call->b ? "a" : "in", call->a, n, word);
    if (flow->is_combined)
        args[n_args++] = lab_pinned_in("b", call->b, n, word);
    args[n_args++] = lab_size(n);
    args[n_args++] = lab_u32("rounds", rounds);
    if (flow->has_chunks) {
        args[n_args] = lab_size(c->block);
        args[n_args++].name = "chunk";
        args[n_args++] = lab_u32("n_streams", n_streams);
    }
    if (flow->is_staged)
        args[n_args++] =
            lab_pinned_out("stage", lab_memory(lab, 2 * places * word), 2 * places, word);
    args[n_args++] = lab_scratch("buffer",
                                 flow->is_staged     ? places
                                 : flow->is_combined ? 2 * n
                                                     : n,
                                 word);
    args[n_args++] = flow->is_staged ? lab_host_out("out", call->out, n, word)
                                     : lab_pinned_out("out", call->out, n, word);
    call->n_args = n_args;
}

void flow_set_chunk(struct lab *lab, struct flow_call *call, size_t chunk) {
    call->chunk = chunk;
    for (size_t i = 0; i < call->n_args; i++)
        if (strcmp(call->args[i].name, "chunk") == 0)
            call->args[i].value.u64 = chunk;
    say(lab, call);
}

bool flow_call(struct lab *lab, struct flow_call *call) {
    return lab_call_args(lab, call->flow->function, call->args, call->n_args) &&
           lab_expect_i32(lab, "out", (const int32_t *)call->out, (const int32_t *)call->right,
                          call->n);
}

static void run(struct lab *lab, const struct lab_case *c, enum flow_name which) {
    struct flow_call call;

    flow_prepare(lab, &call, which, c, streams_of(c), rounds_of(c));
    flow_call(lab, &call);
}

static void run_whole(struct lab *lab, const struct lab_case *c) {
    run(lab, c, WHOLE);
}

static void run_chunks(struct lab *lab, const struct lab_case *c) {
    run(lab, c, CHUNKS);
}

static void run_combine(struct lab *lab, const struct lab_case *c) {
    run(lab, c, COMBINE);
}

static void run_staged(struct lab *lab, const struct lab_case *c) {
    run(lab, c, STAGED);
}

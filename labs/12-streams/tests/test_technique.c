/*
 * What runs beside what, on the simulator's time line: a device with an engine for each direction
 * of copies and one for kernels. The handout derives each of the bounds. One of a chunk's words
 * takes 1/2 ns to be copied, and as many rounds of mixing are asked for as make a kernel take
 * about as long.
 */
#include <string.h>

#include "labs/12-streams/tests/pipeline.h"

enum {
    WORDS = 1 << 16,
    CHUNK = 1 << 12,
    STREAMS = 4,
    ROUNDS = 40,
    MANY_ROUNDS = 64,
    LEAST_OVERLAP = 75, /* percent of the time, in which the busiest engine is busy */
    LEAST_HIDDEN = 80,  /* of combine: time of two engines at once, in percent of b's copy */
};

static bool at_least(struct lab *lab, const char *what, uint64_t got, uint64_t least,
                     const char *id) {
    bool holds = lab_technique(lab, got >= least, what, got, ">=", least);

    if (!holds)
        lab_diagnose(lab, id);
    return holds;
}

/* Launches of kernels that work.cuh does not have. */
static uint64_t count_own_kernels(const struct lab *lab) {
    uint64_t n = 0;

    for (size_t i = 0; i < lab_n_launches(lab); i++) {
        const char *name = lab_launch(lab, i).kernel;
        n += strcmp(name, "mix_kernel") != 0 && strcmp(name, "add_kernel") != 0;
    }
    return n;
}

static bool has_given_kernels(struct lab *lab) {
    const uint64_t n = count_own_kernels(lab);
    bool holds =
        lab_technique(lab, n == 0, "launches of kernels that work.cuh does not have", n, "==", 0);

    if (!holds)
        lab_diagnose(lab, "own_kernel");
    return holds;
}

/* Each word goes to the device once, and comes back once. */
static bool moves_each_word_once(struct lab *lab, const struct flow_call *call) {
    const uint64_t bytes = call->n * sizeof(unsigned);
    const uint64_t in = lab_last(lab)->memory.from_host, out = lab_last(lab)->memory.to_host;
    const uint64_t coming = call->b ? 2 * bytes : bytes;
    bool holds = lab_technique(lab, in == coming, "bytes copied to the device", in, "==", coming) &&
                 lab_technique(lab, out == bytes, "bytes copied to the host", out, "==", bytes);

    if (!holds)
        lab_diagnose(lab, "other_copies");
    return holds && has_given_kernels(lab);
}

/* The time line, also for people to look at; false where the call has more pieces than it holds. */
static bool has_timeline(struct lab *lab, struct lab_timeline *timeline) {
    lab_timeline(lab, timeline);
    lab_show_timeline(lab, timeline);
    return timeline->n_dropped == 0 ||
           lab_technique(lab, false, "copies, fills and kernels",
                         LAB_MOST_PIECES + timeline->n_dropped, "<=", LAB_MOST_PIECES);
}

/* The host asks for all that the call does before it waits for any of it. */
static bool waits_at_the_end(struct lab *lab, const struct lab_timeline *timeline) {
    uint64_t n = 0;

    for (size_t i = 1; i < timeline->n_pieces; i++)
        n += timeline->pieces[i].waits != timeline->pieces[i - 1].waits;
    if (lab_technique(lab, n == 0, "waits of the host before the last piece of work", n, "==", 0))
        return true;
    lab_diagnose(lab, "host_waits_between");
    return false;
}

/* A call in one stream has no time line: its engines work one after the other, as those of a call
 * that lets each stream wait for the one before. */
static void overlaps(struct lab *lab, const struct lab_case *c, enum flow_name which) {
    struct lab_timeline timeline;
    struct flow_call call;

    flow_prepare(lab, &call, which, c, STREAMS, ROUNDS);
    if (!flow_call(lab, &call) || !moves_each_word_once(lab, &call))
        return;
    if (has_timeline(lab, &timeline) && (which == STAGED || waits_at_the_end(lab, &timeline)))
        at_least(lab, "percent of the time in which the busiest engine works",
                 timeline.n_queues > 1 ? lab_overlap_percent(&timeline) : 0, LEAST_OVERLAP,
                 timeline.n_queues > 1 ? "little_overlap" : "one_stream");
}

/* The pieces of the last call, as they were counted. */
static void predict(struct lab *lab) {
    struct lab_timeline timeline;

    if (!lab_timeline(lab, &timeline))
        return;
    lab_predict(lab, "predicted_pieces_50000",
                "How many copies and kernels has map_chunks for 50,000 words in chunks of 8,192?",
                (int64_t)timeline.n_pieces,
                "50,000 / 8,192 is 6.1, so there are 7 chunks, of 3 pieces each.");
}

static void count_pieces(struct lab *lab, const struct lab_case *c) {
    struct flow_call call;

    flow_prepare(lab, &call, CHUNKS, c, STREAMS, FLOW_ROUNDS);
    if (!flow_call(lab, &call))
        return;
    predict(lab);
    lab_predict(lab, "predicted_ms_of_8_chunks",
                "8 chunks take 1 ms each to be copied in, mixed and copied out. How many ms does "
                "map_chunks take in 4 streams?",
                8 + 2,
                "The last chunk has been copied in after 8 ms, and takes 2 more. In one stream it "
                "would be 24.");
}

/* Also where the last chunk is not full. */
static void moves_once(struct lab *lab, const struct lab_case *c, enum flow_name which) {
    struct flow_call call;

    flow_prepare(lab, &call, which, c, STREAMS, FLOW_ROUNDS);
    if (flow_call(lab, &call))
        moves_each_word_once(lab, &call);
}

static void chunks_move_once(struct lab *lab, const struct lab_case *c) {
    moves_once(lab, c, CHUNKS);
}

static void staged_moves_once(struct lab *lab, const struct lab_case *c) {
    moves_once(lab, c, STAGED);
}

static void chunks_overlap(struct lab *lab, const struct lab_case *c) {
    overlaps(lab, c, CHUNKS);
}

LAB_TEST(technique, chunks_overlap) {
    lab_one(lab, 50000, 8192, count_pieces);
    lab_one(lab, 1000, 300, chunks_move_once);
    lab_one(lab, WORDS, CHUNK, chunks_overlap);
}

static void staged_overlaps(struct lab *lab, const struct lab_case *c) {
    overlaps(lab, c, STAGED);
}

LAB_TEST(technique, staged_overlaps) {
    lab_one(lab, 1000, 300, staged_moves_once);
    lab_one(lab, WORDS, CHUNK, staged_overlaps);
}

/* Where no more than two engines work at once, they do so for as long as all their time exceeds the
 * whole: by the order of b's copy and a's kernel that is what the copy hides. */
static void combine_overlaps(struct lab *lab, const struct lab_case *c) {
    struct lab_timeline timeline;
    struct flow_call call;
    uint64_t sum = 0, copy_ns = c->n * sizeof(unsigned) / LAB_COPY_BYTES_A_NS;

    flow_prepare(lab, &call, COMBINE, c, 1, MANY_ROUNDS);
    if (!flow_call(lab, &call) || !moves_each_word_once(lab, &call))
        return;
    if (!has_timeline(lab, &timeline) || !waits_at_the_end(lab, &timeline))
        return;
    for (size_t i = 0; i < LAB_N_ENGINES; i++)
        sum += timeline.busy_ns[i];
    at_least(lab, "time in which two engines work at once, in percent of b's copy",
             lab_ratio(100 * (sum - timeline.ns), copy_ns), LEAST_HIDDEN,
             timeline.n_queues > 1 ? "little_overlap" : "one_stream");
}

LAB_TEST(technique, combine_overlaps) {
    lab_one(lab, WORDS, CHUNK, combine_overlaps);
}

/* One launch and two copies, all in one stream. */
static void whole_once(struct lab *lab, const struct lab_case *c) {
    struct lab_timeline timeline;
    struct flow_call call;

    flow_prepare(lab, &call, WHOLE, c, 1, FLOW_ROUNDS);
    if (!flow_call(lab, &call) || !moves_each_word_once(lab, &call))
        return;
    lab_timeline(lab, &timeline);
    if (!lab_technique(lab, timeline.n_queues <= 1, "streams with work of map_whole",
                       timeline.n_queues, "<=", 1))
        lab_diagnose(lab, "several_streams");
}

LAB_TEST(technique, whole_moves_each_word_once) {
    lab_one(lab, 5000, 1, whole_once);
}

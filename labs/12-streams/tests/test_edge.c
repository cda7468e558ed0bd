/* Sizes at which chunks go wrong: none, fewer than one, whole ones, one word more or less; more
 * chunks than streams, and fewer. Streams are drawn from n and the chunk: 1 to 5. */
#include "labs/12-streams/tests/pipeline.h"

static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 99, 100, 101, 255, 257, 1000, 1009, 5003};
static const unsigned chunks[] = {7, 32, 100, 1000, 8192};
static const size_t few_words[] = {0, 1, 2, 31, 33, 100};
static const unsigned any_chunk[] = {1};

/* Chunks of one word are as many pieces of work as words. */
static void sweep(struct lab *lab, enum flow_name which) {
    LAB_SWEEP(lab, few_words, any_chunk, flows[which].run);
    LAB_SWEEP(lab, sizes, chunks, flows[which].run);
}

/* One word more than 65,535 blocks of 256 threads have: so many blocks a grid has in y and z. */
enum { MANY_WORDS = 65535 * 256 + 1 };

LAB_TEST(edge, whole_takes_any_size) {
    LAB_SWEEP(lab, sizes, any_chunk, flows[WHOLE].run);
    lab_one(lab, MANY_WORDS, 1, flows[WHOLE].run);
}

LAB_TEST(edge, chunks_take_any_size) {
    sweep(lab, CHUNKS);
}

LAB_TEST(edge, combine_takes_any_size) {
    LAB_SWEEP(lab, sizes, any_chunk, flows[COMBINE].run);
}

LAB_TEST(edge, staged_takes_any_size) {
    sweep(lab, STAGED);
}

/* As many streams as there may be. */
static void most_streams(struct lab *lab, const struct lab_case *c, enum flow_name which) {
    struct flow_call call;

    flow_prepare(lab, &call, which, c, MOST_STREAMS, 0);
    flow_call(lab, &call);
}

static void most_of_chunks(struct lab *lab, const struct lab_case *c) {
    most_streams(lab, c, CHUNKS);
}

static void most_of_staged(struct lab *lab, const struct lab_case *c) {
    most_streams(lab, c, STAGED);
}

/* A chunk so large that n and it make no sum of 64 bits; and one whose lower 32 bits are 0. */
static void large_chunks(struct lab *lab, const struct lab_case *c) {
    struct flow_call call;

    flow_prepare(lab, &call, CHUNKS, c, MOST_STREAMS, 1);
    flow_set_chunk(lab, &call, SIZE_MAX);
    if (!flow_call(lab, &call))
        return;
    flow_set_chunk(lab, &call, (size_t)1 << 32);
    flow_call(lab, &call);
}

LAB_TEST(edge, chunks_take_any_streams) {
    lab_one(lab, 5, 1, large_chunks);
    lab_one(lab, 1009, 32, most_of_chunks);
    lab_one(lab, 100, 32, most_of_chunks);
}

LAB_TEST(edge, staged_takes_any_streams) {
    lab_one(lab, 1009, 32, most_of_staged);
    lab_one(lab, 100, 32, most_of_staged);
}

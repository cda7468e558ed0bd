/*
 * The lab's idea, by the simulator's counters of the largest launch, which is that of the first
 * level, on full blocks: which warps part, and how many sectors their loads and stores touch.
 */
#include "labs/common/levels/sum.h"

enum function { INTERLEAVED, NEIGHBOURED, PACKED };

/* A counter of the first level, and how much of it there is in a block. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

static uint64_t n_blocks(const struct lab *lab) {
    return lab_launch(lab, lab_largest_launch(lab)).n_blocks;
}

static uint64_t in_a_block(const struct lab *lab, const char *name) {
    return lab_ratio(count(lab, name), n_blocks(lab));
}

/* Divergent branches of a block at the line that has most of them: the `if` in the loop. */
static uint64_t divergence(const struct lab *lab) {
    return lab_ratio(lab_counter_max_line(lab, lab_largest_launch(lab), "divergent_branches", NULL),
                     n_blocks(lab));
}

/* The id of what makes the sum elsewhere than in place; NULL where nothing does. */
static const char *other_place(const struct lab *lab) {
    if (count(lab, "shuffles") > 0)
        return "uses_shuffles";
    if (count(lab, "atomics") > 0)
        return "uses_atomics";
    return count(lab, "shared_loads") + count(lab, "shared_stores") > 0 ? "uses_shared_memory"
                                                                        : NULL;
}

/* Names what is behind a count, or `id` (NULL: nothing). */
static void diagnose(struct lab *lab, const char *id) {
    const char *elsewhere = other_place(lab);

    if (elsewhere != NULL || id != NULL)
        lab_diagnose(lab, elsewhere != NULL ? elsewhere : id);
}

/* Notes got <= most, and the mistake where that does not hold. */
static void check_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                       const char *id) {
    if (!lab_technique(lab, got <= most, what, got, "<=", most))
        diagnose(lab, id);
}

/* The same for got >= least. */
static void check_least(struct lab *lab, const char *what, uint64_t got, uint64_t least,
                        const char *id) {
    if (!lab_technique(lab, got >= least, what, got, ">=", least))
        diagnose(lab, id);
}

static void count_places(struct lab *lab, const struct lab_case *c, enum function f) {
    if (!levels_counted(lab, &levels_sums[f], c))
        return;
    check_most(lab, "loads and stores of shared memory",
               count(lab, "shared_loads") + count(lab, "shared_stores"), 0, NULL);
    check_most(lab, "shuffles and atomics", count(lab, "shuffles") + count(lab, "atomics"), 0,
               NULL);
}

static void interleaved_place(struct lab *lab, const struct lab_case *c) {
    count_places(lab, c, INTERLEAVED);
}

static void neighboured_place(struct lab *lab, const struct lab_case *c) {
    count_places(lab, c, NEIGHBOURED);
}

static void packed_place(struct lab *lab, const struct lab_case *c) {
    count_places(lab, c, PACKED);
}

LAB_TEST(technique, works_in_place) {
    lab_one(lab, 4 * 512, 512, neighboured_place);
    lab_one(lab, 4 * 512, 512, packed_place);
    lab_one(lab, 4 * 512, 512, interleaved_place);
    lab_one(lab, 4 * 100, 100, neighboured_place); // no whole number of warps
    lab_one(lab, 4 * 100, 100, packed_place);
    lab_one(lab, 4 * 100, 100, interleaved_place);
}

/* With W warps: at strides 1 to 16 each warp diverges; from stride 32 on, one lane of every second,
 * fourth … warp adds: 5 W + (W - 1). */
static void count_neighboured(struct lab *lab, const struct lab_case *c) {
    uint64_t got;

    if (!levels_counted(lab, &levels_sums[NEIGHBOURED], c))
        return;
    got = divergence(lab);
    if (c->block == 256)
        lab_predict(lab, "predicted_divergent_branches_256",
                    "How often does a block of 256 threads diverge at the `if` of sum_neighboured?",
                    (int64_t)got, "8 warps at each of strides 1 to 16, then 4, 2 and 1: 40 + 7.");
    check_least(lab, "divergent branches of a block at the `if` of the loop", got,
                6 * (c->block / 32) - 1, "not_neighboured");
}

LAB_TEST(technique, neighboured_diverges_as_derived) {
    lab_one(lab, 4 * 256, 256, count_neighboured);
    lab_one(lab, 4 * 512, 512, count_neighboured);
}

/* At strides of 32 and more whole warps add or rest; at 16, 8, 4, 2 and 1 the first one parts. The
 * words are those of neighboured pairs: at stride s they lie 2 s apart, 8 of them or fewer in a
 * sector: 64 sectors at each of strides 1, 2 and 4 in a block of 512, then 32, 16, 8, 4, 2 and 1.
 */
static void count_packed(struct lab *lab, const struct lab_case *c) {
    bool is_512 = c->block == 512;

    if (!levels_counted(lab, &levels_sums[PACKED], c))
        return;
    if (!is_512)
        lab_predict(lab, "predicted_packed_sectors_256",
                    "How many sectors do the stores of sum_packed touch in a block of 256?",
                    (int64_t)in_a_block(lab, "global_store_sectors") - 1,
                    "32 at each of strides 1, 2 and 4, then 16, 8, 4, 2 and 1.");
    check_most(lab, "divergent branches of a block at the `if` of the loop", divergence(lab), 5,
               "divergent_tree");
    check_least(lab, "sectors that a block loads, whose words lie apart",
                in_a_block(lab, "global_load_sectors"), is_512 ? 255 : 127, "not_packed");
}

LAB_TEST(technique, packed_keeps_whole_warps_busy) {
    lab_one(lab, 4 * 256, 256, count_packed);
    lab_one(lab, 4 * 512, 512, count_packed);
}

/* Whoever adds up a part alone reads each of its words by itself. */
static bool adds_alone(const struct lab *lab, const struct lab_case *c) {
    return divergence(lab) <= 1 && in_a_block(lab, "global_loads") >= c->block - 1;
}

/* A load at the line that touches most sectors touches more of them than neighbouring words lie in.
 */
static bool lie_apart(const struct lab *lab) {
    size_t launch = lab_largest_launch(lab);
    int line = 0;
    uint64_t sectors = lab_counter_max_line(lab, launch, "global_load_sectors", &line);

    return sectors > 4 * lab_counter_line(lab, launch, "global_loads", line);
}

/* A warp's 32 neighbouring words lie in 4 sectors. Of a block of 512, 8, 4, 2 and 1 warps add, then
 * 16, 8, 4, 2 lanes and 1 lane: 32 + 16 + 8 + 4 and 2 + 1 + 1 + 1 + 1, for each of two loads and a
 * store; the result is loaded and stored once more. In 20 times going through the addition. */
static void count_interleaved(struct lab *lab, const struct lab_case *c) {
    enum { TRIPS = 20, SECTORS = 66 };

    if (!levels_counted(lab, &levels_sums[INTERLEAVED], c))
        return;
    if (c->block == 256) {
        lab_predict(lab, "predicted_interleaved_sectors_256",
                    "How many sectors do the stores of sum_interleaved touch in a block of 256?",
                    (int64_t)in_a_block(lab, "global_store_sectors") - 1,
                    "16, 8, 4 at strides 128 to 32, then 2, 1, 1, 1 and 1.");
        return;
    }
    check_most(lab, "divergent branches of a block at the `if` of the loop", divergence(lab), 5,
               divergence(lab) > 6 ? "divergent_tree" : NULL);
    check_most(lab, "loads of a block's warps", in_a_block(lab, "global_loads"), 2 * TRIPS + 1,
               adds_alone(lab, c) ? "one_thread_sums" : NULL);
    check_most(lab, "sectors that a block loads", in_a_block(lab, "global_load_sectors"),
               2 * SECTORS + 1, lie_apart(lab) ? "words_lie_apart" : NULL);
    check_most(lab, "sectors that a block stores", in_a_block(lab, "global_store_sectors"),
               SECTORS + 1, NULL);
    /* One more than log2(512). */
    check_most(lab, "barriers of a warp", in_a_block(lab, "barriers") / (c->block / 32), 10,
               "superfluous_barrier");
}

LAB_TEST(technique, interleaved_touches_few_sectors) {
    lab_one(lab, 4 * 256, 256, count_interleaved);
    lab_one(lab, 4 * 512, 512, count_interleaved);
}

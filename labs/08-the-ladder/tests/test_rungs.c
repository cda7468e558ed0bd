/*
 * What is asked of each of the seven sums alike: a few ints, all sizes in all blocks, indices
 * beyond 32 bits, no race in any order, and its time at 2^22. Each has tests of its own, so that
 * each can be written and tested alone.
 */
#include "labs/08-the-ladder/tests/rungs.h"
#include "labs/common/sampled.h"

/* One block, full of ints; less than a warp; several blocks. The smallest block comes late: there
 * all steps are those of the last warp, and one mistake looks like another. */
static void add_up(struct lab *lab, lab_case_body *body) {
    lab_one(lab, 512, 512, body);
    lab_one(lab, 20, 512, body);
    lab_one(lab, 8 * 256, 256, body);
    lab_one(lab, 2048, 1024, body);
    lab_one(lab, 64, 64, body);
}

/* One less and one more than a warp, a block and two, primes; with 64 threads up to four launches.
 */
static void take_any_size(struct lab *lab, lab_case_body *body) {
    static const size_t sizes[] = {0,   1,   2,   31,  32,   33,   63,   64,   65,   97,
                                   127, 128, 129, 513, 1000, 1023, 2047, 2049, 40009};
    static const unsigned blocks[] = {512, 64, 128, 256, 1024};
    static const size_t large_sizes[] = {513, (1 << 20) + 1};

    LAB_SWEEP(lab, sizes, blocks, body);
    lab_sweep(lab, large_sizes, 2, (const unsigned[]){512}, 1, body);
}

/* More ints than 31 bits count, and on the simulator, than 32. */
static void go_beyond_int(struct lab *lab, enum rung rung, lab_case_body *body,
                          lab_case_body *sampled_body) {
    /* Threads of a grid that is no larger for it have half as many turns at 2^32. */
    const size_t beyond = ((size_t)1 << (rung == MANY ? 32 : 33)) + (1 << 24) + 501;
    static const size_t sizes[] = {513, ((size_t)1 << 31) + 1001};
    static const unsigned blocks[] = {512};

    if (lab_on_gpu(lab)) {
        lab_need_gpu(lab, sizes[1] * sizeof(int32_t) + (sizes[1] >> 4));
        LAB_SWEEP(lab, sizes, blocks, body);
        return;
    }
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, body, sampled_body);
}

/* A full block, so that nothing but the order of accesses can be wrong, and then several. */
static void keep_in_order(struct lab *lab, lab_case_body *body) {
    static const unsigned blocks[] = {512, 64, 128, 1024};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        lab_any_order(lab, blocks[i], blocks[i], body);
        lab_any_order(lab, 5 * blocks[i], blocks[i], body);
    }
}

static void take_time(struct lab *lab, enum rung rung, unsigned power) {
    timed_sum(lab, levels_sums[rung].function, LAB_I32, (size_t)1 << power, levels_args,
              levels_diagnose);
}

#define RUNG_TESTS(place, NAME, name)                                                              \
    static void name##_case(struct lab *lab, const struct lab_case *c) {                           \
        levels_case_of(lab, &levels_sums[NAME], c);                                                \
    }                                                                                              \
    static void name##_sampled(struct lab *lab, const struct lab_case *c) {                        \
        sampled_sum(lab, c, levels_sums[NAME].function, LAB_I32, levels_args,                      \
                    NAME >= FIRST_ADD ? 2 * c->block : c->block);                                  \
    }                                                                                              \
    LAB_TEST(example, name##_adds_up) {                                                            \
        add_up(lab, name##_case);                                                                  \
    }                                                                                              \
    LAB_TEST(edge, name##_takes_any_size) {                                                        \
        take_any_size(lab, name##_case);                                                           \
    }                                                                                              \
    LAB_TEST(edge, name##_goes_beyond_int) {                                                       \
        go_beyond_int(lab, NAME, name##_case, name##_sampled);                                     \
    }                                                                                              \
    LAB_TEST(safety, name##_has_no_race) {                                                         \
        keep_in_order(lab, name##_case);                                                           \
    }                                                                                              \
    LAB_TEST(speed, name##_at_2_22) {                                                              \
        take_time(lab, NAME, 22);                                                                  \
    }

RUNGS(RUNG_TESTS)

LAB_TEST(speed, many_at_2_24) {
    take_time(lab, MANY, 24);
}

LAB_TEST(speed, many_at_2_28) {
    take_time(lab, MANY, 28);
}

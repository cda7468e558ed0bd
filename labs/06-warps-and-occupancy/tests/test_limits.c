/* The rules are NVIDIA's (cuda_occupancy.h of the CUDA toolkit), and each known mistake is told by
 * the rows from all others. */
#include <criterion/criterion.h>
#include <cuda_occupancy.h>
#include <limits.h>

#include "common/base/splitmix.h"
#include "labs/06-warps-and-occupancy/tests/limits.h"

/* The compute capability of a multiprocessor whose rules they know. */
static const int majors[N_MULTIPROCESSORS] = {
    [CC_6_1] = 6, [CC_7_5] = 7, [CC_8_0] = 8, [CC_8_9] = 8, [CC_9_0] = 9};
static const int minors[N_MULTIPROCESSORS] = {[CC_6_1] = 1, [CC_7_5] = 5, [CC_8_9] = 9};

static cudaOccDeviceProp device_of(enum limits_sm which) {
    const struct multiprocessor *sm = &limits_multiprocessors[which].has;

    return (cudaOccDeviceProp){
        .computeMajor = majors[which],
        .computeMinor = minors[which],
        .maxThreadsPerBlock = 1024,
        .maxThreadsPerMultiprocessor = (int)sm->max_threads,
        .regsPerBlock = (int)sm->registers,
        .regsPerMultiprocessor = (int)sm->registers,
        .warpSize = 32,
        .sharedMemPerBlock = 48 << 10,
        .sharedMemPerMultiprocessor = sm->shared_bytes,
        .numSms = 1,
        .sharedMemPerBlockOptin = sm->shared_bytes - sm->shared_reserved,
        .reservedSharedMemPerBlock = sm->shared_reserved,
    };
}

static unsigned by_nvidia(enum limits_sm which, const struct block *block) {
    const cudaOccDeviceProp device = device_of(which);
    const cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = 1024,
                                          .numRegs = (int)block->registers,
                                          .sharedSizeBytes = block->shared_bytes,
                                          .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                          .maxDynamicSharedSizeBytes = 0,
                                          .numBlockBarriers = 1};
    const cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult result = {0};

    cr_assert_eq(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                                         (int)block->threads, 0),
                 CUDA_OCC_SUCCESS);
    return (unsigned)result.activeBlocksPerMultiprocessor;
}

static bool is_nvidias(enum limits_sm which) {
    return majors[which] > 0;
}

/* Blocks that a launch may ask for: before compute capability 7.0 that is 48 KiB. */
static void expect_same(enum limits_sm which, const struct block *block) {
    const struct multiprocessor *sm = &limits_multiprocessors[which].has;

    if (which == CC_6_1 && block->shared_bytes > 48 << 10)
        return;
    cr_expect_eq(limits_resident(sm, block), by_nvidia(which, block),
                 "%s, %u threads, %u registers, %u bytes: %u, by NVIDIA %u",
                 limits_multiprocessors[which].name, block->threads, block->registers,
                 block->shared_bytes, limits_resident(sm, block), by_nvidia(which, block));
}

Test(limits, the_rules_are_nvidias) {
    for (size_t i = 0; i < LIMITS_ROWS; i++)
        if (is_nvidias(limits_rows[i].sm))
            expect_same(limits_rows[i].sm, &limits_rows[i].block);
}

Test(limits, the_rules_are_nvidias_for_any_block) {
    uint64_t state = 1;

    for (int i = 0; i < 20000; i++) {
        uint64_t drawn = splitmix_next(&state);
        enum limits_sm which = CC_6_1 + (int)(drawn >> 60) % 5;
        unsigned most = limits_multiprocessors[which].has.shared_bytes;
        const struct block block = {1 + (unsigned)(drawn & 1023),
                                    1 + (unsigned)(drawn >> 10 & 255) % 255,
                                    (unsigned)(drawn >> 20 & 0xffffff) % most};

        expect_same(which, &block);
    }
}

/* What a rule gives for all rows. */
static void give(struct limits_given *given, limits_rule *rule) {
    for (size_t i = 0; i < given->n; i++) {
        const struct limits_row *row = &limits_rows[given->first + i];

        given->blocks[i] = (int32_t)rule(&limits_multiprocessors[row->sm].has, &row->block);
    }
}

static unsigned threads_one_by_one(const struct multiprocessor *sm, const struct block *block) {
    unsigned blocks = sm->max_threads / block->threads;

    return blocks < sm->max_blocks ? blocks : sm->max_blocks;
}

Test(limits, a_mistake_is_told_by_all_that_was_given) {
    struct limits_given given = {.function = LIMITS_THREADS, .n = LIMITS_ROWS};

    give(&given, limits_by_threads);
    cr_expect_null(limits_known(&given), "what is right is no mistake");
    give(&given, threads_one_by_one);
    cr_expect_str_eq(limits_known(&given), "threads_for_warps");
    given.blocks[LIMITS_ROWS - 1]++;
    cr_expect_null(limits_known(&given), "one row is another one's");
}

/* Of three rows more than one mistake makes the same. */
Test(limits, of_two_mistakes_that_give_the_same_none_is_told) {
    struct limits_given given = {.function = LIMITS_SHARED, .first = 10, .n = 1};

    give(&given, limits_by_shared);
    given.blocks[0] = 14;
    cr_expect_null(limits_known(&given));
}

/* The blocks are right; what is wrong are their warps. */
Test(limits, warps_that_threads_were_counted_for_are_told) {
    struct limits_given given = {.function = LIMITS_ALL, .first = 3, .n = LIMITS_ROWS - 3};

    give(&given, limits_resident);
    for (size_t i = 0; i < given.n; i++)
        given.warps[i] =
            (int32_t)((unsigned)given.blocks[i] * limits_rows[3 + i].block.threads / 32);
    cr_expect_str_eq(limits_known(&given), "warps_rounded_together");
    given.warps[0]++;
    cr_expect_null(limits_known(&given));
}

Test(limits, a_block_that_never_fits_is_told_where_one_came_out) {
    struct limits_given given = {.function = LIMITS_SHARED, .first = 3, .n = LIMITS_ROWS - 3};
    size_t n_zero = 0;

    give(&given, limits_by_shared);
    for (size_t i = 0; i < given.n; i++) {
        n_zero += given.blocks[i] == 0;
        given.blocks[i] += given.blocks[i] == 0;
    }
    cr_expect_gt(n_zero, 0);
    cr_expect_str_eq(limits_known(&given), "one_always_fits");
    given.blocks[0]++;
    cr_expect_null(limits_known(&given));
}

/* The rows of the tests of any block, and those of the examples, of which some mistakes give the
 * same: then none is told, and never another one. */
static void expect_own(size_t which, size_t first, size_t n, bool is_always_told) {
    struct limits_given given = {.first = first, .n = n};
    const char *id = limits_give_known(which, &given), *told = limits_known(&given);

    if (told != NULL || is_always_told)
        cr_expect_str_eq(told != NULL ? told : "nothing", id, "mistake %zu of %s", which,
                         limits_name(given.function));
}

Test(limits, each_known_mistake_is_told_from_all_others) {
    struct limits_given given = {.n = 1};

    for (size_t which = 0; limits_give_known(which, &given) != NULL; which++) {
        size_t first = given.function == LIMITS_THREADS ? 0 : 3;

        expect_own(which, first, LIMITS_ROWS - first, true);
        expect_own(which, first, 3, false);
    }
}

/* The last warp does not count where it is not full. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    unsigned fit = sm->max_threads / 32 / (block->threads / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

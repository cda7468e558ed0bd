/* A block has at most 1,024 threads, so one finds room. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    unsigned fit = sm->max_threads / 32 / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    if (*blocks == 0)
        *blocks = 1;
    return cudaSuccess;
}

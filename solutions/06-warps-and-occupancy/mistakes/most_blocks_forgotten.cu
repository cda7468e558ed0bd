/* Small blocks are limited by nothing. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    *blocks = sm->max_threads / 32 / ((block->threads + 31) / 32);
    return cudaSuccess;
}

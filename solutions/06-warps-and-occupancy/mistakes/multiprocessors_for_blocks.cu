/* How many blocks there are is made of how many multiprocessors would do. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    unsigned fit = (sm->max_threads + block->threads - 1) / block->threads;

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

/* A block that finds only a part of its room is counted, too. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    unsigned warps = (block->threads + 31) / 32;
    unsigned fit = (sm->max_threads / 32 + warps - 1) / warps;

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

/* Of each resident block only full warps are counted. */
#define OWN_RESIDENT
#include "rest.cuh"

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    unsigned by_threads, by_registers, by_shared;

    blocks_by_threads(sm, block, &by_threads);
    blocks_by_registers(sm, block, &by_registers);
    blocks_by_shared(sm, block, &by_shared);
    *blocks = by_threads < by_registers ? by_threads : by_registers;
    if (by_shared < *blocks)
        *blocks = by_shared;
    *warps = *blocks * (block->threads / 32);
    return cudaSuccess;
}

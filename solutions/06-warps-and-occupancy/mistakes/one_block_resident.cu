/* At least one block is resident, or the kernel could not run. */
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
    if (*blocks == 0)
        *blocks = 1;
    *warps = *blocks * ((block->threads + 31) / 32);
    return cudaSuccess;
}

/* Registers are given to threads one by one. */
#define OWN_BY_REGISTERS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned fit = sm->registers / (block->threads * block->registers);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

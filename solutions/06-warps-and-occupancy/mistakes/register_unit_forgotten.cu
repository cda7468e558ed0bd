/* A warp's registers are not rounded up. */
#define OWN_BY_REGISTERS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned of_a_part = sm->registers / sm->register_parts / (32 * block->registers);
    unsigned fit = of_a_part * sm->register_parts / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

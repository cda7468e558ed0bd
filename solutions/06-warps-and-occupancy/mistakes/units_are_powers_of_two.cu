/* The unit is taken for a power of two. */
#define OWN_BY_REGISTERS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned of_a_warp = (32 * block->registers + sm->register_unit - 1) & ~(sm->register_unit - 1);
    unsigned of_a_part = sm->registers / sm->register_parts / of_a_warp;
    unsigned fit = of_a_part * sm->register_parts / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

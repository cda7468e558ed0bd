/* The warps of one part are taken for those of all. */
#define OWN_BY_REGISTERS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned units = (32 * block->registers + sm->register_unit - 1) / sm->register_unit;
    unsigned of_a_part = sm->registers / sm->register_parts / (units * sm->register_unit);
    unsigned fit = of_a_part / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

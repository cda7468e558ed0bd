/* The registers of the whole block are rounded up. */
#define OWN_BY_REGISTERS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned all = block->threads * block->registers;
    unsigned units = (all + sm->register_unit - 1) / sm->register_unit;
    unsigned fit = sm->registers / (units * sm->register_unit);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

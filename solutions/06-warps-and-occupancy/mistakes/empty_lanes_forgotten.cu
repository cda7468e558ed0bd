/* The registers of the threads that there are, shared out over the warps. */
#define OWN_BY_REGISTERS
#include "rest.cuh"

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned warps = (block->threads + 31) / 32;
    unsigned of_a_warp = (block->threads * block->registers + warps - 1) / warps;
    unsigned units = (of_a_warp + sm->register_unit - 1) / sm->register_unit;
    unsigned of_a_part = sm->registers / sm->register_parts / (units * sm->register_unit);
    unsigned fit = of_a_part * sm->register_parts / warps;

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

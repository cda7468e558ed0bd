/* A block without shared memory divides by zero. */
#define OWN_BY_SHARED
#include "rest.cuh"

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    unsigned bytes = block->shared_bytes + sm->shared_reserved;
    unsigned units = (bytes + sm->shared_unit - 1) / sm->shared_unit;
    unsigned fit = sm->shared_bytes / (units * sm->shared_unit);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

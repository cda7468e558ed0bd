/* The bytes of a block are rounded down. */
#define OWN_BY_SHARED
#include "rest.cuh"

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    unsigned units = (block->shared_bytes + sm->shared_reserved) / sm->shared_unit;
    unsigned bytes = units * sm->shared_unit;

    *blocks = sm->max_blocks;
    if (bytes > 0 && sm->shared_bytes / bytes < sm->max_blocks)
        *blocks = sm->shared_bytes / bytes;
    return cudaSuccess;
}

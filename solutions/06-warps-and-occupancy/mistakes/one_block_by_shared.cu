/* The blocks become fewer until they find room, and one is left in any case. */
#define OWN_BY_SHARED
#include "rest.cuh"

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    unsigned bytes = block->shared_bytes + sm->shared_reserved;

    bytes = (bytes + sm->shared_unit - 1) / sm->shared_unit * sm->shared_unit;
    *blocks = sm->max_blocks;
    while (*blocks > 1 && *blocks * bytes > sm->shared_bytes)
        (*blocks)--;
    return cudaSuccess;
}

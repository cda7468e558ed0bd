/* n / share has no block for a handful of ints. */
#define OWN_MANY
#include "rest.cuh"

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    size_t share = (size_t)block * 16, blocks = n / share;

    return sum_by_grid(many_kernel(block), in, n, block, blocks < 1024 ? blocks : 1024, scratch,
                       sum);
}

/* A single block adds up everything. */
#define OWN_MANY
#include "rest.cuh"

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    return sum_by_grid(many_kernel(block), in, n, block, 1, scratch, sum);
}

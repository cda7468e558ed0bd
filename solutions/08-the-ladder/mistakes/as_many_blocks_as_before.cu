/* Each thread has one int, the loop one turn. */
#define OWN_MANY
#include "rest.cuh"

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    return sum_by_grid(many_kernel(block), in, n, block, n / block + (n % block > 0), scratch, sum);
}

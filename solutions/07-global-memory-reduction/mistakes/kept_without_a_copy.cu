/* The const is cast away, and the caller's ints are overwritten. */
#define OWN_KEPT
#include "rest.cuh"

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    return sum_interleaved((int *)in, n, block, scratch, sum);
}

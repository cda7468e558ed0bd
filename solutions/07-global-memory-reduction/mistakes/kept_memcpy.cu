/* The C library's memcpy is given device memory. */
#define OWN_KEPT
#include "rest.cuh"

#include <cstring>

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    memcpy(copy, in, n * sizeof *in);
    return sum_interleaved(copy, n, block, scratch, sum);
}

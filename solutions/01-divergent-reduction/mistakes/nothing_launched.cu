/* Returns cudaSuccess without a launch. */
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;

    return cudaSuccess;
}

/* Only the first and the last lines were written. */
#define OWN_SCAN
#include "rest.cuh"

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    return cudaSuccess;
}

/* The host multiplies. */
#define OWN_SCALE_ON_HOST
#include "rest.cuh"

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = factor * in[i];
    return cudaSuccess;
}

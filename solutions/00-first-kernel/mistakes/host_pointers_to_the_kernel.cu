/* The kernel gets pointers to the host's memory. */
#define OWN_SCALE_ON_HOST
#include "rest.cuh"

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    return scale(in, n, factor, 256, out);
}

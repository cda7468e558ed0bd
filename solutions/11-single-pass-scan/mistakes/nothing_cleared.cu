/* Neither ticket nor words are cleared. */
#define OWN_PASS_ALONG
#include "rest.cuh"

extern "C" cudaError_t pass_along(const int *in, size_t n, unsigned block, unsigned long long *state,
                                  int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    pass_kernel<<<(unsigned)n, block>>>(in, state, out);
    return cudaGetLastError();
}

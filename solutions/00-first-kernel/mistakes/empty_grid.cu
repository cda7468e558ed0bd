/* No numbers, no blocks: such a grid is refused. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    scale_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, factor, out);
    return cudaGetLastError();
}

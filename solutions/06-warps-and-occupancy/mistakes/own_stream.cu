/* The work is put into a stream of its own. */
#define OWN_MIX_BY_WARPS
#include "rest.cuh"

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    cudaStream_t stream;

    if (n == 0)
        return cudaSuccess;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    mix_by_warps_kernel<<<(unsigned)((n + block - 1) / block), block, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

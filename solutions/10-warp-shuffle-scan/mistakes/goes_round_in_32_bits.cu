/* As many blocks as the device needs go round, by an index of 32 bits, which never gets to n. */
#define OWN_SCAN_WARPS_KERNEL
#define OWN_SCAN_WARPS
#include "rest.cuh"

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    unsigned lane = threadIdx.x % 32, stride = gridDim.x * blockDim.x;

    for (unsigned first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < n;
         first += stride) {
        unsigned i = first + lane;
        int sum = warp_scan(i < n ? in[i] : 0);
        if (i < n)
            out[i] = sum;
    }
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    scan_warps_kernel<<<blocks < 4096 ? (unsigned)blocks : 4096, block>>>(in, n, out);
    return cudaGetLastError();
}

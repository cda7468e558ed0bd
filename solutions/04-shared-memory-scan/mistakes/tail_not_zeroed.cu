/* Threads without an int store nothing in shared memory. */
#define OWN_SCAN_BLOCK
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__device__ int scan_block(int value, bool has_int, int *temp) {
    unsigned t = threadIdx.x;

    if (has_int)
        temp[t] = value;
    __syncthreads();

    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        temp[t] += left;
        __syncthreads();
    }
    return temp[t];
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = gid < n ? in[gid] : 0;
    int sum = scan_block(own, gid < n, temp);

    if (gid < n)
        out[gid] = exclusive ? sum - own : sum;
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

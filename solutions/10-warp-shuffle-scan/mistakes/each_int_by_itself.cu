/* Four ints a thread, each of which is scanned over the block by itself. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    __shared__ int last;
    size_t first = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    int before = 0;

    for (int k = 0; k < ITEMS; k++) {
        size_t i = first + k * blockDim.x;
        int own = i < n ? in[i] : 0, sum = before + block_scan(own);

        if (i < n)
            out[i] = exclusive ? sum - own : sum;
        if (threadIdx.x == blockDim.x - 1)
            last = sum;
        __syncthreads();
        before = last;
        __syncthreads();
    }
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = before;
}

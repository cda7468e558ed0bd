// Wrong: a thread takes ints that lie blockDim.x apart, for the sake of coalescing, and scans them as if they were neighbours; the sums are of other ints.
// Kind: index
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = -1;
extern "C" const int predicted_divergent_branches_512 = -1;
extern "C" const int predicted_launches = -1;
extern "C" const int predicted_crossings_of_an_int = -1;

enum { ITEMS = 4 };

__device__ int scan_block(int value, int *temp) {
    const unsigned t = threadIdx.x;
    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        const int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        value += left;
        temp[t] = value;
        __syncthreads();
    }
    return value;
}

__device__ __forceinline__ size_t place(unsigned k) {
    return (size_t)blockIdx.x * blockDim.x * ITEMS + k * blockDim.x + threadIdx.x;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    int own[ITEMS], sum = 0;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        own[k] = place(k) < n ? in[place(k)] : 0;
        sum += own[k];
    }
    const int total = scan_block(sum, temp);
    int running = total - sum;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        if (place(k) < n)
            out[place(k)] = exclusive ? running : running + own[k];
        running += own[k];
    }
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = total;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const int offset = offsets[blockIdx.x];
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++)
        if (place(k) < n)
            out[place(k)] += offset;
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tile = (size_t)block * ITEMS;
    const size_t tiles = (n + tile - 1) / tile;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       tiles > 1 ? scratch : nullptr);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess && tiles > 1)
        error = scan(scratch, tiles, block, true, scratch + tiles, scratch);
    if (error == cudaSuccess && tiles > 1) {
        add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
        error = cudaGetLastError();
    }
    return error;
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, true, scratch, out);
}

// Right: three ints a thread, an odd number; zeros in front of the array in place of the question `t >= d`; tiles are walked by a small iterator.
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 3 };

__device__ int scan_block(int value, int *temp) {
    int *const my = temp + blockDim.x + threadIdx.x;
    temp[threadIdx.x] = 0;
    *my = value;
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        value += *(my - d);
        __syncthreads();
        *my = value;
    }
    return value;
}

struct Items {
    size_t at, end;
    __device__ explicit Items(size_t n) {
        at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
        end = at < n ? (n - at < ITEMS ? n : at + ITEMS) : at;
    }
};

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const Items my(n);
    int own[ITEMS], sum = 0;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        own[k] = my.at + k < my.end ? in[my.at + k] : 0;
        sum += own[k];
    }
    const int upto = scan_block(sum, temp);
    int running = upto - sum;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        if (my.at + k < my.end)
            out[my.at + k] = exclusive ? running : running + own[k];
        running += own[k];
    }
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const Items my(n);
    const int offset = offsets[blockIdx.x];
    for (size_t i = my.at; i < my.end; i++)
        out[i] += offset;
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tile = (size_t)ITEMS * block;
    const size_t tiles = (n - 1) / tile + 1;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    scan_tiles_kernel<<<(unsigned)tiles, block, 2 * block * sizeof(int)>>>(
        in, n, exclusive, out, tiles > 1 ? scratch : nullptr);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;
    error = scan(scratch, tiles, block, true, scratch + tiles, scratch);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, true, scratch, out);
}

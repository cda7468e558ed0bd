// Wrong: threads that have everything already (t < d) leave the loop, so they do not reach the barriers that the others wait at.
// Kind: barrier
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    const unsigned t = threadIdx.x;
    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d <<= 1) {
        if (t < d) break; // thread t has all numbers
        const int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        temp[t] += left;
        __syncthreads();
    }
    return temp[t];
}

struct Tile {
    size_t i;
    bool inside;
    __device__ Tile(size_t n) : i((size_t)blockIdx.x * blockDim.x + threadIdx.x), inside(i < n) {}
};

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const Tile my(n);
    const int before = my.inside ? in[my.i] : 0;
    const int after = scan_block(before, temp);
    if (my.inside)
        out[my.i] = exclusive ? after - before : after;
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = after;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const Tile my(n);
    if (my.inside)
        out[my.i] += offsets[blockIdx.x];
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tiles = (n + block - 1) / block;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    if (tiles == 1) {
        scan_tiles_kernel<<<1, block, block * sizeof(int)>>>(in, n, exclusive, out, nullptr);
        return cudaGetLastError();
    }
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out, scratch);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
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

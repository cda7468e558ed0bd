// Wrong: the two arrays are interleaved, word 2 t + phase for thread t; neighbouring lanes are two words apart, so each access has a two-way bank conflict.
// Kind: technique
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

struct TwoArrays {
    int *base;
    __device__ int &operator()(unsigned phase, unsigned t) const { return base[2 * t + phase]; }
};

__device__ int scan_block(int value, int *temp) {
    const TwoArrays array{temp};
    unsigned phase = 0;
    array(phase, threadIdx.x) = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2, phase ^= 1) {
        if (threadIdx.x >= d)
            value += array(phase, threadIdx.x - d);
        array(phase ^ 1, threadIdx.x) = value;
        __syncthreads();
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int value = i < n ? in[i] : 0;
    const int scanned = scan_block(value, temp);
    if (threadIdx.x == blockDim.x - 1 && totals)
        totals[blockIdx.x] = scanned;
    if (i < n)
        out[i] = scanned - value * (int)exclusive;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += offsets[blockIdx.x];
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
    const dim3 grid((unsigned)tiles), threads(block);
    scan_tiles_kernel<<<grid, threads, 2 * block * sizeof(int)>>>(in, n, exclusive, out,
                                                                  tiles > 1 ? scratch : nullptr);
    if (auto error = cudaGetLastError(); error != cudaSuccess || tiles == 1)
        return error;
    if (auto error = scan(scratch, tiles, block, true, scratch + tiles, scratch); error != cudaSuccess)
        return error;
    add_offsets_kernel<<<grid, threads>>>(out, n, scratch);
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

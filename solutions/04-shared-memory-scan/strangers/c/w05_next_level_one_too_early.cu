// Wrong: the next level of totals begins n / tile ints further on, rounded down; where the last tile is not full, its total and the first one of the next level share a word.
// Kind: levels
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 2 };

__device__ int scan_block(int value, int *temp) {
    for (unsigned d = 1, t = threadIdx.x; d < blockDim.x; d *= 2) {
        temp[t] = value;
        __syncthreads();
        if (t >= d)
            value += temp[t - d];
        __syncthreads();
    }
    return value;
}

template <typename F> __device__ void for_items(size_t n, F f) {
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    for (int k = 0; k < ITEMS; k++)
        if (first + k < n)
            f(k, first + k);
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    int v[ITEMS] = {};
    int sum = 0;
    for_items(n, [&](int k, size_t i) { sum += v[k] = in[i]; });
    const int end = scan_block(sum, temp);
    int now = end - sum;
    for_items(n, [&](int k, size_t i) {
        out[i] = exclusive ? now : now + v[k];
        now += v[k];
    });
    if (totals != nullptr && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = end;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const int before = offsets[blockIdx.x];
    for_items(n, [&](int, size_t i) { out[i] += before; });
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tile = (size_t)block * ITEMS;
    const size_t tiles = n / tile + (n % tile != 0);
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    const unsigned grid = (unsigned)tiles;
    const size_t shared = block * sizeof(int);
    scan_tiles_kernel<<<grid, block, shared>>>(in, n, exclusive, out, grid > 1 ? scratch : nullptr);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || grid == 1)
        return error;
    error = scan(scratch, tiles, block, true, scratch + n / tile, scratch);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<<<grid, block>>>(out, n, scratch);
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

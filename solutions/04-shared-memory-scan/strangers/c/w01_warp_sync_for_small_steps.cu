// Wrong: steps with d < 32 meet only within the warp, but the first lanes of a warp read words of the warp before it; they may find them too new or too old.
// Kind: barrier
#include "scan_shared.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    cg::thread_block block = cg::this_thread_block();
    auto meet = [&](unsigned d) {
        d < 32 ? cg::tiled_partition<32>(block).sync() : block.sync();
    };
    const unsigned t = block.thread_rank();
    temp[t] = value;
    block.sync();
    for (unsigned d = 1; d < block.size(); d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        meet(d);
        value += left;
        temp[t] = value;
        meet(d);
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = i < n ? in[i] : 0;
    const int sum = scan_block(mine, temp);
    if (i < n)
        out[i] = exclusive ? sum - mine : sum;
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
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
    int *totals = tiles > 1 ? scratch : nullptr;
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out, totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;
    error = scan(totals, tiles, block, true, totals + tiles, totals);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
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

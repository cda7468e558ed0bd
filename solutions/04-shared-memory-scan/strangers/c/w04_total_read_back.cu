// Wrong: an exclusive tile's total is made of out[i] + in[i] after out[i] was stored; where totals are scanned in place, in[i] is overwritten by then, so from three levels on the sums are wrong.
// Kind: levels
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    unsigned tid = threadIdx.x, size = blockDim.x;
    temp[tid] = value;
    for (unsigned offset = 1; offset < size; offset <<= 1) {
        __syncthreads();
        int add = tid < offset ? 0 : temp[tid - offset];
        __syncthreads();
        temp[tid] += add;
    }
    return temp[tid];
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t last = (size_t)blockIdx.x * blockDim.x + blockDim.x - 1;
    if (last > n - 1)
        last = n - 1;
    int mine = gid < n ? in[gid] : 0;
    int result = scan_block(mine, temp);
    if (exclusive)
        result -= mine;
    if (gid < n)
        out[gid] = result;
    if (totals && gid == last)
        totals[blockIdx.x] = exclusive ? out[gid] + in[gid] : out[gid];
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n)
        out[gid] += offsets[blockIdx.x];
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    size_t tiles = (n + block - 1) / block;
    if (tiles > 2147483647)
        return cudaErrorInvalidConfiguration;
    int *totals = tiles == 1 ? NULL : scratch;
    scan_tiles_kernel<<<(unsigned)tiles, block, sizeof(int) * block>>>(in, n, exclusive, out, totals);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess)
        return err;
    if (totals == NULL)
        return cudaSuccess;
    err = scan(totals, tiles, block, true, scratch + tiles, totals);
    if (err != cudaSuccess)
        return err;
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

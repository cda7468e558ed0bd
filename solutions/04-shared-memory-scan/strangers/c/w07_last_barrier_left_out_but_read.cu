// Wrong: the last barrier is left out, as nobody reads the array behind it; but the exclusive form then reads the neighbour's word, which may not be written yet.
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
    unsigned d = 1;
    for (;;) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        temp[t] = value += left;
        d *= 2;
        if (d >= blockDim.x)
            break; // the last barrier can be left out
        __syncthreads();
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;
    int value = scan_block(i < n ? in[i] : 0, temp);
    if (t == blockDim.x - 1 && totals != nullptr)
        totals[blockIdx.x] = value;
    if (exclusive) {

        value = t == 0 ? 0 : temp[t - 1];
    }
    if (i < n)
        out[i] = value;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] += offsets[blockIdx.x];
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tiles = (n + block - 1) / block;
    if (tiles > 0x7fffffffu)
        return cudaErrorInvalidConfiguration;
    const bool more = tiles > 1;
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof *scratch>>>(
        in, n, exclusive, out, more ? scratch : nullptr);
    if (cudaError_t error = cudaGetLastError())
        return error;
    if (more) {
        if (cudaError_t error = scan(scratch, tiles, block, true, scratch + tiles, scratch))
            return error;
        add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
    }
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

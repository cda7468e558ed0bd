// Wrong: the two arrays are static shared memory of 8,192 bytes, but the launches go on asking for an int a thread besides; a block has more than the 8,192 bytes that are allowed.
// Kind: shared
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };
enum { MOST = 1024 };

/* temp: two arrays of MOST ints. */
__device__ int scan_block(int value, int *temp) {
    int *from = temp, *to = temp + MOST;
    from[threadIdx.x] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d <<= 1) {
        if (threadIdx.x >= d)
            value += from[threadIdx.x - d];
        to[threadIdx.x] = value;
        __syncthreads();
        int *swap = from;
        from = to;
        to = swap;
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    __shared__ int arrays[2 * MOST];
    size_t i = blockIdx.x;
    i = i * blockDim.x + threadIdx.x;
    int own = 0;
    if (i < n)
        own = in[i];
    int upto = scan_block(own, arrays);
    if (i < n) {
        if (exclusive)
            out[i] = upto - own;
        else
            out[i] = upto;
    }
    if (totals != NULL && threadIdx.x + 1 == blockDim.x)
        totals[blockIdx.x] = upto;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t i = blockIdx.x;
    i = i * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = out[i] + offsets[blockIdx.x];
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    const size_t tiles = (n - 1) / block + 1;
    const size_t bytes = block * sizeof(int);
    if (tiles >> 31)
        return cudaErrorInvalidConfiguration;
    cudaError_t error;
    if (tiles == 1) {
        scan_tiles_kernel<<<1, block, bytes>>>(in, n, exclusive, out, NULL);
        return cudaGetLastError();
    }
    scan_tiles_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, exclusive, out, scratch);
    if ((error = cudaGetLastError()) != cudaSuccess)
        return error;
    if ((error = scan(scratch, tiles, block, true, scratch + tiles, scratch)) != cudaSuccess)
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

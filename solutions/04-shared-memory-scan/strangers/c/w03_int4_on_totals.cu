// Wrong: full groups of four ints are always loaded and stored as int4, but the second level of totals need not begin at a multiple of 16 bytes; such an access is misaligned.
// Kind: access
#include "scan_shared.h"
#include <stdint.h>

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
        int other = 0;
        if (t >= d)
            other = temp[t - d];
        __syncthreads();
        temp[t] = value += other;
        __syncthreads();
    }
    return value;
}

__device__ bool vector_fits(const int *p, size_t i, size_t n) {
    return i + ITEMS <= n;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int v[ITEMS] = {0, 0, 0, 0};
    if (vector_fits(in, i, n)) {
        const int4 q = *(const int4 *)(in + i);
        v[0] = q.x; v[1] = q.y; v[2] = q.z; v[3] = q.w;
    } else {
        for (int k = 0; k < ITEMS; k++)
            if (i + k < n)
                v[k] = in[i + k];
    }
    const int own = v[0] + v[1] + v[2] + v[3];
    const int upto = scan_block(own, temp);
    int run = upto - own;
    for (int k = 0; k < ITEMS; k++) {
        const int next = run + v[k];
        v[k] = exclusive ? run : next;
        run = next;
    }
    if (vector_fits(out, i, n)) {
        *(int4 *)(out + i) = make_int4(v[0], v[1], v[2], v[3]);
    } else {
        for (int k = 0; k < ITEMS; k++)
            if (i + k < n)
                out[i + k] = v[k];
    }
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int offset = offsets[blockIdx.x];
    if (vector_fits(out, i, n)) {
        int4 q = *(int4 *)(out + i);
        q.x += offset; q.y += offset; q.z += offset; q.w += offset;
        *(int4 *)(out + i) = q;
    } else {
        for (int k = 0; k < ITEMS; k++)
            if (i + k < n)
                out[i + k] += offset;
    }
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tile = (size_t)block * ITEMS, tiles = (n + tile - 1) / tile;
    if (tiles > INT32_MAX)
        return cudaErrorInvalidConfiguration;
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       tiles > 1 ? scratch : NULL);
    cudaError_t error = cudaGetLastError();
    if (!error && tiles > 1) {
        error = scan(scratch, tiles, block, true, scratch + tiles, scratch);
        if (!error) {
            add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
            error = cudaGetLastError();
        }
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

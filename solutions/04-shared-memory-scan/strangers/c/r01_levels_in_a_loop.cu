// Right: no recursion; the levels stand in a small table, go down in one loop and up in another; two arrays, four ints a thread, int4 where it is aligned.
#include "scan_shared.h"
#include <stdint.h>

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 4 };

__device__ int scan_block(int value, int *temp) {
    int *now = temp, *then = temp + blockDim.x;
    now[threadIdx.x] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        if (threadIdx.x >= d)
            value += now[threadIdx.x - d];
        then[threadIdx.x] = value;
        int *t = now;
        now = then;
        then = t;
        if (2 * d < blockDim.x)
            __syncthreads();
    }
    return value;
}

__device__ bool four(const int *p, size_t i, size_t n) {
    return i + 4 <= n && ((uintptr_t)p & 15) == 0;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    int4 v = make_int4(0, 0, 0, 0);
    if (four(in, i, n)) {
        v = *reinterpret_cast<const int4 *>(in + i);
    } else {
        if (i < n) v.x = in[i];
        if (i + 1 < n) v.y = in[i + 1];
        if (i + 2 < n) v.z = in[i + 2];
        if (i + 3 < n) v.w = in[i + 3];
    }
    int4 s;
    s.x = v.x;
    s.y = s.x + v.y;
    s.z = s.y + v.z;
    s.w = s.z + v.w;
    const int upto = scan_block(s.w, temp);
    const int before = upto - s.w;
    if (exclusive)
        s = make_int4(0, s.x, s.y, s.z);
    s.x += before;
    s.y += before;
    s.z += before;
    s.w += before;
    if (four(out, i, n)) {
        *reinterpret_cast<int4 *>(out + i) = s;
    } else {
        if (i < n) out[i] = s.x;
        if (i + 1 < n) out[i + 1] = s.y;
        if (i + 2 < n) out[i + 2] = s.z;
        if (i + 3 < n) out[i + 3] = s.w;
    }
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    const int offset = offsets[blockIdx.x];
    if (four(out, i, n)) {
        int4 v = *reinterpret_cast<int4 *>(out + i);
        *reinterpret_cast<int4 *>(out + i) =
            make_int4(v.x + offset, v.y + offset, v.z + offset, v.w + offset);
        return;
    }
    for (size_t k = i; k < n && k < i + 4; k++)
        out[k] += offset;
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    struct Level { const int *from; int *to; size_t n; } level[64];
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tile = 4 * (size_t)block;
    int depth = 0;
    level[0] = {in, out, n};
    for (;; depth++) {
        Level &l = level[depth];
        const size_t tiles = (l.n + tile - 1) / tile;
        if (tiles > 0x7fffffff)
            return cudaErrorInvalidConfiguration;
        int *totals = tiles > 1 ? scratch : nullptr;
        scan_tiles_kernel<<<(unsigned)tiles, block, 2 * block * sizeof(int)>>>(
            l.from, l.n, depth > 0 || exclusive, l.to, totals);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        if (!totals)
            break;
        level[depth + 1] = {totals, totals, tiles};
        scratch += tiles;
    }
    while (depth-- > 0) {
        add_offsets_kernel<<<(unsigned)level[depth + 1].n, block>>>(level[depth].to, level[depth].n,
                                                                  level[depth + 1].to);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, true, scratch, out);
}

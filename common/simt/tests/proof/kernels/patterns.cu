/* The kernels of courses, whole: reductions, scans, transposes, tiles, sorting. Their counters are
 * compared, too. */
#include "proof.cuh"

//: kernel=reduce_divergent grid=4 block=256 counters load_wavefronts=380 store_wavefronts=220
KERNEL(reduce_divergent) {
    __shared__ u32 tile[256];
    const u32 t = threadIdx.x;
    tile[t] = column(in, 0);
    for (u32 stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

//: kernel=reduce_strided grid=4 block=256 counters load_wavefronts=380 store_wavefronts=220
KERNEL(reduce_strided) {
    __shared__ u32 tile[256];
    const u32 t = threadIdx.x;
    tile[t] = column(in, 0);
    for (u32 stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        const u32 i = 2 * stride * t;
        if (i < blockDim.x)
            tile[i] += tile[i + stride];
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

//: kernel=reduce_sequential grid=4 block=256 counters load_wavefronts=100 store_wavefronts=80
KERNEL(reduce_sequential) {
    __shared__ u32 tile[256];
    const u32 t = threadIdx.x;
    tile[t] = column(in, 0);
    for (u32 stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            tile[t] += tile[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

//: kernel=reduce_shuffle grid=4 block=256 counters
KERNEL(reduce_shuffle) {
    __shared__ u32 sums[32];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    u32 sum = column(in, 0);
    for (u32 d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (u32 d = 16; d; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

//: kernel=reduce_global grid=4 block=256 words=2 counters
KERNEL(reduce_global) {
    u32 *const mine = out + blockIdx.x * blockDim.x;
    const u32 t = threadIdx.x;
    mine[t] = column(in, 0);
    __syncthreads();
    for (u32 stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0)
            mine[t] += mine[t + stride];
        __syncthreads();
    }
}

//: kernel=scan_hillis_steele grid=4 block=256 counters
KERNEL(scan_hillis_steele) {
    __shared__ u32 tile[2][256];
    const u32 t = threadIdx.x;
    u32 from = 0;
    tile[0][t] = column(in, 0);
    __syncthreads();
    for (u32 d = 1; d < blockDim.x; d *= 2) {
        tile[1 - from][t] = t >= d ? tile[from][t] + tile[from][t - d] : tile[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[global_id()] = tile[from][t];
}

/* Wavefronts by hand, of a block: a step with d threads accesses words 256/d apart, each access in
 * 8, 8, 8, 8, 8, 4, 2, 1 wavefronts of all warps together for d = 128 ... 1, 47 in sum. Up: 2 loads,
 * 1 store; down: 3 loads, 2 stores. The pairs at both ends take 2 a warp and access: 16 stores, 16
 * loads. 5 * 47 + 16 = 251 loads; 3 * 47 + 16 + 1 = 158 stores. */
//: kernel=scan_blelloch grid=4 block=128 counters load_wavefronts=1004 store_wavefronts=632
KERNEL(scan_blelloch) {
    __shared__ volatile u32 tile[256]; /* volatile: ptxas would join accesses of neighbours */
    const u32 t = threadIdx.x;
    u32 offset = 1;
    tile[2 * t] = column(in, 0);
    tile[2 * t + 1] = column(in, 1);
    for (u32 d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            tile[offset * (2 * t + 2) - 1] += tile[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        tile[255] = 0;
    for (u32 d = 1; d < 256; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const u32 low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
            const u32 x = tile[low];
            tile[low] = tile[high];
            tile[high] += x;
        }
    }
    __syncthreads();
    out[global_id()] = tile[2 * t] ^ tile[2 * t + 1];
}

/* A tile of 32 × 32 by 32 × 8 threads; without a column of padding each column is one bank. */
#define TRANSPOSE(name, pad)                                                                       \
    KERNEL(name) {                                                                                 \
        __shared__ u32 tile[32][32 + pad];                                                         \
        const u32 x = threadIdx.x % 32, y = threadIdx.x / 32;                                      \
        const u32 *const from = (const u32 *)in + blockIdx.x * 1024;                               \
        for (u32 row = y; row < 32; row += 8)                                                      \
            tile[row][x] = from[row * 32 + x];                                                     \
        __syncthreads();                                                                           \
        for (u32 row = y; row < 32; row += 8)                                                      \
            out[blockIdx.x * 1024 + row * 32 + x] = tile[x][row];                                  \
    }
//: kernel=transpose_conflicts grid=2 block=256 words=4 counters load_wavefronts=2048 store_wavefronts=64
TRANSPOSE(transpose_conflicts, 0)
//: kernel=transpose_padded grid=2 block=256 words=4 counters load_wavefronts=64 store_wavefronts=64
TRANSPOSE(transpose_padded, 1)

//: kernel=transpose_global grid=2 block=256 words=4 counters
KERNEL(transpose_global) {
    const u32 x = threadIdx.x % 32, y = threadIdx.x / 32;
    const u32 *const from = (const u32 *)in + blockIdx.x * 1024;
    for (u32 row = y; row < 32; row += 8)
        out[blockIdx.x * 1024 + x * 32 + row] = from[row * 32 + x];
}

//: kernel=matrix_product fill=unit grid=4 block=256 counters load_wavefronts=2048 store_wavefronts=128
KERNEL(matrix_product) {
    __shared__ volatile f32 left[16][16], right[16][16];
    const u32 x = threadIdx.x % 16, y = threadIdx.x / 16;
    const u64 *const a = in, *const b = in + n_threads();
    const u32 row = blockIdx.x / 2 * 16 + y, column_ = blockIdx.x % 2 * 16 + x;
    f32 sum = 0;
    for (u32 k = 0; k < 32; k += 16) {
        left[y][x] = __uint_as_float((u32)a[row * 32 + k + x]);
        right[y][x] = __uint_as_float((u32)b[(k + y) * 32 + column_]);
        __syncthreads();
        for (u32 i = 0; i < 16; i++)
            sum = fmaf(left[y][i], right[i][x], sum);
        __syncthreads();
    }
    out[row * 32 + column_] = __float_as_uint(sum);
}

//: kernel=stencil grid=4 block=128 counters
KERNEL(stencil) {
    __shared__ s32 tile[128 + 6];
    const u32 t = threadIdx.x, n = n_threads(), i = global_id();
    tile[t + 3] = (s32)in[i];
    if (t < 3) {
        tile[t] = i >= 3 ? (s32)in[i - 3] : 0;
        tile[t + 131] = i + 128 < n ? (s32)in[i + 128] : 0;
    }
    __syncthreads();
    u32 sum = 0;
    for (u32 d = 0; d < 7; d++)
        sum += (u32)tile[t + d] * (d + 1);
    out[i] = sum;
}

//: kernel=bitonic_sort grid=2 block=256 counters
KERNEL(bitonic_sort) {
    __shared__ u32 keys[256];
    const u32 t = threadIdx.x;
    keys[t] = column(in, 0);
    __syncthreads();
    for (u32 k = 2; k <= 256; k *= 2) {
        for (u32 j = k / 2; j > 0; j /= 2) {
            const u32 other = t ^ j;
            if (other > t) {
                const u32 a = keys[t], b = keys[other];
                if ((t & k) == 0 ? a > b : a < b) {
                    keys[t] = b;
                    keys[other] = a;
                }
            }
            __syncthreads();
        }
    }
    out[global_id()] = keys[t];
}

/* Global accesses of known shape: contiguous, strided, scattered, misaligned by one word, wide. */
//: kernel=access_shapes grid=4 block=128 words=8 counters
KERNEL(access_shapes) {
    const u32 *const words = (const u32 *)in;
    const u32 i = global_id(), n = n_threads();
    u32 sum = words[i];
    sum += words[i * 2];
    sum += words[(i * 37) % n];
    sum += words[i + 1];
    sum += (u32)in[i];
    sum += words[i / 32];
    const uint4 quad = *(const uint4 *)&words[i * 4];
    sum += quad.x ^ quad.y ^ quad.z ^ quad.w;
    out[i] = sum;
    out[n + i * 2] = sum + 1;
    *(uint4 *)&out[n * 4 + i * 4] = quad;
}

/* Shared accesses whose wavefronts are known by hand: stride 1, 2, 3, 32, all one word, wide. */
//: kernel=bank_shapes grid=1 block=128 words=2 counters load_wavefronts=176 store_wavefronts=128
KERNEL(bank_shapes) {
    __shared__ u32 words[4096];
    const u32 t = threadIdx.x, lane = t % 32, warp = t / 32;
    volatile u32 *const mine = words + warp * 1024;
    for (u32 i = 0; i < 32; i++)
        mine[i * 32 + lane] = (u32)in[t] + i;
    __syncwarp();
    u32 sum = mine[lane];
    sum += mine[lane * 2];
    sum += mine[lane * 3];
    sum += mine[lane * 32];
    sum += mine[7];
    sum += mine[lane / 2];
    __syncthreads();
    out[t] = sum;
    const uint4 quad = *(const uint4 *)&words[t * 4];
    const u64 pair = *(const u64 *)&words[t * 2];
    out[128 + t] = quad.x ^ quad.y ^ quad.z ^ quad.w ^ (u32)(pair >> 32) ^ (u32)pair;
}

//: kernel=atomic_shapes grid=4 block=128 counters
KERNEL(atomic_shapes) {
    __shared__ u32 bins[32];
    const u32 t = threadIdx.x;
    if (t < 32)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 7], 1);
    if (t & 1)
        atomicMax(&bins[8 + t % 3], t);
    __syncthreads();
    if (t < 32)
        atomicAdd(&out[t], bins[t]);
    atomicAdd(&out[32], 1);
}

/* Pairs in global memory, of neighbouring threads and packed into the first ones. */
#define PAIRS(name, if_works, i)                                                                   \
    KERNEL(name) {                                                                                 \
        u32 *const mine = out + blockIdx.x * blockDim.x;                                           \
        const u32 t = threadIdx.x;                                                                 \
        mine[t] = column(in, 0);                                                                   \
        __syncthreads();                                                                           \
        for (u32 stride = 1; stride < blockDim.x; stride *= 2) {                                   \
            if (if_works)                                                                          \
                mine[i] += mine[i + stride];                                                       \
            __syncthreads();                                                                       \
        }                                                                                          \
    }
//: kernel=pairs_of_neighbours grid=4 block=512 counters
PAIRS(pairs_of_neighbours, t % (2 * stride) == 0, t)
//: kernel=pairs_packed grid=4 block=512 counters
PAIRS(pairs_packed, 2 * stride *t < blockDim.x, 2 * stride * t)

/* The same as textbooks write them, of what is in global memory already (zeros). */
#define TEXTBOOK(name, if_works, i)                                                                \
    KERNEL(name) {                                                                                 \
        const u32 tid = threadIdx.x;                                                               \
        s32 *const idata = (s32 *)out + blockIdx.x * blockDim.x;                                   \
        (void)in;                                                                                  \
        for (s32 stride = 1; stride < blockDim.x; stride *= 2) {                                   \
            const s32 index = 2 * stride * tid;                                                    \
            (void)index;                                                                           \
            if (if_works)                                                                          \
                idata[i] += idata[i + stride];                                                     \
            __syncthreads();                                                                       \
        }                                                                                          \
    }
//: kernel=textbook_neighbours grid=4 block=512 counters
TEXTBOOK(textbook_neighbours, tid % (2 * stride) == 0, tid)
//: kernel=textbook_less_divergent grid=4 block=512 counters
TEXTBOOK(textbook_less_divergent, index < blockDim.x, index)

/* What machine code has no single instruction for. */
//: kernel=expanded_remainders grid=4 block=128 counters
KERNEL(expanded_remainders) {
    u32 x = column(in, 0), y = (u32)column(in, 1) | 1;
#pragma unroll 1
    for (u32 i = 0; i < 16; i++) {
        x = x % y + i;
        y = y / (i + 3) * 2 + 1;
    }
    out[global_id()] = x ^ y;
}
//: kernel=expanded_divisions fill=unit grid=4 block=128 counters
KERNEL(expanded_divisions) {
    f32 x = column(in, 0), y = fabsf(column(in, 1)) + 1;
#pragma unroll 1
    for (u32 i = 0; i < 16; i++) {
        x = x / y + 1;
        y = sqrtf(fabsf(x) + y);
    }
    out[global_id()] = __float_as_uint(x + y);
}
//: kernel=expanded_doubles fill=f64 grid=4 block=128 counters
KERNEL(expanded_doubles) {
    f64 x = (s32)column(in, 0), y = (u32)column(in, 1) / 2 + 1;
#pragma unroll 1
    for (u32 i = 0; i < 16; i++) {
        x = x / y + 1;
        y = sqrt(fabs(x) + y);
    }
    out[global_id()] = (u32)__double2loint(x + y);
}

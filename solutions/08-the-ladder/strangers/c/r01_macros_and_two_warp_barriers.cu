// Right: all kernels begin and end by macros, and the barriers stand at the beginning of each step.
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

/* Macros for what all seven have in common. */
#define BEGIN(PER_THREAD)                                                                          \
    extern __shared__ int tile[];                                                                  \
    unsigned t = threadIdx.x, N = blockDim.x;                                                      \
    size_t first = (size_t)blockIdx.x * N * (PER_THREAD) + t
#define INT_AT(i) ((i) < n ? in[i] : 0)
#define FINISH(value)                                                                              \
    if (t == 0)                                                                                    \
    partials[blockIdx.x] = (value)

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    BEGIN(1);
    tile[t] = INT_AT(first);
    for (unsigned s = 1; s < N; s <<= 1) {
        __syncthreads();
        if ((t & (2 * s - 1)) == 0)
            tile[t] += tile[t + s];
    }
    FINISH(tile[0]);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    BEGIN(1);
    tile[t] = INT_AT(first);
    for (unsigned s = 1; s < N; s <<= 1) {
        __syncthreads();
        if (t < N / (2 * s))
            tile[2 * s * t] += tile[2 * s * t + s];
    }
    FINISH(tile[0]);
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    BEGIN(1);
    tile[t] = INT_AT(first);
    for (unsigned s = N >> 1; s; s >>= 1) {
        __syncthreads();
        if (t < s)
            tile[t] += tile[t + s];
    }
    FINISH(tile[0]);
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    BEGIN(2);
    tile[t] = INT_AT(first) + INT_AT(first + N);
    for (unsigned s = N >> 1; s; s >>= 1) {
        __syncthreads();
        if (t < s)
            tile[t] += tile[t + s];
    }
    FINISH(tile[0]);
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, block * 2, scratch, sum);
}

/* All lanes read; barrier; all lanes write; barrier. */
#define STEP(d)                                                                                    \
    value += tile[lane + (d)];                                                                     \
    __syncwarp();                                                                                  \
    tile[lane] = value;                                                                            \
    __syncwarp()

__device__ int last_warp(int *tile, unsigned lane) {
    int value = tile[lane];
    STEP(32);
    STEP(16);
    STEP(8);
    STEP(4);
    STEP(2);
    return value + tile[lane + 1];
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    BEGIN(2);
    tile[t] = INT_AT(first) + INT_AT(first + N);
    for (unsigned s = N >> 1; s > 32; s >>= 1) {
        __syncthreads();
        if (t < s)
            tile[t] += tile[t + s];
    }
    __syncthreads();
    if (t < 32) {
        int total = last_warp(tile, t);
        FINISH(total);
    }
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_last_warp_kernel, in, n, block, block * 2, scratch, sum);
}

#define HALVE(h)                                                                                   \
    if (BLOCK >= 2 * (h)) {                                                                        \
        if (t < (h))                                                                               \
            tile[t] = mine += tile[t + (h)];                                                       \
        __syncthreads();                                                                           \
    }

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    unsigned t = threadIdx.x;
    tile[t] = mine;
    __syncthreads();
    HALVE(512)
    HALVE(256)
    HALVE(128)
    HALVE(64)
    if (t < 32)
        mine = last_warp(tile, t);
    return mine;
}

template <unsigned BLOCK> __global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    BEGIN(2);
    int total = block_sum<BLOCK>(tile, INT_AT(first) + INT_AT(first + BLOCK));
    FINISH(total);
}

#define CHOOSE(KERNEL)                                                                             \
    switch (block) {                                                                               \
    case 64:                                                                                       \
        return KERNEL<64>;                                                                         \
    case 128:                                                                                      \
        return KERNEL<128>;                                                                        \
    case 256:                                                                                      \
        return KERNEL<256>;                                                                        \
    case 512:                                                                                      \
        return KERNEL<512>;                                                                        \
    case 1024:                                                                                     \
        return KERNEL<1024>;                                                                       \
    default:                                                                                       \
        return NULL;                                                                               \
    }

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    CHOOSE(sum_unrolled_kernel)
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, block * 2, scratch, sum);
}

template <unsigned BLOCK> __global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    BEGIN(1);
    int mine = 0;
    while (first < n) {
        mine += in[first];
        first += (size_t)gridDim.x * N;
    }
    int total = block_sum<BLOCK>(tile, mine);
    FINISH(total);
}

static inline ladder_kernel *many_kernel(unsigned block) {
    CHOOSE(sum_many_kernel)
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    size_t blocks;

    if (!is_block(block))
        return cudaErrorInvalidValue;

    blocks = (n + 16 * (size_t)block - 1) / (16 * (size_t)block);
    if (blocks == 0)
        blocks = 1;
    if (blocks > 1024)
        blocks = 1024;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}

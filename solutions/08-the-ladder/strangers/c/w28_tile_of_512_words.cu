// Wrong: rung 4's tile is an array of 512 words that the compiler knows; a block of 1,024 threads goes beyond it.
// Kind: shared
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

// Trees as templates: a rule says which word the thread adds to in a step, and whether it does.
struct Multiples {
    static __device__ bool adds(unsigned t, unsigned stride) { return t % (2 * stride) == 0; }
    static __device__ unsigned word(unsigned t, unsigned) { return t; }
};

struct FirstThreads {
    static __device__ bool adds(unsigned t, unsigned stride) { return t < blockDim.x / 2 / stride; }
    static __device__ unsigned word(unsigned t, unsigned stride) { return 2 * stride * t; }
};

template <class Rule>
__device__ void rising_tree(int *tile) {
    for (unsigned stride = 1; stride != blockDim.x; stride *= 2) {
        if (Rule::adds(threadIdx.x, stride)) {
            unsigned word = Rule::word(threadIdx.x, stride);
            tile[word] = tile[word] + tile[word + stride];
        }
        __syncthreads();
    }
}

template <unsigned Last>
__device__ void falling_tree(int *tile) {
    for (unsigned stride = blockDim.x / 2; stride >= Last; stride /= 2) {
        if (threadIdx.x < stride)
            tile[threadIdx.x] += tile[threadIdx.x + stride];
        __syncthreads();
    }
}

template <unsigned PerThread>
__device__ void load(const int *in, size_t n, int *tile) {
    size_t base = (size_t)blockIdx.x * (PerThread * blockDim.x);
    size_t rest = n - base;   // of this block; never 0
    int mine = 0;
#pragma unroll
    for (unsigned k = 0; k < PerThread; k++)
        if (k * blockDim.x + threadIdx.x < rest)
            mine += in[base + k * blockDim.x + threadIdx.x];
    tile[threadIdx.x] = mine;
    __syncthreads();
}

__device__ void leave(const int *tile, int *partials) {
    if (threadIdx.x == 0)
        partials[blockIdx.x] = tile[0];
}

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    load<1>(in, n, tile);
    rising_tree<Multiples>(tile);
    leave(tile, partials);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    load<1>(in, n, tile);
    rising_tree<FirstThreads>(tile);
    leave(tile, partials);
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    load<1>(in, n, tile);
    falling_tree<1>(tile);
    leave(tile, partials);
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch,
                                      int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    __shared__ int tile[512];
    load<2>(in, n, tile);
    falling_tree<1>(tile);
    leave(tile, partials);
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, 2 * block, scratch, sum);
}

// In each step only those lanes add whose words no other lane reads.
__device__ int last_warp(int *tile, unsigned lane) {
    tile[lane] += tile[lane + 32];
    __syncwarp();
    if (lane < 16)
        tile[lane] += tile[lane + 16];
    __syncwarp();
    if (lane < 8)
        tile[lane] += tile[lane + 8];
    __syncwarp();
    if (lane < 4)
        tile[lane] += tile[lane + 4];
    __syncwarp();
    if (lane < 2)
        tile[lane] += tile[lane + 2];
    __syncwarp();
    return lane == 0 ? tile[0] + tile[1] : 0;
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    load<2>(in, n, tile);
    falling_tree<64>(tile);
    if (threadIdx.x < 32) {
        int total = last_warp(tile, threadIdx.x);
        if (threadIdx.x == 0)
            partials[blockIdx.x] = total;
    }
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_last_warp_kernel, in, n, block, 2 * block, scratch, sum);
}

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    const unsigned t = threadIdx.x;
    tile[t] = mine;
    __syncthreads();
#pragma unroll
    for (unsigned half = BLOCK / 2; half >= 64; half /= 2) {
        if (t < half)
            tile[t] += tile[t + half];
        __syncthreads();
    }
    if (t < 32) {
        mine = tile[t] + tile[t + 32];
#pragma unroll
        for (unsigned half = 16; half > 0; half /= 2)
            mine += __shfl_down_sync(ALL_LANES, mine, half);
    }
    return mine;
}

template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const size_t i = (size_t)blockIdx.x * BLOCK * 2 + threadIdx.x;
    const int total = block_sum<BLOCK>(tile, (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    switch (block) {
    case 64:
        return &sum_unrolled_kernel<64>;
    case 128:
        return &sum_unrolled_kernel<128>;
    case 256:
        return &sum_unrolled_kernel<256>;
    case 512:
        return &sum_unrolled_kernel<512>;
    case 1024:
        return &sum_unrolled_kernel<1024>;
    default:
        return nullptr;
    }
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, 2 * block, scratch, sum);
}

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    __shared__ int of_warps[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int mine = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (size_t)gridDim.x * BLOCK)
        mine += in[i];
    for (int bit = 16; bit > 0; bit /= 2)
        mine += __shfl_xor_sync(ALL_LANES, mine, bit);
    if (lane == 0)
        of_warps[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = lane < BLOCK / 32 ? of_warps[lane] : 0;
        for (int bit = 16; bit > 0; bit /= 2)
            mine += __shfl_xor_sync(ALL_LANES, mine, bit);
        if (lane == 0)
            partials[blockIdx.x] = mine;
    }
}

static inline ladder_kernel *many_kernel(unsigned block) {
    switch (block) {
    case 64:
        return &sum_many_kernel<64>;
    case 128:
        return &sum_many_kernel<128>;
    case 256:
        return &sum_many_kernel<256>;
    case 512:
        return &sum_many_kernel<512>;
    case 1024:
        return &sum_many_kernel<1024>;
    default:
        return nullptr;
    }
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    const size_t tiles = levels_n(n, block, 1);
    const size_t blocks = tiles <= 16 ? 1 : tiles / 16 < 1500 ? tiles / 16 : 1500;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}

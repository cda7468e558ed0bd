// Wrong: the last warp's words are volatile, which keeps them out of registers but makes no lane wait: a race between its steps.
// Kind: race
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned at = 2 * stride * t;
        if (at < blockDim.x)
            tile[at] += tile[at + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch,
                                      int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * 2 * blockDim.x + t;
    int mine = i < n ? in[i] : 0;

    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    tile[t] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, 2 * block, scratch, sum);
}

__device__ int last_warp(int *tile, unsigned lane) {
    volatile int *words = tile;
    words[lane] += words[lane + 32];
    words[lane] += words[lane + 16];
    words[lane] += words[lane + 8];
    words[lane] += words[lane + 4];
    words[lane] += words[lane + 2];
    words[lane] += words[lane + 1];
    return words[0];
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * 2 * blockDim.x + t;
    int mine = i < n ? in[i] : 0;

    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    tile[t] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t < 32) {
        mine = last_warp(tile, t);
        if (t == 0)
            partials[blockIdx.x] = mine;
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
    if (BLOCK >= 1024) {
        if (t < 512)
            tile[t] += tile[t + 512];
        __syncthreads();
    }
    if (BLOCK >= 512) {
        if (t < 256)
            tile[t] += tile[t + 256];
        __syncthreads();
    }
    if (BLOCK >= 256) {
        if (t < 128)
            tile[t] += tile[t + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (t < 64)
            tile[t] += tile[t + 64];
        __syncthreads();
    }
    return t < 32 ? last_warp(tile, t) : 0;
}

template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const size_t i = (size_t)blockIdx.x * (2 * BLOCK) + threadIdx.x;
    int mine = i < n ? in[i] : 0;

    if (i + BLOCK < n)
        mine += in[i + BLOCK];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    switch (block) {
    case 64: return sum_unrolled_kernel<64>;
    case 128: return sum_unrolled_kernel<128>;
    case 256: return sum_unrolled_kernel<256>;
    case 512: return sum_unrolled_kernel<512>;
    case 1024: return sum_unrolled_kernel<1024>;
    }
    return NULL;
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, 2 * block, scratch, sum);
}

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const size_t all = (size_t)gridDim.x * BLOCK;
    int mine = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += all)
        mine += in[i];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}

static inline ladder_kernel *many_kernel(unsigned block) {
    switch (block) {
    case 64: return sum_many_kernel<64>;
    case 128: return sum_many_kernel<128>;
    case 256: return sum_many_kernel<256>;
    case 512: return sum_many_kernel<512>;
    case 1024: return sum_many_kernel<1024>;
    }
    return NULL;
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    size_t blocks = n / (16 * (size_t)block);
    if (blocks < 1)
        blocks = 1;
    if (blocks > 2048)
        blocks = 2048;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}

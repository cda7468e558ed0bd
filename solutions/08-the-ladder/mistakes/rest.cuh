/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function of its own says so before it includes this. */
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials);
__global__ void sum_strided_kernel(const int *in, size_t n, int *partials);
__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials);
__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials);
__device__ int last_warp(int *tile, unsigned lane);
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials);
template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine);
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials);
static inline ladder_kernel *unrolled_kernel(unsigned block);
template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials);
static inline ladder_kernel *many_kernel(unsigned block);

#ifndef OWN_DIVERGENT_KERNEL
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
#endif

#ifndef OWN_DIVERGENT
extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}
#endif

#ifndef OWN_STRIDED_KERNEL
__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * t;
        if (index < blockDim.x)
            tile[index] += tile[index + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
#endif

#ifndef OWN_STRIDED
extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}
#endif

#ifndef OWN_SEQUENTIAL_KERNEL
__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
#endif

#ifndef OWN_SEQUENTIAL
extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch,
                                      int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}
#endif

#ifndef OWN_FIRST_ADD_KERNEL
__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 2 * blockDim.x + t, second = first + blockDim.x;
    int mine = first < n ? in[first] : 0;

    if (second < n)
        mine += in[second];
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
#endif

#ifndef OWN_FIRST_ADD
extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, 2 * block, scratch, sum);
}
#endif

#ifndef OWN_LAST_WARP
__device__ int last_warp(int *tile, unsigned lane) {
    int mine = tile[lane] + tile[lane + 32];
    mine += __shfl_down_sync(ALL_LANES, mine, 16);
    mine += __shfl_down_sync(ALL_LANES, mine, 8);
    mine += __shfl_down_sync(ALL_LANES, mine, 4);
    mine += __shfl_down_sync(ALL_LANES, mine, 2);
    mine += __shfl_down_sync(ALL_LANES, mine, 1);
    return mine;
}
#endif

#ifndef OWN_LAST_WARP_KERNEL
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 2 * blockDim.x + t, second = first + blockDim.x;
    int mine = first < n ? in[first] : 0;

    if (second < n)
        mine += in[second];
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
#endif

#ifndef OWN_LAST_WARP_SUM
extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    return sum_by_levels(sum_last_warp_kernel, in, n, block, 2 * block, scratch, sum);
}
#endif

#ifndef OWN_BLOCK_SUM
template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    unsigned t = threadIdx.x;

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
#endif

#ifndef OWN_UNROLLED_KERNEL
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    size_t first = (size_t)blockIdx.x * 2 * BLOCK + threadIdx.x, second = first + BLOCK;
    int mine = first < n ? in[first] : 0;

    if (second < n)
        mine += in[second];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}
#endif

#ifndef OWN_UNROLLED_KERNEL_OF
static inline ladder_kernel *unrolled_kernel(unsigned block) {
    switch (block) {
    case 64:
        return sum_unrolled_kernel<64>;
    case 128:
        return sum_unrolled_kernel<128>;
    case 256:
        return sum_unrolled_kernel<256>;
    case 512:
        return sum_unrolled_kernel<512>;
    case 1024:
        return sum_unrolled_kernel<1024>;
    }
    return NULL;
}
#endif

#ifndef OWN_UNROLLED
extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, 2 * block, scratch, sum);
}
#endif

#ifndef OWN_MANY_KERNEL
template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    size_t threads = (size_t)gridDim.x * BLOCK;
    int mine = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += threads)
        mine += in[i];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}
#endif

#ifndef OWN_MANY_KERNEL_OF
static inline ladder_kernel *many_kernel(unsigned block) {
    switch (block) {
    case 64:
        return sum_many_kernel<64>;
    case 128:
        return sum_many_kernel<128>;
    case 256:
        return sum_many_kernel<256>;
    case 512:
        return sum_many_kernel<512>;
    case 1024:
        return sum_many_kernel<1024>;
    }
    return NULL;
}
#endif

#ifndef OWN_MANY
extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    enum { INTS = 16, MOST = 1024 };
    size_t share = (size_t)block * INTS, blocks = n / share + (n % share > 0);

    return sum_by_grid(many_kernel(block), in, n, block, blocks < MOST ? blocks : MOST, scratch,
                       sum);
}
#endif

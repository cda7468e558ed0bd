// Wrong: rung 5's loop ends where 128 words are left, of which last_warp adds 64: from blocks of 128 on the others are lost.
// Kind: off-by-one
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

typedef const int *Ints;

// Calls `body` with 1, 2, 4 ... below `top`, or the other way round, with a barrier behind each call.
template <class Body> __device__ __forceinline__ void upwards(unsigned top, Body body) {
    for (unsigned d = 1; d < top; d *= 2) {
        body(d);
        __syncthreads();
    }
}

template <class Body> __device__ __forceinline__ void downwards(unsigned top, unsigned bottom, Body body) {
    for (unsigned d = top / 2; d > bottom; d /= 2) {
        body(d);
        __syncthreads();
    }
}

__global__ void sum_divergent_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;
    int &own = tile[t];

    own = i < n ? in[i] : 0;
    __syncthreads();
    upwards(blockDim.x, [&](unsigned d) {
        if (t % (d + d) == 0)
            own += tile[t + d];
    });
    if (t == 0)
        partials[blockIdx.x] = own;
}

extern "C" cudaError_t sum_divergent(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    upwards(blockDim.x, [&](unsigned d) {
        const unsigned k = 2 * d * t;
        if (k < blockDim.x)
            tile[k] += tile[k + d];
    });
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_strided(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    downwards(blockDim.x, 0, [&](unsigned d) {
        if (t < d)
            tile[t] += tile[t + d];
    });
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_sequential(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = 2 * (size_t)blockIdx.x * blockDim.x + t, j = i + blockDim.x;

    if (j < n)
        tile[t] = in[i] + in[j];
    else
        tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    downwards(blockDim.x, 0, [&](unsigned d) {
        if (t < d)
            tile[t] += tile[t + d];
    });
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_first_add(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, block << 1, scratch, sum);
}

__device__ int last_warp(int *tile, unsigned lane) {
    int mine = tile[lane] + tile[lane ^ 32];
    auto add_from = [&](int distance) { mine += __shfl_down_sync(ALL_LANES, mine, distance); };
    add_from(16);
    add_from(8);
    add_from(4);
    add_from(2);
    add_from(1);
    return mine;
}

__global__ void sum_last_warp_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = 2 * (size_t)blockIdx.x * blockDim.x + t, j = i + blockDim.x;

    if (j < n)
        tile[t] = in[i] + in[j];
    else
        tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    downwards(blockDim.x, 64, [&](unsigned d) {
        if (t < d)
            tile[t] += tile[t + d];
    });
    if (t >= 32)
        return;
    const int total = last_warp(tile, t);
    if (t == 0)
        partials[blockIdx.x] = total;
}

extern "C" cudaError_t sum_last_warp(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_last_warp_kernel, in, n, block, block << 1, scratch, sum);
}

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    const unsigned t = threadIdx.x;
    auto halve = [&](unsigned left) {
        if (t < left)
            tile[t] += tile[t + left];
        __syncthreads();
    };
    tile[t] = mine;
    __syncthreads();
    if (BLOCK / 2 >= 512)
        halve(512);
    if (BLOCK / 2 >= 256)
        halve(256);
    if (BLOCK / 2 >= 128)
        halve(128);
    if (BLOCK / 2 >= 64)
        halve(64);
    return t < warpSize ? last_warp(tile, t) : 0;
}

template <unsigned BLOCK> __global__ void sum_unrolled_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    const size_t i = (size_t)blockIdx.x * (2 * BLOCK) + threadIdx.x;
    int mine = 0;
    if (i < n)
        mine = in[i];
    if (i + BLOCK < n)
        mine += in[i + BLOCK];
    const int total = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    ladder_kernel *chosen = NULL;
    switch (block) {
    case 64: chosen = sum_unrolled_kernel<64>; break;
    case 128: chosen = sum_unrolled_kernel<128>; break;
    case 256: chosen = sum_unrolled_kernel<256>; break;
    case 512: chosen = sum_unrolled_kernel<512>; break;
    case 1024: chosen = sum_unrolled_kernel<1024>; break;
    }
    return chosen;
}

extern "C" cudaError_t sum_unrolled(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, block << 1, scratch, sum);
}

template <unsigned BLOCK> __global__ void sum_many_kernel(Ints in, size_t n, int *partials) {
    extern __shared__ int tile[];
    int even = 0, odd = 0;
    const size_t grid = (size_t)BLOCK * gridDim.x;
    size_t i = (size_t)BLOCK * blockIdx.x + threadIdx.x;
    for (; i + grid < n; i += 2 * grid) {
        even += in[i];
        odd += in[i + grid];
    }
    if (i < n)
        even += in[i];
    const int total = block_sum<BLOCK>(tile, even + odd);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}

static inline ladder_kernel *many_kernel(unsigned block) {
    ladder_kernel *chosen = NULL;
    switch (block) {
    case 64: chosen = sum_many_kernel<64>; break;
    case 128: chosen = sum_many_kernel<128>; break;
    case 256: chosen = sum_many_kernel<256>; break;
    case 512: chosen = sum_many_kernel<512>; break;
    case 1024: chosen = sum_many_kernel<1024>; break;
    }
    return chosen;
}

extern "C" cudaError_t sum_many(Ints in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // A quarter of a million threads at most, and ten ints a thread at least.
    size_t blocks = n / block / 10;
    const size_t most = (1u << 18) / block;
    if (blocks > most)
        blocks = most;
    return sum_by_grid(many_kernel(block), in, n, block, blocks > 0 ? blocks : 1, scratch, sum);
}

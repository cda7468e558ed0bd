// Wrong: two warps go into last_warp, which is meant for one: the second one reads and overwrites words behind the 64, and beyond the tile in a block of 64.
// Kind: condition
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

// What a block has: its place in the input, and its tile.
struct Share {
    const int *begin;
    size_t left;   // ints from there to the end of the input
    int *tile;
    unsigned t, threads;

    __device__ Share(const int *in, size_t n, unsigned ints, int *words) {
        const size_t skipped = (size_t)ints * blockIdx.x;
        begin = in + skipped;
        left = n - skipped;
        tile = words;
        t = threadIdx.x;
        threads = blockDim.x;
    }

    __device__ int at(unsigned k) const {
        return k < left ? begin[k] : 0;
    }

    __device__ void keep(int value) const {
        tile[t] = value;
        __syncthreads();
    }

    __device__ void add(bool is_mine, unsigned to, unsigned from) const {
        if (is_mine)
            tile[to] += tile[from];
        __syncthreads();
    }

    __device__ void tell(int *partials, int value) const {
        if (t == 0)
            partials[blockIdx.x] = value;
    }
};

extern __shared__ int dynamic_words[];

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, blockDim.x, dynamic_words);
    s.keep(s.at(s.t));
    for (unsigned step = 2; step <= s.threads; step *= 2)
        s.add(s.t % step == 0, s.t, s.t + step / 2);
    s.tell(partials, s.tile[0]);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, blockDim.x, dynamic_words);
    s.keep(s.at(s.t));
    for (unsigned step = 2; step <= s.threads; step *= 2)
        s.add(s.t * step < s.threads, s.t * step, s.t * step + step / 2);
    s.tell(partials, s.tile[0]);
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, blockDim.x, dynamic_words);
    s.keep(s.at(s.t));
    for (unsigned half = s.threads / 2; half > 0; half /= 2)
        s.add(s.t < half, s.t, s.t + half);
    s.tell(partials, s.tile[0]);
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, 2 * blockDim.x, dynamic_words);
    s.keep(s.at(s.t) + s.at(s.t + s.threads));
    for (unsigned half = s.threads / 2; half > 0; half /= 2)
        s.add(s.t < half, s.t, s.t + half);
    s.tell(partials, s.tile[0]);
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, 2 * block, scratch, sum);
}

// Reads and writes of a step, apart from each other.
__device__ int last_warp(int *tile, unsigned lane) {
    int r;
    r = tile[lane] + tile[lane + 32], __syncwarp(), tile[lane] = r, __syncwarp();
    r = tile[lane] + tile[lane + 16], __syncwarp(), tile[lane] = r, __syncwarp();
    r = tile[lane] + tile[lane + 8], __syncwarp(), tile[lane] = r, __syncwarp();
    r = tile[lane] + tile[lane + 4], __syncwarp(), tile[lane] = r, __syncwarp();
    r = tile[lane] + tile[lane + 2], __syncwarp(), tile[lane] = r, __syncwarp();
    return tile[lane] + tile[lane + 1];
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, 2 * blockDim.x, dynamic_words);
    s.keep(s.at(s.t) + s.at(s.t + s.threads));
    for (unsigned half = s.threads / 2; half >= 64; half /= 2)
        s.add(s.t < half, s.t, s.t + half);
    if (s.t < 64)
        s.tell(partials, last_warp(s.tile, s.t));
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_last_warp_kernel, in, n, block, 2 * block, scratch, sum);
}

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    const unsigned t = threadIdx.x;
    tile[t] = mine;
    __syncthreads();
    if constexpr (BLOCK > 512) {
        if (t < 512)
            tile[t] += tile[t + 512];
        __syncthreads();
    }
    if constexpr (BLOCK > 256) {
        if (t < 256)
            tile[t] += tile[t + 256];
        __syncthreads();
    }
    if constexpr (BLOCK > 128) {
        if (t < 128)
            tile[t] += tile[t + 128];
        __syncthreads();
    }
    if constexpr (BLOCK > 64) {
        if (t < 64)
            tile[t] += tile[t + 64];
        __syncthreads();
    }
    return t < 32 ? last_warp(tile, t) : 0;
}

template <unsigned BLOCK> __global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, 2 * BLOCK, dynamic_words);
    s.tell(partials, block_sum<BLOCK>(s.tile, s.at(s.t) + s.at(s.t + BLOCK)));
}

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    if (block == 64)
        return sum_unrolled_kernel<64>;
    if (block == 128)
        return sum_unrolled_kernel<128>;
    if (block == 256)
        return sum_unrolled_kernel<256>;
    if (block == 512)
        return sum_unrolled_kernel<512>;
    if (block == 1024)
        return sum_unrolled_kernel<1024>;
    return NULL;
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, 2 * block, scratch, sum);
}

template <unsigned BLOCK> __global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    const Share s(in, n, BLOCK, dynamic_words);
    const size_t hop = (size_t)BLOCK * gridDim.x;
    int mine = 0;
    for (size_t k = s.t; k < s.left; k += hop)
        mine += s.begin[k];
    s.tell(partials, block_sum<BLOCK>(s.tile, mine));
}

static inline ladder_kernel *many_kernel(unsigned block) {
    if (block == 64)
        return sum_many_kernel<64>;
    if (block == 128)
        return sum_many_kernel<128>;
    if (block == 256)
        return sum_many_kernel<256>;
    if (block == 512)
        return sum_many_kernel<512>;
    if (block == 1024)
        return sum_many_kernel<1024>;
    return NULL;
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    const size_t tiles = (n + block - 1) / block, most = 132 * 2048 / block;
    size_t blocks = (tiles + 8) / 9;
    if (blocks > most)
        blocks = most;
    if (blocks == 0)
        blocks = 1;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}

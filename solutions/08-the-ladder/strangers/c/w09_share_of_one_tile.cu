// Wrong: rung 5 tells sum_by_levels that a block has as many ints as threads, but its kernel takes twice as many: twice as many blocks run, of which the later half finds nothing, which is not the rung.
// Kind: grid
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

extern __shared__ int T[];

#define ME threadIdx.x
#define BLK blockIdx.x

static __device__ __forceinline__ size_t at(unsigned ints_per_thread)
{
    return (size_t)BLK * blockDim.x * ints_per_thread + ME;
}

static __device__ __forceinline__ int guarded(const int *in, size_t n, size_t i)
{
    int value = 0;
    if (i < n) {
        value = in[i];
    }
    return value;
}

static __device__ __forceinline__ void add_at(unsigned to, unsigned distance)
{
    int right = T[to + distance];
    T[to] = T[to] + right;
}

static __device__ __forceinline__ void result(int *partials)
{
    if (ME == 0) {
        partials[BLK] = T[0];
    }
}

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials)
{
    unsigned d;
    T[ME] = guarded(in, n, at(1));
    __syncthreads();
    for (d = 1; d <= blockDim.x / 2; d = d + d) {
        if (ME % (2 * d) == 0) {
            add_at(ME, d);
        }
        __syncthreads();
    }
    result(partials);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return sum_by_levels(&sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials)
{
    unsigned d;
    T[ME] = guarded(in, n, at(1));
    __syncthreads();
    for (d = 1; d <= blockDim.x / 2; d = d + d) {
        if (ME * 2 * d < blockDim.x) {
            add_at(ME * 2 * d, d);
        }
        __syncthreads();
    }
    result(partials);
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return sum_by_levels(&sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials)
{
    unsigned d;
    T[ME] = guarded(in, n, at(1));
    __syncthreads();
    for (d = blockDim.x / 2; d != 0; d = d / 2) {
        if (ME < d) {
            add_at(ME, d);
        }
        __syncthreads();
    }
    result(partials);
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return sum_by_levels(&sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials)
{
    unsigned d;
    size_t i = at(2);
    T[ME] = guarded(in, n, i) + guarded(in, n, i + blockDim.x);
    __syncthreads();
    for (d = blockDim.x / 2; d != 0; d = d / 2) {
        if (ME < d) {
            add_at(ME, d);
        }
        __syncthreads();
    }
    result(partials);
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return sum_by_levels(&sum_first_add_kernel, in, n, block, block * 2, scratch, sum);
}

__device__ int last_warp(int *tile, unsigned lane)
{
    int a = tile[lane] + tile[lane + 32];
    a = a + __shfl_down_sync(ALL_LANES, a, 16);
    a = a + __shfl_down_sync(ALL_LANES, a, 8);
    a = a + __shfl_down_sync(ALL_LANES, a, 4);
    a = a + __shfl_down_sync(ALL_LANES, a, 2);
    a = a + __shfl_down_sync(ALL_LANES, a, 1);
    return a;
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials)
{
    unsigned d;
    size_t i = at(2);
    T[ME] = guarded(in, n, i) + guarded(in, n, i + blockDim.x);
    __syncthreads();
    for (d = blockDim.x / 2; d > 32; d = d / 2) {
        if (ME < d) {
            add_at(ME, d);
        }
        __syncthreads();
    }
    if (ME < 32) {
        int total = last_warp(T, ME);
        if (ME == 0) {
            partials[BLK] = total;
        }
    }
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return sum_by_levels(&sum_last_warp_kernel, in, n, block, block, scratch, sum);
}

/* One step of the tree in a block that has it; nothing, not even a barrier, in another. */
template <unsigned BLOCK, unsigned D> static __device__ __forceinline__ void tree_step(int *tile)
{
    if (BLOCK >= 2 * D) {
        if (ME < D) {
            tile[ME] = tile[ME] + tile[ME + D];
        }
        __syncthreads();
    }
}

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine)
{
    tile[ME] = mine;
    __syncthreads();
    tree_step<BLOCK, 512>(tile);
    tree_step<BLOCK, 256>(tile);
    tree_step<BLOCK, 128>(tile);
    tree_step<BLOCK, 64>(tile);
    if (ME < 32) {
        mine = last_warp(tile, ME);
    }
    return mine;
}

template <unsigned BLOCK> __global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials)
{
    size_t i = (size_t)BLK * BLOCK * 2 + ME;
    int total = block_sum<BLOCK>(T, guarded(in, n, i) + guarded(in, n, i + BLOCK));
    if (ME == 0) {
        partials[BLK] = total;
    }
}

template <template <unsigned> class Of> static ladder_kernel *kernel_for(unsigned block)
{
    switch (block) {
    case 64: return Of<64>::kernel();
    case 128: return Of<128>::kernel();
    case 256: return Of<256>::kernel();
    case 512: return Of<512>::kernel();
    case 1024: return Of<1024>::kernel();
    default: return NULL;
    }
}

template <unsigned BLOCK> struct Unrolled {
    static ladder_kernel *kernel() { return sum_unrolled_kernel<BLOCK>; }
};

static inline ladder_kernel *unrolled_kernel(unsigned block)
{
    return kernel_for<Unrolled>(block);
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return sum_by_levels(unrolled_kernel(block), in, n, block, block * 2, scratch, sum);
}

template <unsigned BLOCK> __global__ void sum_many_kernel(const int *in, size_t n, int *partials)
{
    size_t i = (size_t)BLK * BLOCK + ME, step = (size_t)gridDim.x * BLOCK;
    int total = 0;
    while (i < n) {
        total = total + in[i];
        i = i + step;
    }
    total = block_sum<BLOCK>(T, total);
    if (ME == 0) {
        partials[BLK] = total;
    }
}

template <unsigned BLOCK> struct Many {
    static ladder_kernel *kernel() { return sum_many_kernel<BLOCK>; }
};

static inline ladder_kernel *many_kernel(unsigned block)
{
    return kernel_for<Many>(block);
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    if (!is_block(block))
        return cudaErrorInvalidValue;

    size_t tiles = n / block, blocks = 1;
    if (tiles >= 16) {
        blocks = tiles / 16;
    }
    if (blocks > 1320) {
        blocks = 1320;
    }
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}

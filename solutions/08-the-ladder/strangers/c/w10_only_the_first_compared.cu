// Wrong: only the first of a thread's two ints is compared with n; the second is read behind the end of the array.
// Kind: bound
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

/* Plain style: the running sum stays in a register, and the tile is where others find it. */
extern __shared__ int shared_ints[];

static __device__ void put(unsigned t, int value) {
    shared_ints[t] = value;
}

static __device__ int get(unsigned t) {
    return shared_ints[t];
}

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    unsigned me = threadIdx.x, stride = 1;
    size_t index = blockIdx.x;
    index *= blockDim.x;
    index += me;
    int sum = 0;
    if (index < n)
        sum = in[index];
    put(me, sum);
    __syncthreads();
    while (stride < blockDim.x) {
        if ((me & ((stride << 1) - 1)) == 0) {
            sum += get(me + stride);
            put(me, sum);
        }
        __syncthreads();
        stride <<= 1;
    }
    if (me == 0)
        partials[blockIdx.x] = sum;
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    unsigned me = threadIdx.x, stride = 1;
    size_t index = blockIdx.x;
    index *= blockDim.x;
    index += me;
    put(me, index < n ? in[index] : 0);
    __syncthreads();
    while (stride < blockDim.x) {
        unsigned left = me * stride * 2, right = left + stride;
        if (right < blockDim.x)
            put(left, get(left) + get(right));
        __syncthreads();
        stride <<= 1;
    }
    if (me == 0)
        partials[blockIdx.x] = get(0);
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

/* Leaves `enough` words, the first of which are in shared memory and behind a barrier. */
static __device__ int fold(unsigned me, int sum, unsigned enough) {
    unsigned half = blockDim.x;
    put(me, sum);
    __syncthreads();
    while ((half >>= 1) >= enough) {
        if (me < half) {
            sum += get(me + half);
            put(me, sum);
        }
        __syncthreads();
    }
    return sum;
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    unsigned me = threadIdx.x;
    size_t index = blockIdx.x;
    index *= blockDim.x;
    index += me;
    int sum = fold(me, index < n ? in[index] : 0, 1);
    if (me == 0)
        partials[blockIdx.x] = sum;
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

static __device__ int load_pair(const int *in, size_t n, unsigned me) {
    size_t index = blockIdx.x, other;
    int sum = 0;
    index *= blockDim.x;
    index *= 2;
    index += me;
    other = index + blockDim.x;
    if (index < n)
        sum = in[index] + in[other];
    return sum;
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    unsigned me = threadIdx.x;
    int sum = fold(me, load_pair(in, n, me), 1);
    if (me == 0)
        partials[blockIdx.x] = sum;
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_first_add_kernel, in, n, block, block + block, scratch, sum);
}

__device__ int last_warp(int *tile, unsigned lane) {
    int a = tile[lane], b = tile[lane + 32];
    a += b;
    b = __shfl_xor_sync(ALL_LANES, a, 16);
    a += b;
    b = __shfl_xor_sync(ALL_LANES, a, 8);
    a += b;
    b = __shfl_xor_sync(ALL_LANES, a, 4);
    a += b;
    b = __shfl_xor_sync(ALL_LANES, a, 2);
    a += b;
    b = __shfl_xor_sync(ALL_LANES, a, 1);
    return a + b;
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    unsigned me = threadIdx.x;
    fold(me, load_pair(in, n, me), 64);
    if (me < 32) {
        int sum = last_warp(shared_ints, me);
        if (me == 0)
            partials[blockIdx.x] = sum;
    }
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_last_warp_kernel, in, n, block, block + block, scratch, sum);
}

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    unsigned me = threadIdx.x;
    tile[me] = mine;
    __syncthreads();
    if (BLOCK == 1024) {
        if (me < 512)
            tile[me] = mine = mine + tile[me + 512];
        __syncthreads();
    }
    if (BLOCK > 256) {
        if (me < 256)
            tile[me] = mine = mine + tile[me + 256];
        __syncthreads();
    }
    if (BLOCK > 128) {
        if (me < 128)
            tile[me] = mine = mine + tile[me + 128];
        __syncthreads();
    }
    if (BLOCK > 64) {
        if (me < 64)
            tile[me] = mine = mine + tile[me + 64];
        __syncthreads();
    }
    if (me < 32)
        mine = last_warp(tile, me);
    return mine;
}

template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    int sum = block_sum<BLOCK>(shared_ints, load_pair(in, n, threadIdx.x));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    static ladder_kernel *const kernels[] = {sum_unrolled_kernel<64>, sum_unrolled_kernel<128>,
                                             sum_unrolled_kernel<256>, sum_unrolled_kernel<512>,
                                             sum_unrolled_kernel<1024>};
    for (unsigned k = 0; k < 5; k++)
        if (block == 64u << k)
            return kernels[k];
    return NULL;
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(unrolled_kernel(block), in, n, block, block + block, scratch, sum);
}

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    size_t threads = gridDim.x, index = blockIdx.x;
    int sum = 0;
    threads *= BLOCK;
    index *= BLOCK;
    index += threadIdx.x;
    for (; index + 3 * threads < n; index += 4 * threads) {
        int a = in[index], b = in[index + threads];
        int c = in[index + 2 * threads], d = in[index + 3 * threads];
        sum += a + b + c + d;
    }
    for (; index < n; index += threads)
        sum += in[index];
    sum = block_sum<BLOCK>(shared_ints, sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static inline ladder_kernel *many_kernel(unsigned block) {
    static ladder_kernel *const kernels[] = {sum_many_kernel<64>, sum_many_kernel<128>, sum_many_kernel<256>,
                                             sum_many_kernel<512>, sum_many_kernel<1024>};
    for (unsigned k = 0; k < 5; k++)
        if (block == 64u << k)
            return kernels[k];
    return NULL;
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    size_t blocks = 1;
    while (blocks < 512 && n / block / 16 >= blocks * 2)
        blocks *= 2;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}

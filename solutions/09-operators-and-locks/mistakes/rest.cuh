/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function or an operator of its own says so before it includes this; operators stand before, too. */
#ifndef REST_CUH
#define REST_CUH

#include "reduce.cuh"

template <class Op>
__device__ typename Op::value thread_reduce(const typename Op::element *in, size_t n);
template <class Op> __device__ typename Op::value block_reduce(typename Op::value mine);
__device__ double deviation_of(struct moments all);
__global__ void sum_by_threads_kernel(const int *in, size_t n, int *sum);
__global__ void sum_by_blocks_kernel(const int *in, size_t n, int *sum);
__device__ void acquire(int *lock);
__device__ void release(int *lock);
__global__ void sum_by_lock_kernel(const int *in, size_t n, int *lock, int *sum);

struct sum_op {
    typedef int element;
    typedef int value;

    static __device__ value identity() {
        return 0;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return a + b;
    }
};

#ifndef OWN_THREAD_REDUCE
template <class Op>
__device__ typename Op::value thread_reduce(const typename Op::element *in, size_t n) {
    typename Op::value mine = Op::identity();

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        mine = Op::combine(mine, Op::of(in[i], i));
    return mine;
}
#endif

#ifndef OWN_BLOCK_REDUCE
template <class Op> __device__ typename Op::value block_reduce(typename Op::value mine) {
    typename Op::value *tile = shared_tile<typename Op::value>();

    unsigned t = threadIdx.x;

    tile[t] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] = Op::combine(tile[t], tile[t + stride]);
        __syncthreads();
    }
    return tile[0];
}
#endif

#ifndef OWN_REDUCE_KERNEL
template <class Op>
__global__ void reduce_kernel(const typename Op::element *in, size_t n,
                              typename Op::value *partials) {
    typename Op::value all = block_reduce<Op>(thread_reduce<Op>(in, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = all;
}
#endif

#ifndef OWN_BY_PARTIALS
extern "C" cudaError_t sum_by_partials(const int *in, size_t n, unsigned block, int *partials,
                                       int *sum) {
    return reduce<sum_op>(in, n, block, partials, sum);
}
#endif

#ifndef OWN_MAX
struct max_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return -INFINITY;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return isnan(a) || a > b ? a : b;
    }
};
#endif

#ifndef OWN_MIN
struct min_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return INFINITY;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return isnan(a) || a < b ? a : b;
    }
};
#endif

#ifndef OWN_MAX_OF
extern "C" cudaError_t max_of(const float *in, size_t n, unsigned block, float *partials,
                              float *max) {
    return reduce<max_op>(in, n, block, partials, max);
}
#endif

#ifndef OWN_MIN_OF
extern "C" cudaError_t min_of(const float *in, size_t n, unsigned block, float *partials,
                              float *min) {
    return reduce<min_op>(in, n, block, partials, min);
}
#endif

#ifndef OWN_ARGMAX
struct argmax_op {
    typedef float element;
    typedef struct largest value;

    static __device__ value identity() {
        value none = {-INFINITY, NO_INDEX};
        return none;
    }
    static __device__ value of(element x, size_t i) {
        value entered = {x, i};
        return entered;
    }
    static __device__ value combine(value a, value b) {
        bool a_is_nan = isnan(a.value), b_is_nan = isnan(b.value);

        if (a_is_nan != b_is_nan)
            return a_is_nan ? a : b;
        if (!a_is_nan && a.value != b.value)
            return a.value > b.value ? a : b;
        return a.index < b.index ? a : b;
    }
};
#endif

#ifndef OWN_ARGMAX_OF
extern "C" cudaError_t argmax(const float *in, size_t n, unsigned block, struct largest *partials,
                              struct largest *best) {
    return reduce<argmax_op>(in, n, block, partials, best);
}
#endif

#ifndef OWN_MOMENTS
struct moments_op {
    typedef double element;
    typedef struct moments value;

    static __device__ value identity() {
        value none = {0, 0, 0};
        return none;
    }
    static __device__ value of(element x, size_t) {
        value one = {1, x, 0};
        return one;
    }
    static __device__ value combine(value a, value b) {
        value both = {a.n + b.n, 0, 0};

        if (both.n == 0)
            return a;
        double distance = b.mean - a.mean, share = b.n / both.n;
        both.mean = a.mean + distance * share;
        both.m2 = a.m2 + b.m2 + distance * distance * a.n * share;
        return both;
    }
};
#endif

#ifndef OWN_DEVIATION
__device__ double deviation_of(struct moments all) {
    return all.n > 0 ? sqrt(all.m2 / all.n) : 0;
}
#endif

__global__ void store_moments_kernel(const struct moments *all, double *mean, double *deviation) {
    *mean = all->mean;
    *deviation = deviation_of(*all);
}

#ifndef OWN_MEAN_DEVIATION
extern "C" cudaError_t mean_deviation(const double *in, size_t n, unsigned block,
                                      struct moments *partials, double *mean, double *deviation) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    struct moments *all = partials + operator_blocks(n, block);
    cudaError_t error = reduce<moments_op>(in, n, block, partials, all);

    if (error != cudaSuccess)
        return error;
    store_moments_kernel<<<1, 1>>>(all, mean, deviation);
    return cudaGetLastError();
}
#endif

#ifndef OWN_BY_THREADS_KERNEL
__global__ void sum_by_threads_kernel(const int *in, size_t n, int *sum) {
    atomicAdd(sum, thread_reduce<sum_op>(in, n));
}
#endif

#ifndef OWN_BY_THREADS
extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_threads_kernel<<<operator_blocks(n, block), block>>>(in, n, sum);
    return cudaGetLastError();
}
#endif

#ifndef OWN_BY_BLOCKS_KERNEL
__global__ void sum_by_blocks_kernel(const int *in, size_t n, int *sum) {
    int all = block_reduce<sum_op>(thread_reduce<sum_op>(in, n));

    if (threadIdx.x == 0)
        atomicAdd(sum, all);
}
#endif

#ifndef OWN_BY_BLOCKS
extern "C" cudaError_t sum_by_blocks(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_blocks_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, sum);
    return cudaGetLastError();
}
#endif

#ifndef OWN_ACQUIRE
__device__ void acquire(int *lock) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}
#endif

#ifndef OWN_RELEASE
__device__ void release(int *lock) {
    __threadfence();
    atomicExch(lock, 0);
}
#endif

#ifndef OWN_BY_LOCK_KERNEL
__global__ void sum_by_lock_kernel(const int *in, size_t n, int *lock, int *sum) {
    int all = block_reduce<sum_op>(thread_reduce<sum_op>(in, n));

    if (threadIdx.x == 0) {
        acquire(lock);
        *sum += all;
        release(lock);
    }
}
#endif

#ifndef OWN_BY_LOCK
extern "C" cudaError_t sum_by_lock(const int *in, size_t n, unsigned block, int *lock, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error == cudaSuccess)
        error = cudaMemset(lock, 0, sizeof *lock);
    if (error != cudaSuccess)
        return error;
    sum_by_lock_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, lock, sum);
    return cudaGetLastError();
}
#endif

#endif

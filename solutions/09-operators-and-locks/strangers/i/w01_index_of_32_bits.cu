// Wrong: the loop's index has 32 bits, wraps around beyond 2^32 elements and never gets as large as n
// Kind: type
/*
 * Lab 09: operators, locks, atomics. Handout: handouts/09-operators-and-locks.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the template (TODO 1), three operators for it (TODO 2
 * to 4), and two more ways to a sum (TODO 5 and 6). Each can be tested when it is done.
 */
#include "reduce.cuh"

/*
 * Predictions, before you run anything. They are about 2^16 ints or doubles in blocks of 256 threads,
 * 32 blocks; -1 means "not answered". They cost no points: the grader sets them beside what it counted
 * on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_by_threads: how many atomic requests? Lanes of a warp that add together make one.
extern "C" const int predicted_thread_atomics = 256;

// sum_by_blocks: how many atomic requests?
extern "C" const int predicted_block_atomics = 32;

// sum_by_lock: how often is *sum stored to by the kernel?
extern "C" const int predicted_lock_stores = 32;

// mean_deviation: how many bytes of shared memory has a block of 256?
extern "C" const int predicted_moments_bytes = 6144;

// END TODO(0)

/* The sum of ints as an operator, as an example. */
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

/* What this thread has to bring: the value of its elements of `in`. All threads of the grid share
 * the n elements, neighbouring lanes neighbouring ones; who gets none brings the identity. */
template <class Op>
__device__ typename Op::value thread_reduce(const typename Op::element *in, size_t n) {
    // TODO(1): a loop over every so many-th element (about 6 lines)
    const size_t step = (size_t)gridDim.x * blockDim.x;
    typename Op::value mine = Op::identity();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine = Op::combine(mine, Op::of(in[i], i));
    return mine;
    // END TODO(1)
}

/* All that the block's threads bring, combined, in thread 0; what the others get is of no use. All
 * of them must call it, and at most once a kernel: it uses the tile. */
template <class Op> __device__ typename Op::value block_reduce(typename Op::value mine) {
    typename Op::value *tile = shared_tile<typename Op::value>();

    // TODO(1): the tree of lab 08's third rung, with combine in place of + (about 9 lines)
    const unsigned t = threadIdx.x;

    tile[t] = mine;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            mine = Op::combine(mine, tile[t + half]);
            tile[t] = mine;
        }
    }
    return mine;
    // END TODO(1)
}

template <class Op>
__global__ void reduce_kernel(const typename Op::element *in, size_t n,
                              typename Op::value *partials) {
    // TODO(1): one value a block (about 3 lines)
    typename Op::value all = block_reduce<Op>(thread_reduce<Op>(in, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = all;
    // END TODO(1)
}

extern "C" cudaError_t sum_by_partials(const int *in, size_t n, unsigned block, int *partials,
                                       int *sum) {
    // TODO(1): hand sum_op to reduce (1 line)
    return reduce<sum_op>(in, n, block, partials, sum);
    // END TODO(1)
}

struct max_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        // TODO(2): what is below all floats (1 line)
        return -INFINITY;
        // END TODO(2)
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        // TODO(2): the larger one; a NaN, if either is one (about 3 lines)
        if (a != a)
            return a;
        if (b != b)
            return b;
        return a > b ? a : b;
        // END TODO(2)
    }
};

struct min_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        // TODO(2): what is above all floats (1 line)
        return INFINITY;
        // END TODO(2)
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        // TODO(2): the smaller one; a NaN, if either is one (about 3 lines)
        if (a != a)
            return a;
        if (b != b)
            return b;
        return a < b ? a : b;
        // END TODO(2)
    }
};

extern "C" cudaError_t max_of(const float *in, size_t n, unsigned block, float *partials,
                              float *max) {
    // TODO(2): hand max_op to reduce (1 line)
    return reduce<max_op>(in, n, block, partials, max);
    // END TODO(2)
}

extern "C" cudaError_t min_of(const float *in, size_t n, unsigned block, float *partials,
                              float *min) {
    // TODO(2): hand min_op to reduce (1 line)
    return reduce<min_op>(in, n, block, partials, min);
    // END TODO(2)
}

/* The largest element and its index. A tournament: of each two, the winner goes on. */
struct argmax_op {
    typedef float element;
    typedef struct largest value;

    static __device__ value identity() {
        // TODO(3): who loses against every element (about 2 lines)
        value nobody = {-INFINITY, NO_INDEX};
        return nobody;
        // END TODO(3)
    }
    static __device__ value of(element x, size_t i) {
        // TODO(3): an element as it enters (about 2 lines)
        value one = {x, i};
        return one;
        // END TODO(3)
    }
    static __device__ value combine(value a, value b) {
        // TODO(3): who goes on: NaN before numbers, larger ones, smaller indices (about 6 lines)
        const bool a_nan = isnan(a.value), b_nan = isnan(b.value);

        if (a_nan != b_nan)
            return a_nan ? a : b;
        if (!a_nan && a.value != b.value)
            return a.value > b.value ? a : b;
        return a.index < b.index ? a : b;
        // END TODO(3)
    }
};

extern "C" cudaError_t argmax(const float *in, size_t n, unsigned block, struct largest *partials,
                              struct largest *best) {
    // TODO(3): hand argmax_op to reduce (1 line)
    return reduce<argmax_op>(in, n, block, partials, best);
    // END TODO(3)
}

/* Number, mean and sum of squared distances from the mean. */
struct moments_op {
    typedef double element;
    typedef struct moments value;

    static __device__ value identity() {
        value none = {0, 0, 0};
        return none;
    }
    static __device__ value of(element x, size_t) {
        // TODO(4): the moments of one number (about 2 lines)
        value one = {1, x, 0};
        return one;
        // END TODO(4)
    }
    static __device__ value combine(value a, value b) {
        // TODO(4): the moments of both parts together; either may have no numbers (about 8 lines)
        if (a.n == 0)
            return b;
        if (b.n == 0)
            return a;

        const double d = b.mean - a.mean;
        value both;
        both.n = a.n + b.n;
        both.mean = a.mean + d * (b.n / both.n);
        both.m2 = a.m2 + b.m2 + d * d * (a.n * (b.n / both.n));
        return both;
        // END TODO(4)
    }
};

/* The standard deviation that these moments tell of; 0 of no numbers. */
__device__ double deviation_of(struct moments all) {
    // TODO(4): from m2 and n (about 1 line)
    if (all.n == 0)
        return 0;
    return sqrt(all.m2 / all.n);
    // END TODO(4)
}

__global__ void store_moments_kernel(const struct moments *all, double *mean, double *deviation) {
    *mean = all->mean;
    *deviation = deviation_of(*all);
}

extern "C" cudaError_t mean_deviation(const double *in, size_t n, unsigned block,
                                      struct moments *partials, double *mean, double *deviation) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(4): hand moments_op to reduce, with the last of `partials` for the result, then launch
    // store_moments_kernel in one thread (about 6 lines)
    struct moments *all = partials + operator_blocks(n, block);
    cudaError_t error = reduce<moments_op>(in, n, block, partials, all);

    if (error != cudaSuccess)
        return error;
    store_moments_kernel<<<1, 1>>>(all, mean, deviation);
    return cudaGetLastError();
    // END TODO(4)
}

/* Each thread adds what it has to *sum. */
__global__ void sum_by_threads_kernel(const int *in, size_t n, int *sum) {
    // TODO(5): thread_reduce, then an atomic (1 or 2 lines)
    atomicAdd(sum, thread_reduce<sum_op>(in, n));
    // END TODO(5)
}

extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(5): clear *sum, then launch operator_blocks(n, block) blocks (about 5 lines)
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_threads_kernel<<<operator_blocks(n, block), block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(5)
}

/* Each block adds what it has to *sum. */
__global__ void sum_by_blocks_kernel(const int *in, size_t n, int *sum) {
    // TODO(5): the same by one thread of the block, of all that the block has (about 3 lines)
    const int all = block_reduce<sum_op>(thread_reduce<sum_op>(in, n));

    if (threadIdx.x == 0)
        atomicAdd(sum, all);
    // END TODO(5)
}

extern "C" cudaError_t sum_by_blocks(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(5): the same; how much shared memory does block_reduce want? (about 5 lines)
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_blocks_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(5)
}

/* Waits until nobody holds the lock, and takes it: 0 is free, 1 is held. What other holders stored
 * before they released it, the caller sees afterwards. One thread of a block calls it. */
__device__ void acquire(int *lock) {
    // TODO(6): a loop around atomicCAS, and a fence behind it (about 3 lines)
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    // END TODO(6)
}

/* Gives the lock back. What the caller stored before, the next holder sees. */
__device__ void release(int *lock) {
    // TODO(6): a fence, and then an atomicExch (2 lines)
    __threadfence();
    atomicExch(lock, 0);
    // END TODO(6)
}

/* Each block adds what it has to *sum, one block at a time. */
__global__ void sum_by_lock_kernel(const int *in, size_t n, int *lock, int *sum) {
    // TODO(6): as sum_by_blocks_kernel, with *sum += all between acquire and release (about 6 lines)
    const int all = block_reduce<sum_op>(thread_reduce<sum_op>(in, n));

    if (threadIdx.x == 0) {
        acquire(lock);
        *sum += all;
        release(lock);
    }
    // END TODO(6)
}

extern "C" cudaError_t sum_by_lock(const int *in, size_t n, unsigned block, int *lock, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(6): what must *sum and *lock hold before the launch? (about 7 lines)
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    error = cudaMemsetAsync(lock, 0, sizeof *lock);
    if (error != cudaSuccess)
        return error;
    sum_by_lock_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, lock, sum);
    return cudaGetLastError();
    // END TODO(6)
}

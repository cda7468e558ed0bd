// Right: the first warp gathers columns of the tile and ends by __syncwarp; two values a thread; the lock is taken by atomicExch
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
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    typename Op::value even = Op::identity(), odd = Op::identity();

    // Two at a time: neither of the two has to wait for the other.
    for (; i + step < n; i += 2 * step) {
        even = Op::combine(even, Op::of(in[i], i));
        odd = Op::combine(odd, Op::of(in[i + step], i + step));
    }
    if (i < n)
        even = Op::combine(even, Op::of(in[i], i));
    return Op::combine(even, odd);
    // END TODO(1)
}

/* All that the block's threads bring, combined, in thread 0; what the others get is of no use. All
 * of them must call it, and at most once a kernel: it uses the tile. */
template <class Op> __device__ typename Op::value block_reduce(typename Op::value mine) {
    typename Op::value *tile = shared_tile<typename Op::value>();

    // TODO(1): the tree of lab 08's third rung, with combine in place of + (about 9 lines)
    const unsigned t = threadIdx.x, lanes = 32;

    tile[t] = mine;
    __syncthreads();
    if (t >= lanes)
        return mine;

    // The first warp takes what the others have, each lane its column, and is then alone.
    for (unsigned other = t + lanes; other < blockDim.x; other += lanes)
        mine = Op::combine(mine, tile[other]);
    for (unsigned half = lanes / 2; half > 0; half /= 2) {
        tile[t] = mine;
        __syncwarp();
        if (t < half)
            mine = Op::combine(mine, tile[t + half]);
        __syncwarp();
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
        // fmaxf drops a NaN, but a sum keeps it.
        return isnan(a) || isnan(b) ? a + b : fmaxf(a, b);
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
        return isnan(a) || isnan(b) ? a + b : fminf(a, b);
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

/* Does a win against b? Exactly one of two different elements does. */
__device__ bool beats(const struct largest &a, const struct largest &b) {
    if (a.value > b.value || (isnan(a.value) && !isnan(b.value)))
        return true;
    if (a.value < b.value || (isnan(b.value) && !isnan(a.value)))
        return false;
    return a.index < b.index; // equal, or NaN both
}

/* The largest element and its index. A tournament: of each two, the winner goes on. */
struct argmax_op {
    typedef float element;
    typedef struct largest value;

    static __device__ value identity() {
        // TODO(3): who loses against every element (about 2 lines)
        value none;
        none.value = -INFINITY;
        none.index = NO_INDEX;
        return none;
        // END TODO(3)
    }
    static __device__ value of(element x, size_t i) {
        // TODO(3): an element as it enters (about 2 lines)
        value me;
        me.value = x;
        me.index = i;
        return me;
        // END TODO(3)
    }
    static __device__ value combine(value a, value b) {
        // TODO(3): who goes on: NaN before numbers, larger ones, smaller indices (about 6 lines)
        return beats(a, b) ? a : b;
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
        return moments{1, x, 0};
        // END TODO(4)
    }
    static __device__ value combine(value a, value b) {
        // TODO(4): the moments of both parts together; either may have no numbers (about 8 lines)
        const double n = a.n + b.n, d = b.mean - a.mean;
        if (n == 0)
            return a;
        const double share = b.n / n;
        return moments{n, a.mean + d * share, a.m2 + b.m2 + d * (a.n * share) * d};
        // END TODO(4)
    }
};

/* The standard deviation that these moments tell of; 0 of no numbers. */
__device__ double deviation_of(struct moments all) {
    // TODO(4): from m2 and n (about 1 line)
    return all.n > 0 ? sqrt(all.m2 / all.n) : 0;
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
    const unsigned blocks = operator_blocks(n, block);
    cudaError_t error = reduce<moments_op>(in, n, block, partials, &partials[blocks]);
    if (error == cudaSuccess) {
        store_moments_kernel<<<1, 1>>>(&partials[blocks], mean, deviation);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(4)
}

/* Puts a fill of one word with 0 into the default stream. */
static cudaError_t cleared(int *word) {
    return cudaMemsetAsync(word, 0, sizeof(int), 0);
}

/* Each thread adds what it has to *sum. */
__global__ void sum_by_threads_kernel(const int *in, size_t n, int *sum) {
    // TODO(5): thread_reduce, then an atomic (1 or 2 lines)
    const int mine = thread_reduce<sum_op>(in, n);
    atomicAdd(sum, mine);
    // END TODO(5)
}

extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(5): clear *sum, then launch operator_blocks(n, block) blocks (about 5 lines)
    const unsigned blocks = operator_blocks(n, block);
    cudaError_t error = cleared(sum);
    if (error == cudaSuccess) {
        sum_by_threads_kernel<<<blocks, block>>>(in, n, sum);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(5)
}

/* Each block adds what it has to *sum. */
__global__ void sum_by_blocks_kernel(const int *in, size_t n, int *sum) {
    // TODO(5): the same by one thread of the block, of all that the block has (about 3 lines)
    const int mine = thread_reduce<sum_op>(in, n), all = block_reduce<sum_op>(mine);
    if (threadIdx.x > 0)
        return;
    atomicAdd(sum, all);
    // END TODO(5)
}

extern "C" cudaError_t sum_by_blocks(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(5): the same; how much shared memory does block_reduce want? (about 5 lines)
    const unsigned blocks = operator_blocks(n, block);
    cudaError_t error = cleared(sum);
    if (error == cudaSuccess) {
        sum_by_blocks_kernel<<<blocks, block, sizeof(sum_op::value) * block>>>(in, n, sum);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(5)
}

/* Waits until nobody holds the lock, and takes it: 0 is free, 1 is held. What other holders stored
 * before they released it, the caller sees afterwards. One thread of a block calls it. */
__device__ void acquire(int *lock) {
    // TODO(6): a loop around atomicCAS, and a fence behind it (about 3 lines)
    // Whoever finds 0 has taken it; whoever finds 1 has stored what was there.
    bool held;
    do
        held = atomicExch(lock, 1) != 0;
    while (held);
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
    const int mine = thread_reduce<sum_op>(in, n), all = block_reduce<sum_op>(mine);
    if (threadIdx.x > 0)
        return;

    acquire(lock);
    const int before = *sum;
    *sum = before + all;
    release(lock);
    // END TODO(6)
}

extern "C" cudaError_t sum_by_lock(const int *in, size_t n, unsigned block, int *lock, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(6): what must *sum and *lock hold before the launch? (about 7 lines)
    const unsigned blocks = operator_blocks(n, block);
    cudaError_t error = cleared(sum);
    if (error == cudaSuccess)
        error = cleared(lock);
    if (error == cudaSuccess) {
        sum_by_lock_kernel<<<blocks, block, sizeof(sum_op::value) * block>>>(in, n, lock, sum);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(6)
}

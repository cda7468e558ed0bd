/*
 * The launches of a reduction. Given: this lab is about operators, and about who adds last.
 *
 * An operator is a struct of types and functions, here called Op:
 *
 *   element        what `in` is an array of
 *   value          what is combined: an element, or what one has to know of many of them
 *   identity()     the value of no elements: combine(identity(), a) is a
 *   of(x, i)       the value of x = in[i] alone
 *   combine(a, b)  the value of a's and b's elements together, associative and commutative
 */
#ifndef REDUCE_CUH
#define REDUCE_CUH

#include "operators.h"

/* The block's dynamic shared memory, as an array of T. The simulator's messages call it tile, and
 * count numbers: a struct moments has three, so the second one begins at tile[3]. */
template <class T> __device__ T *shared_tile() {
    extern __shared__ __align__(16) unsigned char tile[];
    return reinterpret_cast<T *>(tile);
}

/* A power of two, from 32 to 1024. */
static inline bool is_block(unsigned block) {
    return block >= 32 && block <= 1024 && (block & (block - 1)) == 0;
}

/* The same operator for elements that are values already: partial results. */
template <class Op> struct merged {
    typedef typename Op::value element;
    typedef typename Op::value value;

    static __device__ value identity() {
        return Op::identity();
    }
    static __device__ value of(value x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return Op::combine(a, b);
    }
};

/* Yours (TODO 1). It gets blockDim.x values of dynamic shared memory. */
template <class Op>
__global__ void reduce_kernel(const typename Op::element *in, size_t n,
                              typename Op::value *partials);

/* Reduces `in` to one value for each block, and those to *result. Where one block is enough, its
 * value is the result. */
template <class Op>
static inline cudaError_t reduce(const typename Op::element *in, size_t n, unsigned block,
                                 typename Op::value *partials, typename Op::value *result) {
    const size_t bytes = block * sizeof(typename Op::value);

    if (!is_block(block))
        return cudaErrorInvalidValue;
    unsigned blocks = operator_blocks(n, block);
    reduce_kernel<Op><<<blocks, block, bytes>>>(in, n, blocks > 1 ? partials : result);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    reduce_kernel<merged<Op>><<<1, block, bytes>>>(partials, blocks, result);
    return cudaGetLastError();
}

#endif

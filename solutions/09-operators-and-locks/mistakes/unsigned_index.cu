/* The index has 32 bits, none of which is a sign: it never gets as large as n. */
#define OWN_THREAD_REDUCE
#include "rest.cuh"

template <class Op>
__device__ typename Op::value thread_reduce(const typename Op::element *in, size_t n) {
    typename Op::value mine = Op::identity();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine = Op::combine(mine, Op::of(in[i], i));
    return mine;
}

/* A thread goes on by the threads of its block, not of the grid. */
#define OWN_THREAD_REDUCE
#include "rest.cuh"

template <class Op>
__device__ typename Op::value thread_reduce(const typename Op::element *in, size_t n) {
    typename Op::value mine = Op::identity();

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        mine = Op::combine(mine, Op::of(in[i], i));
    return mine;
}

/* Each thread begins with its first element, whether it has one or not. */
#define OWN_THREAD_REDUCE
#include "rest.cuh"

template <class Op>
__device__ typename Op::value thread_reduce(const typename Op::element *in, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    typename Op::value mine = Op::of(in[i], i);

    for (i += (size_t)gridDim.x * blockDim.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        mine = Op::combine(mine, Op::of(in[i], i));
    return mine;
}

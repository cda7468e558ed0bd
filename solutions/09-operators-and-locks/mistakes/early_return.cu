/* Threads without an element leave before the tree. */
#define OWN_REDUCE_KERNEL
#include "rest.cuh"

template <class Op>
__global__ void reduce_kernel(const typename Op::element *in, size_t n,
                              typename Op::value *partials) {
    if ((size_t)blockIdx.x * blockDim.x + threadIdx.x >= n && n > 0)
        return;
    typename Op::value all = block_reduce<Op>(thread_reduce<Op>(in, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = all;
}

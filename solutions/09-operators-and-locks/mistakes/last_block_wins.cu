/* The result of each block goes to the first place. */
#define OWN_REDUCE_KERNEL
#include "rest.cuh"

template <class Op>
__global__ void reduce_kernel(const typename Op::element *in, size_t n,
                              typename Op::value *partials) {
    typename Op::value all = block_reduce<Op>(thread_reduce<Op>(in, n));

    if (threadIdx.x == 0)
        *partials = all;
}

/* Every thread stores its own word of the tile. */
#define OWN_BLOCK_REDUCE
#define OWN_REDUCE_KERNEL
#include "rest.cuh"

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
    return tile[t];
}

template <class Op>
__global__ void reduce_kernel(const typename Op::element *in, size_t n,
                              typename Op::value *partials) {
    partials[blockIdx.x] = block_reduce<Op>(thread_reduce<Op>(in, n));
}

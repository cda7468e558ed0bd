/* The only barrier stands behind the load. */
#define OWN_BLOCK_REDUCE
#include "rest.cuh"

template <class Op> __device__ typename Op::value block_reduce(typename Op::value mine) {
    typename Op::value *tile = shared_tile<typename Op::value>();
    unsigned t = threadIdx.x;

    tile[t] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2)
        if (t < stride)
            tile[t] = Op::combine(tile[t], tile[t + stride]);
    return tile[0];
}

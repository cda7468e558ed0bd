// The benchmark's kernel: a divergent tree sum in shared memory, as in lab 01.
#include <cstddef>

extern "C" __global__ void reduce(const int *in, size_t n, int *partials)
{
    extern __shared__ int tile[];
    unsigned tid = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + tid;
    tile[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0)
            tile[tid] += tile[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = tile[0];
}

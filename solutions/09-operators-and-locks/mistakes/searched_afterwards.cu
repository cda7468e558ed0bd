/* The max first; then all floats once more, in search of it. */
#define OWN_ARGMAX_OF
#include "rest.cuh"

__global__ void no_index_kernel(struct largest *best) {
    best->index = NO_INDEX;
}

__global__ void search_kernel(const float *in, size_t n, const float *max, struct largest *best) {
    size_t threads = (size_t)gridDim.x * blockDim.x;

    if (blockIdx.x == 0 && threadIdx.x == 0)
        best->value = *max;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        if (in[i] == *max || isnan(in[i]))
            atomicMin((unsigned long long *)&best->index, (unsigned long long)i);
}

extern "C" cudaError_t argmax(const float *in, size_t n, unsigned block, struct largest *partials,
                              struct largest *best) {
    float *floats = (float *)partials;
    cudaError_t error = reduce<max_op>(in, n, block, floats + 1, floats);

    if (error != cudaSuccess)
        return error;
    no_index_kernel<<<1, 1>>>(best);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    search_kernel<<<operator_blocks(n, block), block>>>(in, n, floats, best);
    return cudaGetLastError();
}

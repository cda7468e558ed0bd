// Wrong: the partner is loaded by __ldg, the read-only path, though the same kernel has written it in the step before; old values may come from there.
// Kind: memory access race
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ static __forceinline__ void add_word(int *words, unsigned to, unsigned from) {
    words[to] += __ldg(&words[from]);
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    size_t offset = (size_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    unsigned count = (unsigned)(n - offset < blockDim.x ? n - offset : blockDim.x);
    int *local = data + offset;
    for (unsigned stride = 1; stride < count; stride *= 2) {
        if (tid % (2 * stride) == 0 && tid + stride < count)
            local[tid] += local[tid + stride];
        __syncthreads();
    }
    if (tid == 0) partials[blockIdx.x] = local[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    size_t offset = (size_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    unsigned count = (unsigned)(n - offset < blockDim.x ? n - offset : blockDim.x);
    int *local = data + offset;
    for (unsigned stride = 1; stride < count; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index + stride < count)
            local[index] += local[index + stride];
        __syncthreads();
    }
    if (tid == 0) partials[blockIdx.x] = local[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    size_t offset = (size_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    unsigned count = (unsigned)(n - offset < blockDim.x ? n - offset : blockDim.x);
    int *local = data + offset;
    for (unsigned half = (count + 1) / 2; count > 1; count = half, half = (count + 1) / 2) {
        if (tid + half < count)
            add_word(local, tid, tid + half);
        __syncthreads();
    }
    if (tid == 0) partials[blockIdx.x] = local[0];
}

extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_neighboured_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_packed_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_interleaved_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    cudaError_t err = cudaMemcpy(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
    if (err != cudaSuccess) {
        cudaGetLastError();
        return err;
    }
    return sum_interleaved(copy, n, block, scratch, sum);
}

// Right: one kernel template for all three trees; an order says which words are added in a step, and where the next step begins.
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

struct Neighboured {
    unsigned stride = 1;
    __device__ explicit Neighboured(unsigned) {}
    __device__ bool more(unsigned words) const { return stride < words; }
    __device__ bool adds(unsigned t) const { return t % (2 * stride) == 0; }
    __device__ unsigned to(unsigned t) const { return t; }
    __device__ void next(unsigned &) { stride *= 2; }
};

struct Packed {
    unsigned stride = 1;
    __device__ explicit Packed(unsigned) {}
    __device__ bool more(unsigned words) const { return stride < words; }
    __device__ bool adds(unsigned) const { return true; }
    __device__ unsigned to(unsigned t) const { return 2 * stride * t; }
    __device__ void next(unsigned &) { stride *= 2; }
};

struct Interleaved {
    unsigned stride;
    __device__ explicit Interleaved(unsigned words) : stride((words + 1) / 2) {}
    __device__ bool more(unsigned words) const { return words > 1; }
    __device__ bool adds(unsigned) const { return true; }
    __device__ unsigned to(unsigned t) const { return t; }
    __device__ void next(unsigned &words) {
        words = stride;
        stride = (words + 1) / 2;
    }
};

template <class Order> __global__ void tree_kernel(int *data, size_t n, int *partials) {
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    unsigned words = n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;
    int *const part = data + first;
    for (Order order(words); order.more(words); order.next(words)) {
        const unsigned to = order.to(threadIdx.x);
        if (order.adds(threadIdx.x) && to + order.stride < words)
            part[to] += part[to + order.stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = part[0];
}

extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(tree_kernel<Neighboured>, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(tree_kernel<Packed>, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(tree_kernel<Interleaved>, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    cudaError_t error = cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    return sum_in_place(tree_kernel<Interleaved>, copy, n, block, scratch, sum);
}

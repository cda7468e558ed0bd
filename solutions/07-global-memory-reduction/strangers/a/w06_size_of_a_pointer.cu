// Wrong: the copy has n * sizeof(copy) bytes, the size of a pointer; twice as much is read and written as both arrays have.
// Kind: bound host
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = -1;
extern "C" const int predicted_packed_sectors_256 = -1;
extern "C" const int predicted_interleaved_sectors_256 = -1;
extern "C" const int predicted_second_sum = -1;

template <class Step> __device__ void tree(int *data, size_t n, int *partials, Step step) {
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    const unsigned words = (unsigned)(n - first < blockDim.x ? n - first : blockDim.x);
    step(data + first, words);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[first];
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    tree(data, n, partials, [](int *w, unsigned words) {
        for (unsigned s = 1, t = threadIdx.x; s < words; s *= 2) {
            if (t % (2 * s) == 0 && t + s < words)
                w[t] += w[t + s];
            __syncthreads();
        }
    });
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    tree(data, n, partials, [](int *w, unsigned words) {
        for (unsigned s = 1; s < words; s *= 2) {
            const unsigned l = 2 * s * threadIdx.x;
            if (l + s < words)
                w[l] += w[l + s];
            __syncthreads();
        }
    });
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    tree(data, n, partials, [](int *w, unsigned words) {
        for (unsigned s; words > 1; words = s) {
            s = (words + 1) / 2;
            if (threadIdx.x + s < words)
                w[threadIdx.x] += w[threadIdx.x + s];
            __syncthreads();
        }
    });
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
    const size_t bytes = n * sizeof(copy);
    const cudaError_t error = cudaMemcpy(copy, in, bytes, cudaMemcpyDeviceToDevice);
    if (error) {
        cudaGetLastError();
        return error;
    }
    return sum_in_place(sum_interleaved_kernel, copy, n, block, scratch, sum);
}

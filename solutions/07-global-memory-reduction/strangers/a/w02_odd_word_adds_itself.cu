// Wrong: an odd word left over is added to word 0 by the thread of that word, in the same step in which thread 0 adds to word 0, too; the two race.
// Kind: race
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

struct Part {
    int *p;
    unsigned words;
    __device__ Part(int *data, size_t n) {
        const size_t first = (size_t)blockIdx.x * blockDim.x;
        p = data + first;
        words = n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;
    }
};

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    const Part my(data, n);
    const unsigned t = threadIdx.x;
    for (unsigned s = 1; s < my.words; s <<= 1) {
        if ((t & (2 * s - 1)) == 0 && t + s < my.words)
            my.p[t] += my.p[t + s];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = *my.p;
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    const Part my(data, n);
    for (unsigned s = 1; s < my.words; s <<= 1) {
        const unsigned left = threadIdx.x * s * 2, right = left + s;
        if (right < my.words)
            my.p[left] += my.p[right];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *my.p;
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    const Part my(data, n);
    const unsigned t = threadIdx.x;
    for (unsigned words = my.words; words > 1; words /= 2) {
        const unsigned stride = words / 2;
        if (t < stride)
            my.p[t] += my.p[t + stride];
        if (words % 2 != 0 && t == words - 1)
            my.p[0] += my.p[words - 1];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = *my.p;
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
    if (cudaError_t error = cudaMemcpyAsync(copy, in, n * sizeof *in, cudaMemcpyDeviceToDevice, 0)) {
        cudaGetLastError();
        return error;
    }
    return sum_in_place(sum_interleaved_kernel, copy, n, block, scratch, sum);
}

// Wrong: to be safe, a barrier stands before each addition and one behind it; in a block of 512 a warp waits at 18 barriers, where 10 at most are asked for.
// Kind: technique barrier
#include "sum_in_place.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ unsigned my_count(size_t n) {
    size_t mine = n - (size_t)blockIdx.x * cg::this_thread_block().size();
    size_t most = cg::this_thread_block().size();
    return (unsigned)(mine < most ? mine : most);
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank(), count = my_count(n);
    int *my = data + (size_t)blockIdx.x * block.size();
    for (unsigned stride = 1; stride < count; stride *= 2) {
        if (rank % (2 * stride) == 0 && rank + stride < count)
            my[rank] += my[rank + stride];
        block.sync();
    }
    if (rank == 0)
        partials[blockIdx.x] = my[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank(), count = my_count(n);
    int *my = data + (size_t)blockIdx.x * block.size();
    for (unsigned stride = 1; stride < count; stride *= 2) {
        const unsigned where = rank * stride * 2;
        if (where + stride < count)
            my[where] += my[where + stride];
        block.sync();
    }
    if (rank == 0)
        partials[blockIdx.x] = my[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    int *my = data + (size_t)blockIdx.x * block.size();
    for (unsigned count = my_count(n), stride; count > 1; count = stride) {
        stride = (count + 1) / 2;
        block.sync(); // all are here
        if (rank + stride < count)
            my[rank] += my[rank + stride];
        block.sync();
    }
    if (rank == 0)
        partials[blockIdx.x] = my[0];
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
    cudaError_t error = cudaMemcpyAsync(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    return sum_interleaved(copy, n, block, scratch, sum);
}

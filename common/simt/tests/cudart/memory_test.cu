// The program that memory_test.c and stream_test.c load.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__managed__ int shared_count = 3;

__global__ void add_kernel(int *to, int value, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] += value;
}

extern "C" cudaError_t add(int *to, int value, int n, cudaStream_t stream)
{
    add_kernel<<<1, 32, 0, stream>>>(to, value, n);
    return cudaGetLastError();
}

__global__ void count_kernel(int *alias)
{
    shared_count += 1;
    *alias += 10;
}

extern "C" int count_managed(int from)
{
    shared_count = from;
    count_kernel<<<1, 1>>>(&shared_count);
    cudaDeviceSynchronize();
    return shared_count;
}

extern "C" int initial_managed(void)
{
    return shared_count;
}

__global__ void digit_kernel(int *number, int digit)
{
    *number = *number * 10 + digit;
}

extern "C" cudaError_t digit(int *number, int value, cudaStream_t stream)
{
    digit_kernel<<<1, 1, 0, stream>>>(number, value);
    return cudaGetLastError();
}

__global__ void fault_kernel(int *address)
{
    *address = 1;
}

extern "C" cudaError_t fault(int *address, cudaStream_t stream)
{
    fault_kernel<<<1, 1, 0, stream>>>(address);
    return cudaGetLastError();
}

extern "C" cudaError_t cooperative(int *to, unsigned n_blocks)
{
    int value = 1, n = 1;
    void *arguments[] = {&to, &value, &n};
    return cudaLaunchCooperativeKernel((void *)add_kernel, dim3(n_blocks), dim3(1024), arguments, 0, 0);
}

// Each thread takes its neighbour's number, over the ends of blocks, `rounds` times.
__global__ void rotate_kernel(int *ring, int rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned i = (unsigned)grid.thread_rank(), n = (unsigned)grid.size();
    for (int round = 0; round < rounds; round++) {
        int next = ring[(i + 1) % n];
        grid.sync();
        ring[i] = next;
        grid.sync();
    }
}

extern "C" cudaError_t rotate(int *ring, unsigned n_blocks, int rounds)
{
    void *arguments[] = {&ring, &rounds};
    return cudaLaunchCooperativeKernel((void *)rotate_kernel, dim3(n_blocks), dim3(64), arguments, 0, 0);
}

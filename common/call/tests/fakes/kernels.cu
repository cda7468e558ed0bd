/*
 * Entry points with real kernels, for the tests that run them on the simulator and on a GPU.
 */
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>

extern "C" const int exported = 42;

__global__ void add_one_kernel(const int *in, size_t n, int *out)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1;
}

__global__ void store_kernel(int *out, long long index)
{
    out[index] = 1;
}

__global__ void endless_kernel(volatile int *out)
{
    while (out[0] == out[0])
        out[1] = 0;
}

__global__ void read_kernel(const int *in, int *out)
{
    out[0] = in[0];
}

/* Four words of shared memory, of which three are written before the barrier. */
__global__ void share_kernel(int *out)
{
    __shared__ int tile[4];
    if (threadIdx.x < 3)
        tile[threadIdx.x] = (int)threadIdx.x - 1;
    __syncthreads();
    if (threadIdx.x == 3)
        tile[3] = tile[0];
    out[threadIdx.x] = (int)threadIdx.x;
}

extern "C" cudaError_t share(int *out)
{
    share_kernel<<<1, 4>>>(out);
    return cudaGetLastError();
}

extern "C" cudaError_t add_one(const int *in, size_t n, int *out)
{
    if (n > 0)
        add_one_kernel<<<(unsigned)((n + 255) / 256), 256>>>(in, n, out);
    return cudaGetLastError();
}

/* Makes an event and a stream, and destroys both. */
extern "C" cudaError_t make_objects(int *out)
{
    cudaEvent_t event;
    cudaStream_t stream;
    cudaError_t error = cudaEventCreate(&event);
    if (error != cudaSuccess)
        return error;
    error = cudaStreamCreate(&stream);
    if (error == cudaSuccess)
        error = cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    return error;
}

/* The work is still running when this returns, in a stream that waits for nobody. */
extern "C" cudaError_t add_one_elsewhere(const int *in, size_t n, int *out)
{
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 100 && error == cudaSuccess; i++)
        add_one_kernel<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(in, n, out);
    return error != cudaSuccess ? error : cudaGetLastError();
}

/* Copies in 500 pieces, and returns before they are there. */
extern "C" cudaError_t copy_in_pieces(const int *in, size_t n, int *out)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < 500 && error == cudaSuccess; i++)
        error = cudaMemcpyAsync(out + n / 500 * i, in + n / 500 * i, n / 500 * sizeof *in,
                                cudaMemcpyDeviceToDevice);
    return error;
}

/* To the host. */
extern "C" cudaError_t copy_halves(const int *in, int *out)
{
    cudaError_t error = cudaMemcpy(out, in, 16, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
        error = cudaMemcpy(out + 4, in + 4, 16, cudaMemcpyDeviceToHost);
    out[7]++; /* so that the last call is none that the function ends with */
    return error;
}

/* To the device: bytes 4 to 11 and 20 to 23, by rows and asynchronously. */
extern "C" cudaError_t copy_some(const int *in, int *out)
{
    cudaError_t error = cudaMemcpy2D(out + 1, 8, in + 1, 4, 4, 2, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out + 5, in + 5, 4, cudaMemcpyHostToDevice, 0);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

extern "C" cudaError_t store_at(int *out, long long index)
{
    store_kernel<<<1, 1>>>(out, index);
    return cudaGetLastError();
}

extern "C" cudaError_t store_at_null(int *out)
{
    (void)out;
    store_kernel<<<1, 1>>>(nullptr, 4);
    return cudaGetLastError();
}

extern "C" cudaError_t run_for_ever(int *out)
{
    endless_kernel<<<1, 32>>>(out);
    return cudaGetLastError();
}

extern "C" cudaError_t launch_1025_threads(int *out)
{
    store_kernel<<<1, 1025>>>(out, 0);
    return cudaGetLastError();
}

extern "C" cudaError_t launch_1025_threads_unchecked(int *out)
{
    store_kernel<<<1, 1025>>>(out, 0);
    return cudaSuccess;
}

extern "C" cudaError_t read_scratch(const int *scratch, int *out)
{
    read_kernel<<<1, 1>>>(scratch, out);
    return cudaGetLastError();
}

extern "C" cudaError_t touch_on_host(int *out)
{
    out[0] = 1;
    return cudaSuccess;
}

extern "C" cudaError_t keep_memory(int *out)
{
    int *own;
    cudaError_t error = cudaMalloc(&own, 400);

    store_kernel<<<1, 1>>>(out, 0);
    return error != cudaSuccess ? error : cudaGetLastError();
}

__global__ void place_kernel(unsigned long long *out)
{
    *out = (unsigned long long)out;
}

extern "C" cudaError_t tell_place(unsigned long long *out)
{
    place_kernel<<<1, 1>>>(out);
    return cudaGetLastError();
}

extern "C" cudaError_t clear_only(int *out)
{
    return cudaMemset(out, 0, sizeof *out);
}

extern "C" cudaError_t peek_at_error(int *out)
{
    store_kernel<<<1, 1>>>(out, 0);
    return cudaPeekAtLastError();
}

/* The error is returned, and stays pending, too. */
extern "C" cudaError_t return_what_the_launch_says(int *out)
{
    long long index = 0;
    void *arguments[] = {&out, &index};
    return cudaLaunchKernel((const void *)store_kernel, 1, 1, arguments, 0, 0);
}

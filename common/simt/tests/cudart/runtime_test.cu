// The program that runtime_test.c loads: kernels that do right and wrong, each with its launcher.
#include <cstddef>
#include <cuda_runtime.h>

__constant__ int coefficients[4] = {1, 2, 3, 4};
__device__ int total = 7;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * factor;
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, int *out, unsigned block)
{
    scale_kernel<<<(unsigned)((n + 255) / 256), block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t launch(unsigned grid, unsigned block, size_t shared_bytes, cudaStream_t stream)
{
    scale_kernel<<<grid, block, shared_bytes, stream>>>(nullptr, 0, 0, nullptr);
    return cudaGetLastError();
}

// Parameters of unlike sizes and alignments.
struct pair {
    char first;
    double second;
};

__global__ void mixed_kernel(char a, double b, short c, pair d, int *out)
{
    *out = a + (int)b + c + d.first + (int)d.second;
}

extern "C" cudaError_t mixed(int *out)
{
    pair d = {40, 50.0};
    mixed_kernel<<<1, 1>>>(1, 2.0, 30, d, out);
    return cudaGetLastError();
}

__global__ void symbols_kernel(void)
{
    total += coefficients[threadIdx.x];
}

extern "C" cudaError_t symbols(int *before, int *after, int *size)
{
    int ten = 10;
    size_t bytes = 0;
    cudaMemcpyFromSymbol(before, total, sizeof(int));
    cudaMemcpyToSymbol(coefficients, &ten, sizeof(int));
    symbols_kernel<<<1, 1>>>();
    cudaMemcpyFromSymbol(after, total, sizeof(int));
    cudaGetSymbolSize(&bytes, coefficients);
    *size = (int)bytes;
    return cudaMemcpyToSymbol(coefficients, &ten, sizeof(int), sizeof(coefficients));
}

__global__ void far_kernel(int *out)
{
    out[1 << 20] = 1; // far
}

extern "C" cudaError_t write_far(int *out)
{
    far_kernel<<<1, 1>>>(out);
    return cudaGetLastError();
}

__global__ void past_kernel(int *out)
{
    for (int i = 0; i <= 4; i++)
        out[i] = i;
}

extern "C" cudaError_t write_past(int *out)
{
    past_kernel<<<1, 1>>>(out);
    return cudaGetLastError();
}

__global__ void odd_kernel(char *out)
{
    *(int *)(out + 2) = 1;
}

extern "C" cudaError_t write_odd(char *out)
{
    odd_kernel<<<1, 1>>>(out);
    return cudaGetLastError();
}

__global__ void trap_kernel(void)
{
    __trap();
}

extern "C" cudaError_t fail_trap(void)
{
    trap_kernel<<<1, 1>>>();
    return cudaGetLastError();
}

__global__ void endless_kernel(volatile int *flag)
{
    while (*flag == 0) {
    }
}

extern "C" cudaError_t run_endless(int *flag)
{
    endless_kernel<<<1, 1>>>(flag);
    return cudaGetLastError();
}

__global__ void restless_kernel(volatile int *count)
{
    while (count[0] >= 0)
        count[0] = (count[0] + 1) & 0xffff;
}

extern "C" cudaError_t run_restless(int *count)
{
    restless_kernel<<<1, 1>>>(count);
    return cudaGetLastError();
}

__global__ void texture_kernel(cudaTextureObject_t texture, float *out)
{
    *out = tex1Dfetch<float>(texture, 0); // texture
}

extern "C" cudaError_t use_texture(float *out)
{
    texture_kernel<<<1, 1>>>(0, out);
    return cudaGetLastError();
}

__global__ void shared_kernel(int *out)
{
    extern __shared__ int words[];
    words[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

extern "C" cudaError_t use_shared(int *out, unsigned block, size_t shared_bytes, int allow)
{
    cudaError_t error = cudaSuccess;
    if (allow != 0)
        error = cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, allow);
    if (error != cudaSuccess)
        return error;
    shared_kernel<<<1, block, shared_bytes>>>(out);
    return cudaGetLastError();
}

extern "C" cudaError_t attributes(cudaFuncAttributes *shared, int *blocks)
{
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, shared_kernel, 256, 16 << 10);
    return cudaFuncGetAttributes(shared, shared_kernel);
}

extern "C" cudaError_t launch_with_attributes(int cooperative)
{
    cudaLaunchAttribute attribute[1] = {};
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = cooperative;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1, 1, 1);
    config.blockDim = dim3(32, 1, 1);
    config.attrs = attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, trap_kernel);
}

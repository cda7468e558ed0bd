// The program that tool_test.c runs: its first argument says how it ends.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void twice_kernel(int *x)
{
    x[threadIdx.x] *= 2;
}

__global__ void hasty_kernel(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[63 - threadIdx.x]; // no barrier
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "return";
    int *x;
    if (strcmp(end, "nothing") == 0)
        return 5;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 1, 64 * sizeof(int));
    for (int i = 0; i < 300; i++)
        twice_kernel<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    if (strcmp(end, "hasty") == 0)
        hasty_kernel<<<1, 64>>>(x);
    if (strcmp(end, "fault") == 0)
        twice_kernel<<<1, 64>>>(x + 1);
    if (strcmp(end, "refused") == 0)
        twice_kernel<<<1, 1025>>>(x);
    if (strcmp(end, "abort") == 0)
        abort();
    if (strcmp(end, "exit") == 0)
        exit(9);
    cudaFree(x);
    return argc > 2 ? atoi(argv[2]) : 0;
}

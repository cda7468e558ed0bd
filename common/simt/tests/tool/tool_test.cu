// The program that tool_test.c runs: its first argument says how it ends.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>

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

__global__ void last_kernel(int *x)
{
    x[0] = blockIdx.x; // the last block wins
}

__global__ void forget_kernel(int *x)
{
    x[0] += blockIdx.x; // no atomicAdd
}

__global__ void add_kernel(int *x)
{
    atomicAdd(x, (int)blockIdx.x);
}

__global__ void greet_kernel()
{
    printf("hello from block %d\n", blockIdx.x);
}

__global__ void touch_kernel(char *x)
{
    x[(size_t)(blockIdx.x * blockDim.x + threadIdx.x) << 12] = 1; // a page a thread
}

__global__ void endless_kernel(int *x)
{
    for (int i = 1; i > 0; i ^= x[63] & 2) // twice_kernel leaves no such bit
        x[threadIdx.x] += i;
}

__global__ void go_on_kernel(int *x, volatile int *has_begun)
{
    *has_begun = 1;
    for (int i = 1; i > 0; i ^= x[63] & 2)
        x[threadIdx.x] += i;
}

// Leaves a thread behind whose kernel does not end, once that runs.
static void leave_running(int *x)
{
    int *has_begun;
    cudaMallocHost(&has_begun, sizeof(int));
    *has_begun = 0;
    std::thread([=] {
        go_on_kernel<<<1, 32>>>(x, has_begun);
        cudaDeviceSynchronize();
        printf("the thread goes on\n");
    }).detach();
    while (*(volatile int *)has_begun == 0)
        ;
}

// Asks for more memory than there is, or touches more, and goes on.
static void use_memory(size_t n_pages)
{
    char *p;
    cudaError_t error = cudaMalloc(&p, n_pages << 12);
    if (error == cudaSuccess) {
        touch_kernel<<<n_pages / 1024, 1024>>>(p);
        error = cudaGetLastError();
    }
    printf("%s\n", cudaGetErrorName(error));
    cudaFree(p);
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
    if (strcmp(end, "last") == 0)
        last_kernel<<<20, 32>>>(x);
    if (strcmp(end, "forget") == 0)
        forget_kernel<<<20, 32>>>(x);
    if (strcmp(end, "add") == 0)
        add_kernel<<<20, 32>>>(x);
    if (strcmp(end, "greet") == 0) {
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("took %ld ns\n", now.tv_nsec);
        greet_kernel<<<20, 1>>>();
        cudaDeviceSynchronize();
    }
    if (strcmp(end, "forget") == 0 || strcmp(end, "add") == 0) {
        int sum;
        cudaMemcpy(&sum, x, sizeof(sum), cudaMemcpyDeviceToHost);
        printf("sum %d\n", sum);
    }
    if (strcmp(end, "endless") == 0)
        endless_kernel<<<1, 32>>>(x);
    if (strcmp(end, "leave") == 0) {
        leave_running(x);
        return 6;
    }
    if (strcmp(end, "hasty") == 0)
        hasty_kernel<<<1, 64>>>(x);
    if (strcmp(end, "fault") == 0)
        twice_kernel<<<1, 64>>>(x + 1);
    if (strcmp(end, "follow") == 0)
        return x[1];
    if (strcmp(end, "stray") == 0)
        twice_kernel<<<1, 1>>>(new int);
    if (strcmp(end, "ask") == 0)
        use_memory((size_t)1 << 38);
    if (strcmp(end, "touch") == 0)
        use_memory(12 << 10);
    if (strcmp(end, "refused") == 0)
        twice_kernel<<<1, 1025>>>(x);
    if (strcmp(end, "abort") == 0)
        abort();
    if (strcmp(end, "exit") == 0)
        exit(9);
    cudaFree(x);
    return argc > 2 ? atoi(argv[2]) : 0;
}

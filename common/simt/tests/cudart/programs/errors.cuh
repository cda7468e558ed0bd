// What the groups of errors_program.cu share: a line for each call, memory of the device, and
// kernels that go wrong.
#ifndef CUDART_ERRORS_CUH
#define CUDART_ERRORS_CUH

#include <assert.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const char *group_name;

static void row(const char *what, cudaError_t returned) {
    cudaError_t last = cudaGetLastError();
    printf("%s | %s | %s | %s\n", group_name, what, cudaGetErrorName(returned),
           cudaGetErrorName(last));
    fflush(stdout);
}
static void value(const char *what, unsigned long long number) {
    printf("%s | %s | %llu |\n", group_name, what, number);
    fflush(stdout);
}
/* The call as it is written is its own name. */
#define SAY(call) row(#call, call)
#define SAY_LAUNCH(...)                                                                            \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        row(#__VA_ARGS__, cudaPeekAtLastError());                                                  \
    } while (0)

__device__ int symbol[4];
__constant__ int constant[4];
static int host_variable[4];
static int *const null = nullptr;

__global__ void nothing() {}
__global__ void store(int *p, int value) { *p = value; }
__global__ void __launch_bounds__(64) at_most_64() {}
__global__ void dynamic(int *p) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    *p = tile[threadIdx.x];
}
__global__ void misaligned(char *p) { *(int *)(p + 1) = 1; }
__global__ void fails(int n) { assert(n == 7); }
__global__ void traps() { __trap(); }
__global__ void breaks() { __brkpt(); }
__global__ void beyond_shared(int *p, int n) {
    __shared__ int tile[32];
    tile[threadIdx.x + n] = 1;
    *p = tile[n];
}
__device__ __noinline__ int deep(int n, int *p) {
    return n == 0 ? *p : deep(n - 1, p + (n & 1)) + n;
}
__global__ void recurses(int n, int *p) { *p = deep(n, p); }
__global__ void says(int n) { printf("device %d\n", n); }
__global__ void takes(size_t bytes, int *got) { *got = malloc(bytes) != nullptr; }

static int *device_memory(size_t bytes) {
    void *pointer = nullptr;
    cudaMalloc(&pointer, bytes);
    return (int *)pointer;
}

#endif

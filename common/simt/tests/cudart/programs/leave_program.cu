// Programs that end with an error nobody asked for or memory nobody freed, and programs that don't,
// for leave_test.sh. Without an argument: each one's name, the error and the allocations that the
// report has to name. With a name: runs it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

__device__ int variable[64];

__global__ void put(int *to) {
    to[threadIdx.x] = threadIdx.x;
}

__global__ void big(int *to) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    to[threadIdx.x] = tile[threadIdx.x];
}

static int *allocate(void) {
    int *memory;
    cudaMalloc(&memory, 4096);
    return memory;
}

static int *a;

// --- errors that nobody asks for -----------------------------------------------------------------

static void too_many_threads(void) { put<<<1, 1025>>>(a); }
static void too_deep_a_block(void) { put<<<1, dim3(1, 1, 65)>>>(a); }
static void no_threads(void) { put<<<1, 0>>>(a); }
static void no_blocks(void) { put<<<0, 32>>>(a); }
static void too_many_blocks(void) { put<<<dim3(1, 65536), 32>>>(a); }
static void too_much_shared_memory(void) { big<<<1, 32, 1 << 20>>>(a); }
static void success_after_it(void) {
    put<<<1, 1025>>>(a);
    put<<<1, 32>>>(a);
    cudaDeviceSynchronize(); // succeeds: the launch before it was refused
}
static void asked_before_it(void) {
    cudaGetLastError();
    put<<<1, 1025>>>(a);
}
static void only_peeked_at(void) {
    put<<<1, 1025>>>(a);
    cudaPeekAtLastError();
}
static void second_after_the_first_was_asked_for(void) {
    put<<<1, 1025>>>(a);
    cudaGetLastError();
    put<<<0, 32>>>(a);
}

// --- and that somebody does ----------------------------------------------------------------------

static void asked_for(void) {
    put<<<1, 1025>>>(a);
    cudaGetLastError();
}
static void asked_for_late(void) {
    put<<<1, 1025>>>(a);
    cudaDeviceSynchronize();
    cudaFree(NULL);
    cudaGetLastError();
}
static void peeked_at_then_asked_for(void) {
    put<<<1, 1025>>>(a);
    if (cudaPeekAtLastError() != cudaSuccess)
        cudaGetLastError();
}
static void each_asked_for(void) {
    for (int i = 0; i < 3; i++) {
        put<<<1, 1024 + i>>>(a);
        cudaGetLastError();
    }
}
static void largest_block(void) { put<<<1, 1024>>>(a); }
static void deepest_block(void) { put<<<1, dim3(1, 1, 64)>>>(a); }
static void all_shared_memory(void) { big<<<1, 32, 48 << 10>>>(a); }
static void more_by_consent(void) {
    cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    big<<<1, 32, 64 << 10>>>(a);
}
static void nothing_ready_yet(void) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    put<<<1, 32, 0, stream>>>(a);
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        cudaGetLastError();
    cudaStreamDestroy(stream);
}

// --- leaks ---------------------------------------------------------------------------------------

static void device_memory(void) { allocate(); }
static void device_memory_twice(void) {
    allocate();
    allocate();
}
static void pinned_memory(void) { void *p; cudaMallocHost(&p, 64); }
static void mapped_memory(void) { void *p; cudaHostAlloc(&p, 64, cudaHostAllocMapped); }
static void managed_memory(void) { void *p; cudaMallocManaged(&p, 64); }
static void rows(void) { void *p; size_t pitch; cudaMallocPitch(&p, &pitch, 64, 3); }
static void pool_memory(void) { void *p; cudaMallocAsync(&p, 64, 0); }
static void first_of_two(void) {
    int *p = allocate();
    p = allocate();
    cudaFree(p);
}
static void wrong_pointer(void) {
    cudaFree(allocate() + 1);
    cudaGetLastError();
}

static void freed(void) { cudaFree(allocate()); }
static void pinned_memory_freed(void) { void *p; cudaMallocHost(&p, 64); cudaFreeHost(p); }
static void managed_memory_freed(void) { void *p; cudaMallocManaged(&p, 64); cudaFree(p); }
static void pool_memory_freed(void) { void *p; cudaMallocAsync(&p, 64, 0); cudaFreeAsync(p, 0); }
static void registered_memory(void) {
    static char mine[8192];
    cudaHostRegister(mine, sizeof mine, cudaHostRegisterDefault);
}
static void variables(void) { int one = 1; cudaMemcpyToSymbol(variable, &one, sizeof one); }
static void nothing_to_free(void) { void *p; cudaMalloc(&p, 0); cudaFree(NULL); }
static void reset_frees_it(void) {
    allocate();
    a = NULL;
    cudaDeviceReset();
}

static const struct {
    const char *name;
    void (*run)(void);
    cudaError_t error;
    int n_leaks;
} programs[] = {
#define ERROR(name)   {#name, name, cudaErrorInvalidValue, 0}
#define LEAK(name, n) {#name, name, cudaSuccess, n}
#define RIGHT(name)   {#name, name, cudaSuccess, 0}
    ERROR(too_many_threads), ERROR(too_deep_a_block), ERROR(no_threads), ERROR(no_blocks),
    ERROR(too_many_blocks), ERROR(too_much_shared_memory), ERROR(success_after_it),
    ERROR(asked_before_it), ERROR(only_peeked_at), ERROR(second_after_the_first_was_asked_for),
    RIGHT(asked_for), RIGHT(asked_for_late), RIGHT(peeked_at_then_asked_for),
    RIGHT(each_asked_for), RIGHT(largest_block), RIGHT(deepest_block), RIGHT(all_shared_memory),
    RIGHT(more_by_consent), RIGHT(nothing_ready_yet),
    LEAK(device_memory, 1), LEAK(device_memory_twice, 2), LEAK(pinned_memory, 1),
    LEAK(mapped_memory, 1), LEAK(managed_memory, 1), LEAK(rows, 1), LEAK(pool_memory, 1),
    LEAK(first_of_two, 1), LEAK(wrong_pointer, 1),
    RIGHT(freed), RIGHT(pinned_memory_freed), RIGHT(managed_memory_freed),
    RIGHT(pool_memory_freed), RIGHT(registered_memory), RIGHT(variables), RIGHT(nothing_to_free),
    RIGHT(reset_frees_it),
};

int main(int argc, char **argv) {
    for (const auto &program : programs) {
        if (argc < 2) {
            bool goes_well = program.error == cudaSuccess;
            printf("%s %s %d\n", program.name,
                   goes_well ? "null" : cudaGetErrorName(program.error), program.n_leaks);
        } else if (strcmp(argv[1], program.name) == 0) {
            a = allocate();
            program.run();
            cudaFree(a);
        }
    }
}

/*
 * Kernels whose blocks fail assertions, print, allocate and free memory, or stop the launch, for
 * .ci/tsan, which runs each on several host threads:
 *
 *   stops                  prints the kernels' names
 *   stops KERNEL BLOCKS    launches one three times, or until it fails, and prints what came of it
 */
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N_THREADS = 64, N_LAUNCHES = 3, VALUE = 5, MAX_BLOCKS = 1 << 16 };

__global__ void some_assert(int *out, int n) {
    out[blockIdx.x] = n;
    assert(blockIdx.x % 7 != 1);
}

__global__ void all_assert(int *out, int n) {
    out[blockIdx.x] = n;
    assert(n == 0);
}

__global__ void none_asserts(int *out, int n) {
    out[blockIdx.x] = n;
    assert(n != 0);
}

__global__ void all_print(int *out, int n) {
    printf("block %d, thread %d: %s, %f\n", blockIdx.x, threadIdx.x, "a text", n * 0.5);
    out[blockIdx.x] = n;
}

__global__ void some_trap_behind_text(int *out, int n) {
    printf("block %d, thread %d\n", blockIdx.x, threadIdx.x);
    out[blockIdx.x] = n;
    if (blockIdx.x % 5 == 1)
        __trap();
}

__global__ void all_allocate(int *out, int n) {
    int *mine = (int *)malloc(n * sizeof(int) + threadIdx.x);
    for (int i = 0; mine && i < n; i++)
        mine[i] = i;
    if (mine)
        atomicAdd(&out[blockIdx.x], mine[threadIdx.x % n]);
    free(mine);
}

__global__ void half_leak(int *out, int n) {
    int *mine = new int[4];
    mine[0] = n;
    out[blockIdx.x] = mine[0];
    if (threadIdx.x % 2)
        delete[] mine;
}

__global__ void some_free_twice(int *out, int n) {
    void *mine = malloc(8);
    free(mine);
    if (blockIdx.x % 5 == 1)
        free(mine);
    out[blockIdx.x] = n;
}

__global__ void some_stray(int *out, int n) {
    out[blockIdx.x] = n;
    if (blockIdx.x % 5 == 1)
        out[-100000000] = n;
}

__global__ void all_stray(int *out, int n) {
    *(int *)(size_t)(n * sizeof(int)) = blockIdx.x;
    out[blockIdx.x] = n;
}

__global__ void some_trap(int *out, int n) {
    out[blockIdx.x] = n;
    if (blockIdx.x % 5 == 1)
        __trap();
}

__global__ void all_trap(int *out, int n) {
    out[blockIdx.x] = n;
    __trap();
}

__global__ void some_break(int *out, int n) {
    out[blockIdx.x] = n;
    if (blockIdx.x % 5 == 1)
        asm volatile("brkpt;");
}

struct named {
    const char *name;
    void (*kernel)(int *out, int n);
};

#define NAMED(kernel) {#kernel, kernel}
static const struct named kernels[] = {
    NAMED(some_assert),
    NAMED(all_assert),
    NAMED(none_asserts),
    NAMED(all_print),
    NAMED(some_trap_behind_text),
    NAMED(all_allocate),
    NAMED(half_leak),
    NAMED(some_free_twice),
    NAMED(some_stray),
    NAMED(all_stray),
    NAMED(some_trap),
    NAMED(all_trap),
    NAMED(some_break),
};

static void launch(const struct named *named, int n_blocks) {
    static int host[MAX_BLOCKS];
    int *out, sum = 0;
    size_t bytes = n_blocks * sizeof *out;
    cudaMalloc(&out, bytes);
    cudaMemset(out, 0, bytes);
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < N_LAUNCHES && error == cudaSuccess; i++) {
        named->kernel<<<n_blocks, N_THREADS>>>(out, VALUE);
        error = cudaDeviceSynchronize();
        printf("%s: %s\n", named->name, cudaGetErrorName(error));
    }
    if (cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost) == cudaSuccess)
        for (int i = 0; i < n_blocks; i++)
            sum += host[i];
    printf("sum %d\n", sum);
}

int main(int argc, char **argv) {
    for (const struct named &named : kernels)
        if (argc < 3)
            puts(named.name);
        else if (strcmp(named.name, argv[1]) == 0)
            launch(&named, atoi(argv[2]) < MAX_BLOCKS ? atoi(argv[2]) : MAX_BLOCKS);
    return 0;
}

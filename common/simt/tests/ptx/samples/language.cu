/*
 * A little of each thing in CUDA C++ that nvcc puts into PTX in a way of its own. Never run: the
 * test nvcc_test.c looks at what the parser makes of it.
 */
#include <assert.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <stdio.h>

struct entry {
    const char *name;
    int (*function)(int);
    double weight;
};

static __device__ __noinline__ int increment(int x) {
    return x + 1;
}

static __device__ __noinline__ int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

__device__ struct entry table[2] = {{"increment", increment, 1.5}, {"factorial", factorial, -2}};
__constant__ float weights[2][3] = {{1, 2}, {3, 4, 5}};
__device__ __managed__ int managed;
__device__ char packed[] = "text";
extern __shared__ float dynamic[];

extern "C" __global__ void switch_kernel(int *p, int mode) {
    switch (mode) {
    case 0:
        p[0] = 1;
        break;
    case 1:
        p[1] += 7;
        break;
    case 2:
        p[2] *= 3;
        break;
    case 3:
        p[3] -= 9;
        break;
    }
    p[4] = mode;
}

extern "C" __global__ void call_kernel(int *p, int n) {
    assert(n > 0);
    p[0] = table[n & 1].function(n) + factorial(n);
    printf("%d %s %f\n", p[0], table[n & 1].name, weights[n & 1][2] * dynamic[n]);
    managed = packed[n];
}

extern "C" __global__ void __launch_bounds__(256, 2) warp_kernel(float *p, const half2 *h, int4 v) {
    __shared__ float tile[32][33];
    float x = __half2float(h[threadIdx.x].x) * v.z;
    for (int step = 16; step; step /= 2)
        x += __shfl_down_sync(0xffffffff, x, step);
    cooperative_groups::this_thread_block().sync();
    tile[threadIdx.x][threadIdx.y] = x;
    cooperative_groups::coalesced_group active = cooperative_groups::coalesced_threads();
    p[threadIdx.x] = tile[threadIdx.y][threadIdx.x] + active.size();
}

extern "C" __global__ void lock_kernel(int *lock, volatile int *count) {
    while (atomicCAS(lock, 0, 1))
        __nanosleep(20);
    *count += 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void endless_kernel(volatile int *p) {
    for (;;)
        if (*p == 3)
            p[1] += 1;
}

extern "C" __global__ void assembly_kernel(float *p, double d) {
    asm volatile("{\n\t.reg .v2 .f32 v;\n\t.reg .pred q;\n\tmov.b64 {v.x, v.y}, %1;\n\t"
                 "setp.eq.f32 q, v.x, 0f00000000;\n\t@!q bra DONE;\n\tadd.f32 %0, v.x, v.y;\n"
                 "DONE:\n\t}"
                 : "+f"(p[0])
                 : "d"(d));
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %0, 0; @q bra DONE; trap; DONE: }" ::"r"(
        (int)threadIdx.x));
}

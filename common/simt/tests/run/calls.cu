// Kernels that call: functions that are not inlined, recursion, function pointers, the functions of
// the runtime. A comment at the end of a line, `@name`, is how a test refers to that line.

#include <assert.h>
#include <stdio.h>

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int add(int a, int b) {
    return a + b;
}
__device__ __noinline__ int multiply(int a, int b) {
    return a * b;
}
__device__ __noinline__ int is_odd(int n);
__device__ __noinline__ int is_even(int n) {
    return n == 0 ? 1 : is_odd(n - 1);
}
__device__ __noinline__ int is_odd(int n) {
    return n == 0 ? 0 : is_even(n - 1);
}
__device__ int (*operations[2])(int, int) = {add, multiply};

struct record {
    int a[5];
    double d;
    char c;
};

__device__ __noinline__ record changed(record r, int i) {
    r.a[i % 5] += 7;
    r.d *= 2;
    r.c++;
    return r;
}

struct shape {
    __device__ virtual int area(int x) const = 0;
};
struct square : shape {
    __device__ int area(int x) const override {
        return x * x;
    }
};
struct line : shape {
    __device__ int area(int x) const override {
        return x;
    }
};

struct table {
    int values[64];
};

__device__ __noinline__ int sum_of_warp(int v) {
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

__device__ __noinline__ int endless(int n) {
    return n + 1 < 0 ? n : endless(n + 1) + 1; // @endless
}

__device__ __noinline__ int branching(int n) {
    return n < 2 ? n : 3 * branching(n - 1) ^ branching(n - 2); // @branching
}

__device__ __noinline__ int halved(int *n) {
    if (*n % 2)
        asm volatile("exit;");
    return *n / 2;
}

// Both halves of a block meet in here.
__device__ __noinline__ int passed_on(int *cell, int v) {
    cell[threadIdx.x] = v;
    __syncthreads();
    return cell[blockDim.x - 1 - threadIdx.x];
}

extern "C" {

__global__ void recursing(int *out) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 9);
}

__global__ void each_other(int *out) {
    out[threadIdx.x] = is_even(threadIdx.x);
}

__global__ void pointed(int *out) {
    out[threadIdx.x] = operations[threadIdx.x & 1](threadIdx.x, 3);
}

__global__ void misguided(int *out, int (*f)(int, int)) {
    out[threadIdx.x] = f(1, 2); // @misguided
}

__global__ void by_value(record *records) {
    records[threadIdx.x] = changed(records[threadIdx.x], threadIdx.x);
}

__global__ void virtually(int *out) {
    square s;
    line l;
    shape *p = threadIdx.x & 1 ? (shape *)&s : (shape *)&l;
    out[threadIdx.x] = p->area(threadIdx.x);
}

__global__ void indexed_param(const __grid_constant__ table t, int *out) {
    const int *p = &t.values[threadIdx.x];
    out[threadIdx.x] = *p;
}

__global__ void shuffled(int *out) {
    int v = threadIdx.x % 2 ? sum_of_warp(1) : sum_of_warp(100);
    out[threadIdx.x] = v;
}

// Block 0 hands a value to block 1, by a release and an acquire instead of fences.
__global__ void released(int *out, int *flag, int releases) {
    int seen = 0;
    if (blockIdx.x == 0) {
        out[0] = 7; // @released
        if (releases)
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        else
            asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        while (!seen)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        out[1] = out[0];
    }
}

// Copies by hardware that does not wait for them: all bytes, then none of the odd threads.
__global__ void copying(int *out) {
    __shared__ int4 cell[64];
    int4 *mine = &cell[threadIdx.x];
    unsigned to = (unsigned)__cvta_generic_to_shared(mine), n = threadIdx.x % 2 ? 0 : 16;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(out + 4 * threadIdx.x), "r"(n) : "memory");
    asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    int4 theirs = cell[63 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = theirs.w;
}

__global__ void too_deep(int *out) {
    out[threadIdx.x] = endless(threadIdx.x);
}

__global__ void too_many(int *out, int n) {
    out[threadIdx.x] = branching(n);
}

__global__ void leaving(int *out) {
    int n = threadIdx.x;
    out[n] = halved(&n);
    out[n] = threadIdx.x == 0 ? 0 : out[threadIdx.x];
}

__global__ void meeting(int *out) {
    __shared__ int cell[64];
    out[threadIdx.x] = passed_on(cell, threadIdx.x);
}

__global__ void choosing(int *out) {
    int k = threadIdx.x, v = 0;
    switch (out[k]) {
    case 0: v = 17; break;
    case 1: v = out[32]; break;
    case 2: v = k * k; break;
    case 3: v = out[33] * 3; break;
    case 4: v = 99; break;
    case 5: v = __popc(k); break;
    case 6: v = k ^ 4; break;
    case 7: v = out[34] / 3; break;
    case 8: v = 12 ^ k; break;
    }
    out[k + 64] = v;
}

__global__ void jumping(int *out) {
    int v;
    asm volatile("{\n .reg .u32 %%i;\n mov.u32 %%i, %%tid.x;\n and.b32 %%i, %%i, 3;\n"
                 " tab: .branchtargets L0, L1, L2, L3;\n brx.idx %%i, tab;\n"
                 "L0: mov.u32 %0, 10;\n bra.uni done;\nL1: mov.u32 %0, 11;\n bra.uni done;\n"
                 "L2: mov.u32 %0, 12;\n bra.uni done;\nL3: mov.u32 %0, 13;\ndone:\n}"
                 : "=r"(v)); // @jumping
    out[threadIdx.x] = v;
}

__global__ void printing(int n, const char *word) {
    printf("%d|%5d|%-5d|%05d|%+d|%x|%#X|%o|%u\n", n, n, n, n, n, n, n, n, n);
    printf("%lld|%hd|%hhu|%c|%%|%s|%.2s\n", 1ll << 40, n, n, 'a', word, "wxyz");
    printf("%f|%.2f|%8.3e|%g|%a\n", 1.5, 2.345f, 12345.678, 1e-7, 1.0);
    printf("%*d|%-*.*f|%p\n", 4, n, 8, 2, 0.5, (void *)0x1234);
}

__global__ void counting_arguments(int *out) {
    out[0] = printf("nothing\n");
    out[1] = printf("%d %f %s\n", 1, 2.0, "3");
}

__global__ void greeting() {
    printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void greeting_for_ever(int step) {
    for (int k = 1; k > 0; k ^= step)
        printf("%d\n", k);
}

__global__ void checking(int n) {
    assert(threadIdx.x < n); // @checking
}

__global__ void allocating(int *out) {
    int *p = (int *)malloc(4 * sizeof(int));
    int *q = new int[2];
    for (int i = 0; i < 4; i++)
        p[i] = threadIdx.x + i;
    q[0] = 1;
    out[threadIdx.x] = p[3] + q[0];
    free(p);
    delete[] q;
}

__global__ void greedy(int *out) {
    char *p = (char *)malloc(16 << 20);
    out[threadIdx.x] = p == NULL;
}

__global__ void freeing_twice() {
    int *p = (int *)malloc(4);
    free(p);
    free(p); // @freeing_twice
}
}

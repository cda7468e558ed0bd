// Kernels of wide_test.c: atomics of vectors and of 128 bits, and bulk copies, which need compute_90.

extern "C" {

__global__ void add_pairs(float2 *sum, float2 *old) {
    int t = threadIdx.x;
    if (t % 3 != 0)
        old[t] = atomicAdd(sum, make_float2(1, t)); // @pair
}

__global__ void add_quads(float4 *sum) {
    atomicAdd(sum + threadIdx.x % 2, make_float4(1, 2, 3, threadIdx.x));
}

__global__ void reduce_pairs(float *sum) {
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(sum), "f"(1.0f), "f"(2.0f));
    asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(sum + 2), "r"(0x3c004000),
                 "r"(0x40003c00));
    unsigned old;
    asm volatile("atom.global.add.noftz.v2.bf16x2 {%0, _}, [%1], {%2, %3};"
                 : "=r"(old)
                 : "l"(sum + 4), "r"(0x3f803f80), "r"(0));
    sum[8 + threadIdx.x] = __uint_as_float(old);
}

// Each thread adds 1, 2 … 8 to eight halves at once, and keeps the fifth as it was.
__global__ void add_eight_halves(unsigned *cells, unsigned *fifth) {
    asm volatile("{ .reg .b16 old, one, two, four, eight, v<4>; mov.b16 one, 0x3c00;"
                 " mov.b16 two, 0x4000; mov.b16 v0, 0x4200; mov.b16 four, 0x4400;"
                 " mov.b16 v1, 0x4500; mov.b16 v2, 0x4600; mov.b16 v3, 0x4700;"
                 " mov.b16 eight, 0x4800;"
                 " atom.global.add.noftz.v8.f16 {_, _, _, _, old, _, _, _}, [%1],"
                 " {one, two, v0, four, v1, v2, v3, eight}; cvt.u32.u16 %0, old; }"
                 : "=r"(fifth[blockIdx.x * 8 + threadIdx.x])
                 : "l"(cells)
                 : "memory");
}

// -2 and 3 with 0, -0 and what is no number: the lesser and the greater of both.
__global__ void find_extremes(unsigned *cells) {
    if (threadIdx.x == 0) {
        cells[0] = cells[4] = 0x80007e00;
        cells[1] = cells[5] = 0xc0004200;
        cells[2] = 0x80007fc0;
        cells[3] = 0xc0004040;
    }
    __syncthreads();
    asm volatile("red.global.min.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(cells), "r"(0x0000c000)
                 : "memory");
    asm volatile("red.global.max.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(cells + 4), "r"(0x0000c000)
                 : "memory");
    asm volatile("{ .reg .b16 l, h; mov.b32 {l, h}, %1;"
                 " red.global.max.noftz.v4.bf16 [%0], {l, h, l, h}; }" ::"l"(cells + 2),
                 "r"(0x0000c000)
                 : "memory");
}

__global__ void add_misplaced_pair(float *sum) {
    atomicAdd((float2 *)(sum + 1), make_float2(1, 1));
}

struct __align__(16) wide {
    unsigned long long low, high;
};

// Each thread adds 1 and 3 to a pair of counters at once.
__global__ void count_both(wide *counters) {
    wide seen = {0, 0}, wanted;
    do {
        wanted = seen;
        seen = atomicCAS(counters, wanted, wide{wanted.low + 1, wanted.high + 3});
    } while (seen.low != wanted.low || seen.high != wanted.high);
}

// What is put in comes out once, but for the last.
__global__ void exchange_both(wide *place, wide *got) {
    __shared__ wide here;
    int t = threadIdx.x;
    if (t == 0)
        here = wide{1000, 2000};
    __syncthreads();
    got[t] = atomicExch(&here, wide{(unsigned long long)t, 5ull * t});
    __syncthreads();
    if (t == 0)
        *place = here;
}

__device__ __noinline__ void copy_to(int *tile, const int *from, unsigned bytes,
                                     unsigned long long *object) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%3], %2;"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(tile)),
                 "l"(from), "r"(bytes), "r"((unsigned)__cvta_generic_to_shared(object))
                 : "memory");
}

__global__ void copy_in_a_function(const int *from, int *to) {
    __shared__ __align__(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done = 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(&object))
                     : "memory");
        copy_to(tile, from, sizeof tile, &object);
    }
    __syncthreads();
    for (int i = 0; i < 4 && !done; i++)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"((unsigned)__cvta_generic_to_shared(&object))
                     : "memory");
    to[threadIdx.x] = done ? tile[threadIdx.x] : -1;
}

// Odd lanes copy zeros.
__global__ void copy_even_ones(const int *from, int *to) {
    __shared__ int tile[64];
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0;"
                 " cp.async.ca.shared.global [%0], [%1], 4, p; }"
                 "cp.async.bulk.prefetch.L2.global [%1], 16;"
                 "cp.async.wait_all;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(tile + threadIdx.x)),
                 "l"(from + threadIdx.x), "r"(threadIdx.x % 2)
                 : "memory");
    to[threadIdx.x] = tile[threadIdx.x];
}
}

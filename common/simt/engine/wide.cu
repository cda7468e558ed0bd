// Kernels of wide_test.c: atomics of vectors and of 128 bits, which need compute_90.

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
}

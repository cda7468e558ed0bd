/* Pairs of 16-bit integers, mbarriers and bulk copies: compute capability 9.0. */
#include "proof.cuh"

#define H2(text) put(PTX2(u32, "r", text, "r", a, "r", b))
//: kernel=integer_pairs words=8
OPS(integer_pairs, u32, H2("add.u16x2"); H2("add.s16x2"); H2("min.u16x2"); H2("max.u16x2");
    H2("min.s16x2"); H2("max.s16x2"); H2("min.relu.s16x2"); H2("max.relu.s16x2"))
//: kernel=byte_distances words=2
OPS(byte_distances, u32, put(PTX3(u32, "r", "vabsdiff4.u32.u32.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "vabsdiff4.u32.u32.u32.add", "r", a, "r", b, "r", c)))

static __device__ __forceinline__ void wait_for_phase(u32 barrier, u32 parity) {
    u32 done;
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;"
                     "\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!done);
}

/* Three phases of an mbarrier of all threads; each reads what its neighbour wrote. */
//: kernel=mbarrier_phases words=4
KERNEL(mbarrier_phases) {
    __shared__ u64 barrier;
    __shared__ u32 tile[3][128];
    const u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&barrier);
    u64 state;
    sink to(out);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    u32 sum = column(in, 0);
    for (u32 phase = 0; phase < 3; phase++) {
        tile[phase][t] = sum;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
        (void)state;
        wait_for_phase(at, phase & 1);
        sum += tile[phase][(t + 37) % 128];
        put(sum);
    }
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at) : "memory");
    put(t);
}

/* Copies that a thread starts arrive at the mbarrier for it. */
//: kernel=mbarrier_of_copies words=2
KERNEL(mbarrier_of_copies) {
    __shared__ u64 barrier;
    __shared__ __align__(16) u64 tile[128];
    const u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&barrier);
    sink to(out);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n\t"
                 "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%2];" ::"r"(
                     (u32)__cvta_generic_to_shared(&tile[t])),
                 "l"(in + global_id()), "r"(at)
                 : "memory");
    wait_for_phase(at, 0);
    put(tile[(t + 5) % 128]);
}

/* The same, with an arrival that is added for each copy, and two copies a thread. */
//: kernel=mbarrier_of_more_copies words=4
KERNEL(mbarrier_of_more_copies) {
    __shared__ u64 barrier;
    __shared__ __align__(16) u64 tile[2][128];
    const u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&barrier);
    u64 state;
    sink to(out);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    for (u32 i = 0; i < 2; i++)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(
                         (u32)__cvta_generic_to_shared(&tile[i][t])),
                     "l"(in + i * n_threads() + global_id())
                     : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%1];\n\t"
                 "mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(at)
                 : "memory");
    (void)state;
    wait_for_phase(at, 0);
    put(tile[0][(t + 5) % 128]);
    put(tile[1][(t + 70) % 128]);
}

/* Tokens, arrivals for many and for good; how many a phase still waits for. */
//: kernel=mbarrier_tokens words=5
KERNEL(mbarrier_tokens) {
    __shared__ u64 barrier, own[128];
    __shared__ u32 tile[128];
    const u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&barrier),
              mine = (u32)__cvta_generic_to_shared(&own[t]);
    const u32 arrivals = t == 0 ? 3 : 1, is_odd = t & 1;
    u32 sum = column(in, 0), done, first, second;
    u64 state;
    sink to(out);
    asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.init.shared::cta.b64 [%2], 5;\n\t"
                 "mbarrier.arrive.shared::cta.b64 s, [%2], 2;\n\tmbarrier.pending_count.b64 %0, s;\n\t"
                 "mbarrier.arrive.shared::cta.b64 s, [%2];\n\tmbarrier.pending_count.b64 %1, s;\n\t}"
                 : "=r"(first), "=r"(second)
                 : "r"(mine)
                 : "memory");
    put(first);
    put(second);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 130;" ::"r"(at) : "memory");
    tile[t] = sum;
    __syncthreads();
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(at), "r"(arrivals)
                 : "memory");
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(at), "l"(state)
                     : "memory");
    while (!done);
    sum += tile[(t + 31) % 128];
    put(sum);
    if (is_odd)
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];"
                     : "=l"(state)
                     : "r"(at)
                     : "memory");
    else
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(arrivals)
                     : "memory");
    wait_for_phase(at, 1);
    if (!is_odd) {
        tile[t] = sum;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(arrivals)
                     : "memory");
    }
    wait_for_phase(at, 0);
    put(tile[(t + 64) % 128 & ~1u]);
    put(done);
}

/* A block's cells come in one copy; its results go in another. */
//: kernel=bulk_copies words=4
KERNEL(bulk_copies) {
    __shared__ u64 barrier;
    __shared__ __align__(16) u64 tile[128];
    __shared__ __align__(16) u32 results[128];
    const u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&barrier);
    sink to(out);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" ::"r"(at)
                     : "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n\t"
                     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], %1,"
                     " [%0];" ::"r"(at),
                     "r"((u32)sizeof(tile)), "r"((u32)__cvta_generic_to_shared(tile)),
                     "l"(in + blockIdx.x * blockDim.x)
                     : "memory");
    wait_for_phase(at, 0);
    const u64 v = tile[(t + 5) % 128];
    put(v);
    results[t] = (u32)v * 3 + t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                     "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::"l"(
                         out + 2 * n_threads() + blockIdx.x * blockDim.x),
                     "r"((u32)__cvta_generic_to_shared(results)), "r"((u32)sizeof(results))
                     : "memory");
    out[3 * n_threads() + global_id()] = t;
}

/* Copies, mbarriers and wide atomics whose counters are compared. */
#include "proof.cuh"

#define ASM(text, ...) asm volatile(text ::__VA_ARGS__ : "memory")
#define FENCE()        asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

static __device__ __forceinline__ u32 shared_at(const void *p) {
    return (u32)__cvta_generic_to_shared(p);
}

//: kernel=copied_words counters
KERNEL(copied_words) {
    __shared__ u32 tile[128];
    const u32 t = threadIdx.x;
    ASM("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;", "r"(shared_at(tile + t)),
        "l"((const u32 *)in + global_id()));
    __syncthreads();
    out[global_id()] = tile[127 - t];
}

//: kernel=copied_quads words=4 counters
KERNEL(copied_quads) {
    __shared__ uint4 tile[128];
    const u32 t = threadIdx.x;
    ASM("cp.async.cg.shared.global [%0], [%1], 16;\n\tcp.async.wait_all;", "r"(shared_at(tile + t)),
        "l"((const uint4 *)in + global_id()));
    __syncthreads();
    ((uint4 *)out)[global_id()] = tile[t ^ 1];
}

//: kernel=copied_columns counters
KERNEL(copied_columns) {
    __shared__ u32 tile[128 * 8];
    const u32 t = threadIdx.x;
    ASM("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;",
        "r"(shared_at(tile + t * 8)), "l"((const u32 *)in + (global_id() * 4) % n_threads()));
    __syncthreads();
    out[global_id()] = tile[(127 - t) * 8];
}

//: kernel=copied_in_bulk words=2 counters
KERNEL(copied_in_bulk) {
    __shared__ u64 object;
    __shared__ __align__(16) u64 tile[128];
    const u32 t = threadIdx.x, at = shared_at(&object);
    u32 done;
    if (t == 0)
        ASM("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;\n\t"
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;\n\t"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], 1024, [%0];",
            "r"(at), "r"(shared_at(tile)), "l"(in + blockIdx.x * 128));
    __syncthreads();
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
    while (!done);
    ((u64 *)out)[global_id()] = tile[t];
}

//: kernel=copied_out_in_bulk counters
KERNEL(copied_out_in_bulk) {
    __shared__ __align__(16) u32 tile[128];
    tile[threadIdx.x] = column(in, 0);
    FENCE();
    __syncthreads();
    if (threadIdx.x == 0)
        ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;\n\t"
            "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;",
            "l"(out + blockIdx.x * 128), "r"(shared_at(tile)));
}

/* The H200 counts 15 wavefronts of stores, 12 of which belong to the store. */
//: kernel=met_at_an_mbarrier counters pending
KERNEL(met_at_an_mbarrier) {
    __shared__ u64 object;
    __shared__ u32 tile[128];
    const u32 t = threadIdx.x, at = shared_at(&object);
    u32 done;
    if (t == 0)
        ASM("mbarrier.init.shared::cta.b64 [%0], 128;", "r"(at));
    __syncthreads();
    tile[t] = column(in, 0);
    ASM("mbarrier.arrive.shared::cta.b64 _, [%0];", "r"(at));
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
    while (!done);
    out[global_id()] = tile[127 - t];
}

//: kernel=reduced_vectors words=5 counters
KERNEL(reduced_vectors) {
    const f32 v = (f32)((u32)column(in, 0) & 255);
    ASM("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};", "l"(out + 4 * global_id()), "f"(v));
    ASM("red.global.add.noftz.v2.f16x2 [%0], {%1, %1};", "l"(out + 4 * n_threads() + 4 * (threadIdx.x & 7)),
        "r"(0x3c003c00));
}

//: kernel=exchanged_vectors words=4 counters
KERNEL(exchanged_vectors) {
    u32 low, high;
    const u32 v = 0x3c00;
    asm volatile("atom.global.add.noftz.v2.f16x2 {%0, %1}, [%2], {%3, %3};"
                 : "=r"(low), "=r"(high)
                 : "l"(out + 2 * global_id()), "r"(v)
                 : "memory");
    out[2 * n_threads() + global_id()] = low;
    out[3 * n_threads() + global_id()] = high;
}

//: kernel=swapped_wide words=4 counters
KERNEL(swapped_wide) {
    __shared__ ulonglong2 tile[128];
    const u64 a = column(in, 0);
    u64 low, high;
    tile[threadIdx.x] = make_ulonglong2(a, a);
    asm volatile("{\n\t.reg .b128 q<3>;\n\tmov.b128 q0, {%3, %3};\n\tmov.b128 q1, {%4, %3};\n\t"
                 "atom.shared.cas.b128 q2, [%2], q0, q1;\n\tmov.b128 {%0, %1}, q2;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "r"(shared_at(&tile[threadIdx.x])), "l"(a), "l"(0ull)
                 : "memory");
    asm volatile("{\n\t.reg .b128 q<2>;\n\tmov.b128 q0, {%1, %2};\n\t"
                 "atom.global.exch.b128 q1, [%0], q0;\n\t}" ::"l"(out + 4 * global_id()),
                 "l"(low), "l"(high)
                 : "memory");
}

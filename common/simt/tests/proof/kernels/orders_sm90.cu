/* Fences, strong loads and stores, hints to the caches, and what a cluster of one block says of
 * itself. */
#include "proof.cuh"

#define ASM(text, ...) asm volatile(text ::__VA_ARGS__ : "memory")

/* Every qualifier of a load finds what was stored with every qualifier of a store. */
//: kernel=strong_accesses words=24
KERNEL(strong_accesses) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 *const cell = out + 20 * n_threads() + 4 * global_id();
    u32 v, w;
    u64 d;
    f32 f;
    sink to(out);
#define LOADED(op)                                                                                 \
    asm volatile(op " %0, [%1];" : "=r"(v) : "l"(cell) : "memory");                                \
    put(v)
    ASM("st.relaxed.cta.global.u32 [%0], %1;", "l"(cell), "r"(a));
    LOADED("ld.relaxed.cta.global.u32");
    ASM("st.release.gpu.global.u32 [%0], %1;", "l"(cell), "r"(b));
    LOADED("ld.acquire.gpu.global.u32");
    ASM("st.release.sys.u32 [%0], %1;", "l"(cell), "r"(a + b));
    LOADED("ld.acquire.sys.u32");
    ASM("st.relaxed.cluster.global.u16 [%0 + 2], %1;", "l"(cell), "h"((u16)a));
    LOADED("ld.relaxed.cluster.global.s16");
    LOADED("ld.mmio.relaxed.sys.global.u32");
    ASM("st.mmio.relaxed.sys.global.u32 [%0], %1;", "l"(cell), "r"(a ^ b));
    LOADED("ld.weak.global.u32");
    LOADED("ld.global.lu.u32");
    LOADED("ld.global.L1::no_allocate.L2::256B.u32");
    LOADED("ld.relaxed.gpu.global.L1::evict_last.u32");
    ASM("st.global.wb.v2.u32 [%0], {%1, %2};", "l"(cell), "r"(a), "r"(b));
    asm volatile("ld.relaxed.sys.global.v2.u32 {%0, %1}, [%2];" : "=r"(v), "=r"(w) : "l"(cell) : "memory");
    put(v);
    put(w);
    ASM("st.global.wt.u64 [%0], %1;", "l"(cell), "l"((u64)a << 32 | b));
    asm volatile("ld.acquire.cta.u64 %0, [%1];" : "=l"(d) : "l"(cell) : "memory");
    put(d);
    ASM("st.global.L1::evict_first.f32 [%0], %1;", "l"(cell), "f"(__uint_as_float(a)));
    asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(f) : "l"(cell) : "memory");
    put(f);
    ASM("st.volatile.v4.u32 [%0], {%1, %2, %1, %2};", "l"(cell), "r"(a), "r"(b));
    LOADED("ld.relaxed.gpu.u8");
    LOADED("ld.global.cg.s8");
}

/* The same in shared memory, which is also the cluster's. */
//: kernel=strong_shared words=8
KERNEL(strong_shared) {
    __shared__ __align__(16) u32 tile[128][2];
    const u32 a = column(in, 0), b = column(in, 1), at = (u32)__cvta_generic_to_shared(tile[threadIdx.x]);
    u32 v, w;
    sink to(out);
#define SHARED(op)                                                                                 \
    asm volatile(op " %0, [%1];" : "=r"(v) : "r"(at) : "memory");                                  \
    put(v)
    ASM("st.release.cta.shared::cta.u32 [%0], %1;", "r"(at), "r"(a));
    SHARED("ld.acquire.cta.shared::cta.u32");
    ASM("st.relaxed.cluster.shared::cluster.u32 [%0], %1;", "r"(at), "r"(b));
    SHARED("ld.relaxed.cluster.shared::cluster.u32");
    ASM("st.shared::cluster.v2.u32 [%0], {%1, %2};", "r"(at), "r"(b), "r"(a));
    asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2];" : "=r"(v), "=r"(w) : "r"(at) : "memory");
    put(v);
    put(w);
    asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], %2;"
                 : "=r"(v)
                 : "r"(at), "r"(a)
                 : "memory");
    put(v);
    ASM("red.release.cluster.shared::cluster.max.s32 [%0], %1;", "r"(at), "r"(a));
    SHARED("ld.weak.shared.s32");
    SHARED("ld.volatile.shared.s16");
    SHARED("ld.shared::cta.u8");
}

/* A message from each block to the next, with each kind of fence: the flag that the next one sees
 * says which message it must see. */
//: kernel=fences words=4
KERNEL(fences) {
    __shared__ u32 tile[128];
    const u32 t = threadIdx.x, a = column(in, 0);
    u32 sum = a;
    sink to(out);
#define ROUND(fence)                                                                               \
    tile[t] = sum;                                                                                 \
    asm volatile(fence ::: "memory");                                                              \
    __syncthreads();                                                                               \
    sum = sum * 5 + tile[(t + 3) % 128];                                                           \
    __syncthreads();
    ROUND("membar.cta;") ROUND("membar.gl;") ROUND("membar.sys;")
    ROUND("fence.sc.cta;\n\tfence.sc.cluster;\n\tfence.sc.gpu;\n\tfence.sc.sys;")
    put(sum);
    ROUND("fence.acq_rel.cta;\n\tfence.acq_rel.cluster;\n\tfence.acq_rel.gpu;\n\tfence.acq_rel.sys;")
    ROUND("fence.acquire.cta;\n\tfence.release.gpu;\n\tfence.proxy.alias;\n\tfence.proxy.async;")
    ROUND("fence.proxy.async.global;\n\tfence.proxy.async.shared::cta;\n\tfence.mbarrier_init.release.cluster;")
    ROUND("barrier.cluster.arrive;\n\tbarrier.cluster.wait;")
    ROUND("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.acquire.aligned;")
    put(sum);
    u32 *const flag = out + 2 * n_threads(), *const message = out + 3 * n_threads();
    if (t == 0) {
        message[blockIdx.x] = 100 + blockIdx.x;
        ASM("fence.acq_rel.gpu;\n\tst.relaxed.gpu.global.u32 [%0], 1;", "l"(flag + blockIdx.x));
        u32 seen;
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(seen)
                         : "l"(flag + (blockIdx.x + 1) % gridDim.x)
                         : "memory");
        while (!seen);
        message[gridDim.x + blockIdx.x] = message[(blockIdx.x + 1) % gridDim.x] * 2;
    }
}

/* Hints change nothing. */
//: kernel=hints words=3
KERNEL(hints) {
    const u32 a = column(in, 0);
    u32 *const cell = out + n_threads() + global_id();
    u32 v;
    sink to(out);
    *cell = a;
    ASM("prefetch.global.L1 [%0];\n\tprefetch.global.L2 [%0];\n\tprefetch.L1 [%0];\n\t"
        "prefetch.global.L2::evict_last [%0];\n\tprefetch.global.L2::evict_normal [%0];\n\t"
        "prefetchu.L1 [%0];\n\tnanosleep.u32 20;\n\tgriddepcontrol.launch_dependents;\n\t"
        "griddepcontrol.wait;",
        "l"(cell));
    ASM("applypriority.global.L2::evict_normal [%0], 128;", "l"((u64)cell & ~127ull));
    ASM("cp.async.bulk.prefetch.L2.global [%0], 128;", "l"((u64)cell & ~127ull));
    asm volatile("ldu.global.u32 %0, [%1];" : "=r"(v) : "l"((u32 *)(in + global_id())));
    put(v ^ a);
    asm volatile("ld.global.nc.L1::evict_first.L2::64B.u32 %0, [%1];" : "=r"(v) : "l"((u32 *)(in + global_id())));
    out[2 * n_threads() + global_id()] = v + 1;
}

/* A launch without clusters: each block is one. */
//: kernel=cluster_of_one words=16
KERNEL(cluster_of_one) {
    __shared__ u32 word;
    const u64 at = (u64)__cvta_generic_to_shared(&word);
    u32 v;
    u64 d;
    sink to(out);
#define SPECIAL(name)                                                                              \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(v));                                             \
    put(v)
    if (threadIdx.x == 0)
        word = 41 + blockIdx.x;
    __syncthreads();
    SPECIAL("clusterid.x");
    SPECIAL("clusterid.y");
    SPECIAL("nclusterid.x");
    SPECIAL("nclusterid.z");
    SPECIAL("cluster_ctaid.x");
    SPECIAL("cluster_nctaid.x");
    SPECIAL("cluster_ctarank");
    SPECIAL("cluster_nctarank");
    asm volatile("{\n\t.reg .pred p;\n\tmov.pred p, %%is_explicit_cluster;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(v));
    put(v);
    asm volatile("{\n\t.reg .b32 r;\n\tmapa.shared::cluster.u32 r, %1, 0;\n\tld.shared::cluster.u32 %0, [r];\n\t}"
                 : "=r"(v)
                 : "r"((u32)at)
                 : "memory");
    put(v);
    asm volatile("{\n\t.reg .b64 r;\n\tmapa.u64 r, %1, 0;\n\tld.u32 %0, [r];\n\t}"
                 : "=r"(v)
                 : "l"(&word)
                 : "memory");
    put(v);
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(v) : "r"((u32)at));
    put(v);
    asm volatile("getctarank.u64 %0, %1;" : "=r"(v) : "l"(&word));
    put(v);
    asm volatile("{\n\t.reg .pred p, q;\n\t.reg .u32 r;\n\tisspacep.shared::cluster p, %1;\n\t"
                 "isspacep.shared::cta q, %1;\n\tselp.u32 %0, 1, 0, p;\n\tselp.u32 r, 2, 0, q;\n\t"
                 "or.b32 %0, %0, r;\n\t}"
                 : "=r"(v)
                 : "l"(&word));
    put(v);
    asm volatile("{\n\t.reg .b64 r;\n\t.reg .pred p;\n\t.reg .u32 s;\n\tmov.b64 r, cluster_of_one_param_1;\n\t"
                 "cvta.param.u64 r, r;\n\tisspacep.param p, r;\n\tld.u64 %0, [r];\n\t"
                 "selp.u32 %1, 1, 0, p;\n\t}"
                 : "=l"(d), "=r"(v));
    put(d == (u64)out);
    put(v);
}

/* One lane is elected: which one, PTX leaves open, but all name the same, and it is a member. */
//: kernel=elections words=3
KERNEL(elections) {
    const u32 a = column(in, 0), lane = threadIdx.x % 32;
    sink to(out);
    u32 leader, is_leader;
#define ELECT(mask)                                                                                \
    asm volatile("{\n\t.reg .pred p;\n\telect.sync %0|p, %2;\n\tselp.u32 %1, 1, 0, p;\n\t}"        \
                 : "=r"(leader), "=r"(is_leader)                                                   \
                 : "r"(mask));
    ELECT(0xffffffff)
    put(leader << 1 | is_leader);
    const u32 odd = __ballot_sync(0xffffffff, a & 1);
    if (a & 1) {
        ELECT(odd)
        put(leader << 1 | is_leader);
    } else {
        put(lane);
    }
    put(odd);
}

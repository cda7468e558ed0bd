/* Copies beside the kernel (cp.async, cp.async.bulk) and mbarriers: the forms that pairs_sm90.cu
 * leaves out. */
#include "proof.cuh"

static __device__ __forceinline__ u32 shared_at(const void *p) {
    return (u32)__cvta_generic_to_shared(p);
}
#define ASM(text, ...) asm volatile(text ::__VA_ARGS__ : "memory")
#define FENCE()         asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define INIT(object, n)                                                                            \
    if (threadIdx.x == 0)                                                                          \
        ASM("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.mbarrier_init.release.cluster;\n\t"  \
            "fence.proxy.async.shared::cta;",                                                      \
            "r"(shared_at(&object)), "r"((u32)(n)));                                               \
    __syncthreads()
/* A wait, by any of the four ways; `which` is a parity ("r") or a state ("l"). */
#define WAIT(form, object, C, which)                                                               \
    {                                                                                              \
        u32 done_;                                                                                 \
        do                                                                                         \
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier." form ".b64 p, [%1], %2;\n\t"            \
                         "selp.u32 %0, 1, 0, p;\n\t}"                                              \
                         : "=r"(done_)                                                             \
                         : "r"(shared_at(&object)), C(which)                                       \
                         : "memory");                                                              \
        while (!done_);                                                                            \
    }

/* All sizes, with fewer bytes than that from memory and zeros for the rest, in two groups. */
//: kernel=copy_sizes words=32
KERNEL(copy_sizes) {
    __shared__ __align__(16) u32 tile[8][128][4];
    const u32 t = threadIdx.x, a = column(in, 0);
    const u64 *const from = in + (global_id() & ~1u);
    sink to(out);
    for (u32 i = 0; i < 8; i++)
        for (u32 k = 0; k < 4; k++)
            tile[i][t][k] = 0xdead0000 + i * 16 + k;
    __syncthreads();
    ASM("cp.async.ca.shared.global [%0], [%1], 4;", "r"(shared_at(tile[0][t])), "l"(from));
    ASM("cp.async.ca.shared.global.L2::128B [%0 + 8], [%1 + 8], 8;", "r"(shared_at(tile[1][t])),
        "l"(from));
    ASM("cp.async.ca.shared::cta.global [%0], [%1], 16;", "r"(shared_at(tile[2][t])), "l"(from));
    ASM("cp.async.cg.shared.global [%0], [%1], 16;", "r"(shared_at(tile[3][t])), "l"(from));
    asm volatile("cp.async.commit_group;" ::: "memory");
    ASM("cp.async.ca.shared.global [%0], [%1], 4, %2;", "r"(shared_at(tile[4][t])), "l"(from),
        "r"(a % 5));
    ASM("cp.async.ca.shared.global [%0], [%1], 8, %2;", "r"(shared_at(tile[5][t])), "l"(from),
        "r"(a % 9));
    ASM("cp.async.cg.shared.global [%0], [%1], 16, %2;", "r"(shared_at(tile[6][t])), "l"(from),
        "r"(a % 17));
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;" ::: "memory");
    for (u32 i = 0; i < 4; i++)
        for (u32 k = 0; k < 4; k++)
            put(tile[i][t][k]);
    ASM("cp.async.ca.shared.global [%0], [%1], 16, 0;", "r"(shared_at(tile[7][t])), "l"(from));
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (u32 i = 4; i < 8; i++)
        for (u32 k = 0; k < 4; k++)
            put(tile[i][t][k]);
}

/* What a predicate leaves out comes as zeros. */
//: kernel=copy_ignored words=7
KERNEL(copy_ignored) {
    __shared__ __align__(16) u32 tile[3][128][4];
    const u32 t = threadIdx.x, a = column(in, 0);
    const u64 *const from = in + (global_id() & ~1u);
    sink to(out);
    for (u32 i = 0; i < 3; i++)
        for (u32 k = 0; k < 4; k++)
            tile[i][t][k] = 7;
    __syncthreads();
    ASM("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\tcp.async.ca.shared.global [%0], [%3], 4, p;\n\t"
        "cp.async.ca.shared.global [%1], [%3], 8, p;\n\tcp.async.cg.shared.global [%2], [%3], 16, p;\n\t}",
        "r"(shared_at(tile[0][t])), "r"(shared_at(tile[1][t])), "r"(shared_at(tile[2][t])), "l"(from),
        "r"(a & 1));
    asm volatile("cp.async.wait_all;" ::: "memory");
    put(tile[0][t][0]);
    put(tile[1][t][0]);
    put(tile[1][t][1]);
    for (u32 k = 0; k < 4; k++)
        put(tile[2][t][k]);
}

/* Every way to arrive; each thread has an object of its own. PTX gives a state's count of arrivals
 * that are still to come where no bytes are. */
//: kernel=mbarrier_counts words=10
KERNEL(mbarrier_counts) {
    __shared__ u64 objects[128];
    const u32 at = shared_at(&objects[threadIdx.x]), a = column(in, 0);
    const u32 n = 5 + (a & 15);
    u64 state;
    u32 pending, is_over;
    sink to(out);
#define ARRIVES(text, C, operand)                                                                  \
    asm volatile("mbarrier." text "\n\tmbarrier.pending_count.b64 %1, %0;"                         \
                 : "=l"(state), "=r"(pending)                                                      \
                 : "r"(at), C(operand)                                                             \
                 : "memory");                                                                      \
    put(pending)
#define IS_OVER(text, C, which)                                                                    \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier." text " p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" \
                 : "=r"(is_over)                                                                   \
                 : "r"(at), C(which)                                                               \
                 : "memory");                                                                      \
    put(is_over)
    ASM("mbarrier.init.shared::cta.b64 [%0], %1;", "r"(at), "r"(n));
    ARRIVES("arrive.release.cta.shared::cta.b64 %0, [%2];", "r", 0);
    ARRIVES("arrive.noComplete.release.cta.shared::cta.b64 %0, [%2], %3;", "r", 1);
    IS_OVER("test_wait.shared::cta.b64", "l", state);
    ASM("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;", "r"(at), "r"(48));
    ASM("mbarrier.arrive.shared::cta.b64 _, [%0], %1;", "r"(at), "r"(n - 3));
    IS_OVER("test_wait.parity.acquire.cta.shared::cta.b64", "r", 0);
    ASM("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;", "r"(at), "r"(16));
    ASM("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;", "r"(at), "r"(40));
    IS_OVER("test_wait.parity.shared::cta.b64", "r", 0);
    ASM("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;", "r"(at), "r"(24));
    IS_OVER("try_wait.parity.shared::cta.b64", "r", 0);
    IS_OVER("test_wait.acquire.cta.shared::cta.b64", "l", state);
    ASM("mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;", "r"(at), "r"(16));
    ASM("mbarrier.arrive_drop.release.cta.shared::cta.b64 _, [%0], %1;", "r"(at), "r"(2));
    IS_OVER("try_wait.parity.acquire.cta.shared::cta.b64", "r", 0);
    ARRIVES("arrive_drop.noComplete.release.cta.shared::cta.b64 %0, [%2], %3;", "r", 1);
}

/* Generic addresses and the cluster's, with a time to wait. */
//: kernel=mbarrier_addresses words=3
KERNEL(mbarrier_addresses) {
    __shared__ u64 object;
    __shared__ u32 tile[128];
    const u32 t = threadIdx.x;
    u32 sum = column(in, 0), done;
    u64 state;
    sink to(out);
    INIT(object, blockDim.x);
    tile[t] = sum;
    asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&object) : "memory");
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "l"(&object), "l"(state)
                     : "memory");
    while (!done);
    sum = tile[(t + 9) % 128];
    put(sum);
    ASM("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];", "r"(shared_at(&object)));
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p,"
                     " [%1], 1, 1000;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(shared_at(&object))
                     : "memory");
    while (!done);
    tile[t] = sum * 3;
    __syncthreads();
    put(tile[(t + 1) % 128]);
    put(done);
}

/* Many copies of many sizes, started by a warp, come in one phase. */
//: kernel=bulk_sizes words=4
KERNEL(bulk_sizes) {
    __shared__ u64 object;
    __shared__ __align__(16) u64 tile[128];
    const u32 t = threadIdx.x, cells = 2 * (t % 3 + 1), first = t / 3 * 12 + t % 3 * (t % 3 + 1);
    sink to(out);
    INIT(object, 30);
    tile[t] = t;
    FENCE();
    __syncthreads();
    if (t < 30)
        ASM("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n\t"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], %1, [%0];",
            "r"(shared_at(&object)), "r"(8 * cells), "r"(shared_at(tile + first)),
            "l"(in + blockIdx.x * 128 + first));
    WAIT("try_wait.parity.acquire.cta.shared::cta", object, "r", 0);
    put(tile[t]);
    put(tile[(t + 77) % 128]);
}

/* Bulk copies out of shared memory, in groups, with waits for some of them; and into it. (From there
 * to there, an H200 makes none in a launch without clusters: it is an illegal instruction.) */
#include "proof.cuh"

#define ASM(text, ...) asm volatile(text ::__VA_ARGS__ : "memory")
#define FENCE()        asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

static __device__ __forceinline__ u32 shared_at(const void *p) {
    return (u32)__cvta_generic_to_shared(p);
}
static __device__ __forceinline__ void init(u64 *object) {
    if (threadIdx.x == 0)
        ASM("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;",
            "r"(shared_at(object)));
    FENCE();
    __syncthreads();
}
static __device__ __forceinline__ void wait(u64 *object) {
    u32 done;
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(shared_at(object))
                     : "memory");
    while (!done);
}

/* Three groups; the first one's source is used again once it has been read. */
//: kernel=bulk_groups words=4
KERNEL(bulk_groups) {
    __shared__ __align__(16) u32 tile[128], last[128];
    const u32 t = threadIdx.x, a = column(in, 0);
    u32 *const mine = out + blockIdx.x * blockDim.x;
    tile[t] = a;
    last[t] = a * 3;
    FENCE();
    __syncthreads();
    if (t == 0) {
        ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;\n\t"
            "cp.async.bulk.commit_group;\n\t"
            "cp.async.bulk.global.shared::cta.bulk_group [%2], [%3], 256;\n\t"
            "cp.async.bulk.global.shared::cta.bulk_group [%2 + 256], [%3 + 256], 256;\n\t"
            "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 1;",
            "l"(mine), "r"(shared_at(tile)), "l"(mine + n_threads()), "r"(shared_at(last)));
        for (u32 i = 0; i < 128; i++)
            tile[i] = i;
        FENCE();
        ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;\n\t"
            "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;",
            "l"(mine + 2 * n_threads()), "r"(shared_at(tile)));
    }
    __syncthreads();
    last[t] = tile[t] = 5;
    out[3 * n_threads() + global_id()] = last[t] + t;
}

/* Into the block's own shared memory, as PTX ISA 8.6 writes it. */
//: kernel=bulk_to_block words=2
KERNEL(bulk_to_block) {
    __shared__ u64 object;
    __shared__ __align__(16) u64 tile[128];
    sink to(out);
    init(&object);
    if (threadIdx.x == 0)
        ASM("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;\n\t"
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%1], [%2], 1024, [%0];",
            "r"(shared_at(&object)), "r"(shared_at(tile)), "l"(in + blockIdx.x * 128));
    wait(&object);
    put(tile[127 - threadIdx.x]);
}

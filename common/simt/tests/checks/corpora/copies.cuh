// Copies to shared memory that run beside a kernel, and what waits for them: PTX for which CUDA C++ has
// no short word. The mbarrier is the kernel's `object`; WAIT_FOR_PHASE wants an unsigned `done`.
#ifndef CHECKS_COPIES_CUH
#define CHECKS_COPIES_CUH

#define COPY(to, from)                                                                             \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(                                 \
                     (unsigned)__cvta_generic_to_shared(to)),                                      \
                 "l"(from)                                                                         \
                 : "memory")
#define COMMIT()     asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n)      asm volatile("cp.async.wait_group " #n ";" ::: "memory")

#define OBJECT() (unsigned)__cvta_generic_to_shared(&object)
#define ARRIVE()                                                                                   \
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(OBJECT()) : "memory")
#define EXPECT(bytes)                                                                              \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], " #bytes ";" ::"r"(OBJECT())       \
                 : "memory")
#define COPY_BULK(to, from, bytes)                                                                 \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "              \
                 "[%0], [%1], " #bytes ", [%2];" ::"r"((unsigned)__cvta_generic_to_shared(to)),    \
                 "l"(__cvta_generic_to_global(from)), "r"(OBJECT())                                \
                 : "memory")
#define STORE_BULK(to, from, bytes)                                                                \
    asm volatile("fence.proxy.async.shared::cta;"                                                  \
                 "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], " #bytes                 \
                 ";" ::"l"(__cvta_generic_to_global(to)),                                          \
                 "r"((unsigned)__cvta_generic_to_shared(from))                                     \
                 : "memory")
#define COMMIT_BULK() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(n)  asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
#define WAIT_BULK(n)  asm volatile("cp.async.bulk.wait_group " #n ";" ::: "memory")
#define WAIT_FOR_PHASE(parity)                                                                     \
    do {                                                                                           \
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"            \
                     " selp.u32 %0, 1, 0, p; }"                                                    \
                     : "=r"(done)                                                                  \
                     : "r"(OBJECT()), "r"(parity)                                                  \
                     : "memory");                                                                  \
    } while (!done)

#endif

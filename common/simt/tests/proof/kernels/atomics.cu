/*
 * Atomics and reductions of every type, on global and shared memory, PTX ISA section 9.7.13. Where
 * threads meet at an address only the final value is written; old values only where a thread has
 * the address to itself.
 */
#include "proof.cuh"

/* One atomic on a cell of the thread's own, which holds `b` before: old value and new one. */
#define OLD_AND_NEW(T, call)                                                                       \
    do {                                                                                           \
        cells[threadIdx.x] = (T)b;                                                                 \
        T *const cell = &cells[threadIdx.x];                                                       \
        const T old = call;                                                                        \
        put(old);                                                                                  \
        put(cells[threadIdx.x]);                                                                   \
    } while (0)

#define ATOMIC_KERNEL(name, T, ...)                                                                \
    KERNEL(name) {                                                                                 \
        __shared__ T cells[128];                                                                   \
        const T a = column(in, 0), b = column(in, 1), c = column(in, 2);                           \
        sink to(out);                                                                              \
        (void)c;                                                                                   \
        __VA_ARGS__                                                                                \
    }

//: kernel=atomic_shared_u32 words=20
ATOMIC_KERNEL(atomic_shared_u32, u32, OLD_AND_NEW(u32, atomicAdd(cell, a));
              OLD_AND_NEW(u32, atomicSub(cell, a)); OLD_AND_NEW(u32, atomicMin(cell, a));
              OLD_AND_NEW(u32, atomicMax(cell, a)); OLD_AND_NEW(u32, atomicInc(cell, a));
              OLD_AND_NEW(u32, atomicDec(cell, a)); OLD_AND_NEW(u32, atomicAnd(cell, a));
              OLD_AND_NEW(u32, atomicOr(cell, a)); OLD_AND_NEW(u32, atomicXor(cell, a));
              OLD_AND_NEW(u32, atomicExch(cell, a));)
//: kernel=atomic_shared_s32 words=10
ATOMIC_KERNEL(atomic_shared_s32, s32, OLD_AND_NEW(s32, atomicMin(cell, a));
              OLD_AND_NEW(s32, atomicMax(cell, a)); OLD_AND_NEW(s32, atomicAdd(cell, a));
              OLD_AND_NEW(s32, atomicCAS(cell, c, a)); OLD_AND_NEW(s32, atomicCAS(cell, b, a));)
//: kernel=atomic_shared_u64 words=36
ATOMIC_KERNEL(atomic_shared_u64, u64, OLD_AND_NEW(u64, atomicAdd(cell, a));
              OLD_AND_NEW(u64, atomicMin(cell, a)); OLD_AND_NEW(u64, atomicMax(cell, a));
              OLD_AND_NEW(u64, atomicAnd(cell, a)); OLD_AND_NEW(u64, atomicOr(cell, a));
              OLD_AND_NEW(u64, atomicXor(cell, a)); OLD_AND_NEW(u64, atomicExch(cell, a));
              OLD_AND_NEW(u64, atomicCAS(cell, b, a)); OLD_AND_NEW(u64, atomicCAS(cell, c, a));)
//: kernel=atomic_shared_s64 words=8
ATOMIC_KERNEL(atomic_shared_s64, s64, OLD_AND_NEW(s64, atomicMin(cell, a));
              OLD_AND_NEW(s64, atomicMax(cell, a));)
//: kernel=atomic_shared_f32 fill=f32 words=4
ATOMIC_KERNEL(atomic_shared_f32, f32, OLD_AND_NEW(f32, atomicAdd(cell, a));
              OLD_AND_NEW(f32, atomicExch(cell, a));)
//: kernel=atomic_shared_f64 fill=f64 words=4
ATOMIC_KERNEL(atomic_shared_f64, f64, OLD_AND_NEW(f64, atomicAdd(cell, a));)
//: kernel=atomic_shared_u16 words=4
KERNEL(atomic_shared_u16) {
    __shared__ u16 cells[128];
    const u32 a = column(in, 0), b = column(in, 1);
    sink to(out);
    cells[threadIdx.x] = (u16)b;
    put(atomicCAS(&cells[threadIdx.x], (u16)b, (u16)a));
    put(cells[threadIdx.x]);
    put(atomicCAS(&cells[threadIdx.x], (u16)b, (u16)(a + b)));
    put(cells[threadIdx.x]);
}

/* The same on global memory: the cell is a word of the thread's own output. */
#define GLOBAL_OLD(T, slot, call)                                                                  \
    do {                                                                                           \
        T *const cell = (T *)&out[2 * (slot) * n_threads() + 2 * global_id()];                     \
        *cell = (T)b;                                                                              \
        sum ^= (u64)(call);                                                                        \
    } while (0)

//: kernel=atomic_global words=26
KERNEL(atomic_global) {
    const u64 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    u64 sum = 0;
    GLOBAL_OLD(u32, 0, atomicAdd(cell, (u32)a));
    GLOBAL_OLD(u32, 1, atomicMin((s32 *)cell, (s32)a));
    GLOBAL_OLD(u32, 2, atomicMax(cell, (u32)a));
    GLOBAL_OLD(u32, 3, atomicInc(cell, (u32)a));
    GLOBAL_OLD(u32, 4, atomicDec(cell, (u32)a));
    GLOBAL_OLD(u32, 5, atomicCAS(cell, (u32)c, (u32)a));
    GLOBAL_OLD(u64, 6, atomicAdd(cell, a));
    GLOBAL_OLD(u64, 7, atomicMax((s64 *)cell, (s64)a));
    GLOBAL_OLD(u64, 8, atomicCAS(cell, b, a));
    GLOBAL_OLD(u64, 9, atomicExch(cell, a));
    GLOBAL_OLD(u64, 10, atomicXor(cell, a));
    GLOBAL_OLD(u64, 11, atomicMin(cell, a));
    *(u64 *)&out[24 * n_threads() + 2 * global_id()] = sum;
}

//: kernel=atomic_global_float fill=f32 words=6
KERNEL(atomic_global_float) {
    const f32 a = column(in, 0), b = column(in, 1);
    f32 *const single = (f32 *)&out[global_id()];
    f64 *const full = (f64 *)&out[2 * n_threads() + 2 * global_id()];
    *single = a;
    *full = a;
    out[n_threads() + global_id()] = __float_as_uint(atomicAdd(single, b));
    *(f64 *)&out[4 * n_threads() + 2 * global_id()] = atomicAdd(full, (f64)b);
}

/* All threads of all blocks meet in a few words; only sums, extremes and bits remain. */
//: kernel=reduction_global words=1
KERNEL(reduction_global) {
    const u32 a = column(in, 0), b = column(in, 1);
    atomicAdd(&out[a & 7], b);
    atomicMax(&out[8 + (a & 3)], b);
    atomicMax((s32 *)&out[12 + (a & 3)], (s32)b);
    atomicOr(&out[16 + (a & 7)], b);
    atomicXor(&out[24 + (a & 7)], b);
    atomicAdd((u64 *)&out[32 + 2 * (a & 7)], (u64)b << 16);
    atomicAdd((f32 *)&out[48 + (a & 7)], (f32)(b & 255));
    atomicAdd((f64 *)&out[56 + 2 * (a & 7)], (f64)(b & 65535));
    atomicInc(&out[80], 100);
}

//: kernel=reduction_shared words=1
KERNEL(reduction_shared) {
    __shared__ u32 words[64];
    const u32 a = column(in, 0), b = column(in, 1), t = threadIdx.x;
    if (t < 64)
        words[t] = t < 8 ? 0 : t * 1000;
    __syncthreads();
    atomicAdd(&words[a & 7], b);
    atomicMin(&words[8 + (a & 7)], b);
    atomicMax((s32 *)&words[16 + (a & 7)], (s32)b);
    atomicAnd(&words[24 + (a & 7)], b);
    atomicOr(&words[32 + (a & 7)], b);
    atomicXor(&words[40 + (a & 7)], b);
    atomicAdd((u64 *)&words[48 + (a & 6)], (u64)b);
    atomicDec(&words[56], 77);
    atomicInc(&words[57], 50);
    __syncthreads();
    out[global_id()] = words[t & 63];
}

/* Each value that atomicAdd hands out is handed out once: a mark for each. */
//: kernel=tickets words=2
KERNEL(tickets) {
    const u32 ticket = atomicAdd(&out[n_threads()], 1);
    out[ticket] = 1;
}

//: kernel=histogram words=1
KERNEL(histogram) {
    __shared__ u32 bins[32];
    const u32 a = column(in, 0);
    if (threadIdx.x < 32)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[a * 2654435761u >> 27], 1);
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

//: kernel=atomic_scopes words=4
KERNEL(atomic_scopes) {
    const u32 b = column(in, 1);
    atomicAdd_block(&out[blockIdx.x], b);
    atomicAdd_system(&out[8], b);
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(&out[9]), "r"(b) : "memory");
    asm volatile("red.release.cta.global.max.u32 [%0], %1;" ::"l"(&out[10]), "r"(b) : "memory");
    u32 old;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(&out[11 + global_id()]), "r"(b)
                 : "memory");
    out[n_threads() + 16 + global_id()] = old + 1;
}

/* A float maximum by compare-and-swap, as courses write it. */
//: kernel=compare_and_swap_loop fill=unit words=1
KERNEL(compare_and_swap_loop) {
    const f32 a = column(in, 0);
    s32 *const address = (s32 *)&out[threadIdx.x & 7];
    s32 old = *(volatile s32 *)address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, __float_as_int(fmaxf(a, __int_as_float(assumed))));
    } while (assumed != old);
}

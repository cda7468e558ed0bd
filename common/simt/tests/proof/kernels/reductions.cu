/* red of every operation and type, in every state space that has it, and atom by generic addresses. */
#include "proof.cuh"

#define ALL_32(RED)                                                                                \
    RED(u32, "r", "add.u32") RED(s32, "r", "add.s32") RED(u32, "r", "min.u32")                     \
    RED(s32, "r", "min.s32") RED(u32, "r", "max.u32") RED(s32, "r", "max.s32")                     \
    RED(u32, "r", "inc.u32") RED(u32, "r", "dec.u32") RED(u32, "r", "and.b32")                     \
    RED(u32, "r", "or.b32") RED(u32, "r", "xor.b32")
#define ALL_64(RED)                                                                                \
    RED(u64, "l", "add.u64") RED(u64, "l", "min.u64") RED(s64, "l", "min.s64")                     \
    RED(u64, "l", "max.u64") RED(s64, "l", "max.s64") RED(u64, "l", "and.b64")                     \
    RED(u64, "l", "or.b64") RED(u64, "l", "xor.b64")

/* Global memory: the cell is a place in the output, and is left there. */
#define RED_GLOBAL(T, C, op)                                                                       \
    *(T *)cell = (T)b;                                                                             \
    asm volatile("red.global." op " [%0], %1;" ::"l"(cell), C((T)a) : "memory");                   \
    cell += 2 * n_threads();
#define RED_GENERIC(T, C, op)                                                                      \
    *(T *)cell = (T)b;                                                                             \
    asm volatile("red." op " [%0], %1;" ::"l"(cell), C((T)a) : "memory");                          \
    cell += 2 * n_threads();
#define ATOM_GENERIC(T, C, op)                                                                     \
    {                                                                                              \
        T old;                                                                                     \
        *(T *)cell = (T)b;                                                                         \
        asm volatile("atom." op " %0, [%1], %2;" : "=" C(old) : "l"(cell), C((T)a) : "memory");    \
        sum = sum * 31 + (u64)old;                                                                 \
        cell += 2 * n_threads();                                                                   \
    }
#define IN_GLOBAL(name, T, ...)                                                                    \
    KERNEL(name) {                                                                                 \
        const T a = column(in, 0), b = column(in, 1);                                              \
        u32 *cell = out + 2 * global_id();                                                         \
        __VA_ARGS__                                                                                \
    }
//: kernel=red_global_32 words=22
IN_GLOBAL(red_global_32, u32, ALL_32(RED_GLOBAL))
//: kernel=red_global_64 words=16
IN_GLOBAL(red_global_64, u64, ALL_64(RED_GLOBAL))
//: kernel=red_generic words=38
IN_GLOBAL(red_generic, u64, ALL_32(RED_GENERIC) ALL_64(RED_GENERIC))
//: kernel=atom_generic words=40
IN_GLOBAL(atom_generic, u64, u64 sum = 0; ALL_32(ATOM_GENERIC) ALL_64(ATOM_GENERIC)
          *(u64 *)cell = sum;)
//: kernel=red_global_f32 fill=f32 words=4
IN_GLOBAL(red_global_f32, f32, RED_GLOBAL(f32, "f", "add.f32") RED_GENERIC(f32, "f", "add.f32"))
//: kernel=red_global_f32_nan fill=nan32 words=4
IN_GLOBAL(red_global_f32_nan, f32, RED_GLOBAL(f32, "f", "add.f32") RED_GENERIC(f32, "f", "add.f32"))
//: kernel=red_global_f64 fill=f64 words=4
IN_GLOBAL(red_global_f64, f64, RED_GLOBAL(f64, "d", "add.f64") RED_GENERIC(f64, "d", "add.f64"))
//: kernel=red_global_f64_nan fill=nan64 words=4
IN_GLOBAL(red_global_f64_nan, f64, RED_GLOBAL(f64, "d", "add.f64") RED_GENERIC(f64, "d", "add.f64"))

/* Shared memory, by its own addresses and by generic ones. */
#define RED_SHARED(T, C, op)                                                                       \
    *(T *)cell = (T)b;                                                                             \
    asm volatile("red.shared." op " [%0], %1;" ::"r"((u32)__cvta_generic_to_shared(cell)),         \
                 C((T)a)                                                                           \
                 : "memory");                                                                      \
    put(*(volatile T *)cell);                                                                      \
    *(T *)cell = (T)b;                                                                             \
    asm volatile("red." op " [%0], %1;" ::"l"(cell), C((T)a) : "memory");                          \
    put(*(volatile T *)cell);
#define IN_SHARED(name, T, ...)                                                                    \
    KERNEL(name) {                                                                                 \
        __shared__ u64 cells[128];                                                                 \
        const T a = column(in, 0), b = column(in, 1);                                              \
        u64 *const cell = &cells[threadIdx.x];                                                     \
        sink to(out);                                                                              \
        __VA_ARGS__                                                                                \
    }
//: kernel=red_shared_32 words=22
IN_SHARED(red_shared_32, u32, ALL_32(RED_SHARED))
//: kernel=red_shared_64 words=32
IN_SHARED(red_shared_64, u64, ALL_64(RED_SHARED))
//: kernel=red_shared_f32 fill=f32 words=2
IN_SHARED(red_shared_f32, f32, RED_SHARED(f32, "f", "add.f32"))
//: kernel=red_shared_f32_nan fill=nan32 words=2
IN_SHARED(red_shared_f32_nan, f32, RED_SHARED(f32, "f", "add.f32"))
//: kernel=red_shared_f64 fill=f64 words=4
IN_SHARED(red_shared_f64, f64, RED_SHARED(f64, "d", "add.f64"))

/* All lanes at one address, by each operation whose order does not show. */
#define MEET(place, T, C, op, v)                                                                   \
    asm volatile("red.global." op " [%0], %1;" ::"l"(out + 2 * (place)), C((T)(v)) : "memory");
//: kernel=reductions_of_all words=1
KERNEL(reductions_of_all) {
    const u64 a = column(in, 0), t = global_id();
    MEET(0, u32, "r", "add.u32", a) MEET(1, u64, "l", "add.u64", a) MEET(2, u32, "r", "max.u32", a)
    MEET(3, s32, "r", "max.s32", a) MEET(4, s32, "r", "min.s32", a) MEET(5, u64, "l", "max.u64", a)
    MEET(6, s64, "l", "min.s64", a) MEET(7, u32, "r", "or.b32", 1u << (t & 31))
    MEET(8, u64, "l", "xor.b64", a * t) MEET(9, u32, "r", "inc.u32", 99)
    MEET(10, u32, "r", "dec.u32", 1000) MEET(11, f32, "f", "add.f32", (f32)(t & 7))
    MEET(12, f64, "d", "add.f64", (f64)t) MEET(13, u64, "l", "or.b64", 1ull << (t & 63))
}

/* Compare-and-swap of 16 bits beside a neighbour that does the same. */
//: kernel=swap_u16 words=3
KERNEL(swap_u16) {
    const u32 a = column(in, 0), b = column(in, 1);
    u16 *const cell = (u16 *)(out + 2 * n_threads()) + 2 * global_id();
    sink to(out);
    cell[0] = (u16)b;
    cell[1] = (u16)a;
    put(atomicCAS(cell + 1, (u16)a, (u16)(a * 3 + b)));
    put(atomicCAS(cell, (u16)a, (u16)(a ^ b)));
}

/* Atomics of vectors, of 16 bits and of 128 bits, which need compute capability 9.0. What is atomic
 * is each element of a vector, so a thread's own cell shows an operation's value and its NaNs, zeros
 * and denormals; a cell of all threads what is left of many. */
#include "proof.cuh"

/* One instruction on a cell of up to four words: %0 to %3 are the old words, %4 the address, %5 to
 * %8 the operand's. The elements of 16 bits are o0 to o7 and v0 to v7. */
#define ON_CELL(old, cell, v, text)                                                                \
    asm volatile("{\n\t.reg .b16 o<8>, v<8>;\n\t"                                                  \
                 "mov.b32 {v0, v1}, %5;\n\tmov.b32 {v2, v3}, %6;\n\t"                              \
                 "mov.b32 {v4, v5}, %7;\n\tmov.b32 {v6, v7}, %8;\n\t"                              \
                 "mov.b32 {o0, o1}, %0;\n\tmov.b32 {o2, o3}, %1;\n\t"                              \
                 "mov.b32 {o4, o5}, %2;\n\tmov.b32 {o6, o7}, %3;\n\t" text "\n\t}"                 \
                 : "+r"(old[0]), "+r"(old[1]), "+r"(old[2]), "+r"(old[3])                          \
                 : "l"(cell), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])                           \
                 : "memory")
#define OLD2 "mov.b32 %0, {o0, o1};"
#define OLD4 OLD2 "\n\tmov.b32 %1, {o2, o3};"
#define OLD8 OLD4 "\n\tmov.b32 %2, {o4, o5};\n\tmov.b32 %3, {o6, o7};"

/* What a cell holds first, and what an instruction is given. */
struct operands {
    u32 first[4], values[4];
    __device__ explicit operands(const u64 *in) {
        const u32 a = column(in, 0), b = column(in, 1), c = column(in, 2);
        first[0] = b, first[1] = c, first[2] = a, first[3] = b ^ 0x80008000;
        values[0] = a, values[1] = b, values[2] = c, values[3] = a;
    }
    __device__ void begin(u32 *cell) const {
        for (u32 i = 0; i < 4; i++)
            cell[i] = first[i];
    }
};
/* Each thread has a cell of its own for each instruction, and four words for what that gives. */
#define GLOBAL_CELLS(name, ...)                                                                    \
    KERNEL(name) {                                                                                 \
        const operands with(in);                                                                   \
        u32 *cell = out + 4 * global_id();                                                         \
        __VA_ARGS__                                                                                \
    }
#define DO(text)                                                                                   \
    {                                                                                              \
        u32 old[4] = {1, 2, 3, 4};                                                                 \
        with.begin(cell);                                                                          \
        ON_CELL(old, cell, with.values, text);                                                     \
        cell += 4 * n_threads();                                                                   \
        for (u32 i = 0; i < 4; i++)                                                                \
            cell[i] = old[i];                                                                      \
        cell += 4 * n_threads();                                                                   \
    }

#define SINGLE_2 "{%0, %1}, [%4], {%5, %6};"
#define SINGLE_4 "{%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
#define INTO_2   "[%4], {%5, %6};"
#define INTO_4   "[%4], {%5, %6, %7, %8};"
#define HALF_2   "{o0, o1}, [%4], {v0, v1};\n\t" OLD2
#define HALF_4   "{o0, o1, o2, o3}, [%4], {v0, v1, v2, v3};\n\t" OLD4
#define HALF_8                                                                                     \
    "{o0, o1, o2, o3, o4, o5, o6, o7}, [%4], {v0, v1, v2, v3, v4, v5, v6, v7};\n\t" OLD8
#define INTO_H2 "[%4], {v0, v1};"
#define INTO_H4 "[%4], {v0, v1, v2, v3};"
#define INTO_H8 "[%4], {v0, v1, v2, v3, v4, v5, v6, v7};"

#define SINGLES                                                                                    \
    DO("atom.global.add.v2.f32 " SINGLE_2)                                                         \
    DO("atom.global.add.v4.f32 " SINGLE_4)                                                         \
    DO("atom.relaxed.sys.global.add.v2.f32 {_, %1}, [%4 + 8], {%5, %6};")                          \
    DO("red.global.add.v2.f32 " INTO_2)                                                            \
    DO("red.release.gpu.global.add.v4.f32 " INTO_4)
//: kernel=vector_singles fill=f32 words=40
GLOBAL_CELLS(vector_singles, SINGLES)
//: kernel=vector_singles_nan fill=nan32 words=40
GLOBAL_CELLS(vector_singles_nan, SINGLES)

/* All that a type of 16 bits has, by one operation. */
#define HALVES(op, type)                                                                           \
    DO("atom.global." op ".noftz.v2." type " " HALF_2)                                             \
    DO("atom.global." op ".noftz.v4." type " " HALF_4)                                             \
    DO("atom.global." op ".noftz.v8." type " " HALF_8)                                             \
    DO("red.global." op ".noftz.v2." type " " INTO_H2)                                             \
    DO("red.global." op ".noftz.v4." type " " INTO_H4)                                             \
    DO("red.global." op ".noftz.v8." type " " INTO_H8)                                             \
    DO("atom.global." op ".noftz.v2." type "x2 " SINGLE_2)                                         \
    DO("atom.global." op ".noftz.v4." type "x2 " SINGLE_4)                                         \
    DO("red.global." op ".noftz.v2." type "x2 " INTO_2)                                            \
    DO("red.global." op ".noftz.v4." type "x2 " INTO_4)
//: kernel=vector_f16_add fill=f16 words=80
GLOBAL_CELLS(vector_f16_add, HALVES("add", "f16"))
//: kernel=vector_f16_min fill=f16 words=80
GLOBAL_CELLS(vector_f16_min, HALVES("min", "f16"))
//: kernel=vector_f16_max fill=f16 words=80
GLOBAL_CELLS(vector_f16_max, HALVES("max", "f16"))
//: kernel=vector_bf16_add fill=f32 words=80
GLOBAL_CELLS(vector_bf16_add, HALVES("add", "bf16"))
//: kernel=vector_bf16_min fill=f32 words=80
GLOBAL_CELLS(vector_bf16_min, HALVES("min", "bf16"))
//: kernel=vector_bf16_max fill=nan32 words=80
GLOBAL_CELLS(vector_bf16_max, HALVES("max", "bf16"))

/* One half or one pair, in global and in shared memory, by generic addresses too. */
#define ONE_HALF(type)                                                                             \
    DO("atom.global.add.noftz." type " o0, [%4], v0;\n\t" OLD2)                                    \
    DO("red.global.add.noftz." type " [%4 + 2], v1;")                                              \
    DO("atom.add.noftz." type " o0, [%4], v2;\n\t" OLD2)                                           \
    DO("atom.global.add.noftz." type "x2 %0, [%4], %5;")                                           \
    DO("red.global.add.noftz." type "x2 [%4], %5;")                                                \
    DO("atom.add.noftz." type "x2 %0, [%4 + 4], %5;")
//: kernel=one_f16 fill=f16 words=48
GLOBAL_CELLS(one_f16, ONE_HALF("f16"))
//: kernel=one_bf16 fill=f32 words=48
GLOBAL_CELLS(one_bf16, ONE_HALF("bf16"))
#define ONE_SHARED(type)                                                                           \
    DO("atom.shared.add.noftz." type " o0, [%4], v0;\n\t" OLD2)                                    \
    DO("red.shared.add.noftz." type " [%4 + 2], v1;")                                              \
    DO("atom.shared.add.noftz." type "x2 %0, [%4], %5;")                                           \
    DO("red.shared.add.noftz." type "x2 [%4 + 4], %6;")
/* The same on a cell in shared memory. */
#define SHARED_CELLS(name, ...)                                                                    \
    KERNEL(name) {                                                                                 \
        __shared__ __align__(16) u32 cells[128][4];                                                \
        const operands with(in);                                                                   \
        u32 *const cell = cells[threadIdx.x];                                                      \
        sink to(out);                                                                              \
        __VA_ARGS__                                                                                \
    }
#undef DO
#define DO(text)                                                                                   \
    {                                                                                              \
        u32 old[4] = {1, 2, 3, 4};                                                                 \
        with.begin(cell);                                                                          \
        ON_CELL(old, __cvta_generic_to_shared(cell), with.values, text);                           \
        put(old[0]);                                                                               \
        put(((volatile u32 *)cell)[0]);                                                            \
        put(((volatile u32 *)cell)[1]);                                                            \
    }
//: kernel=one_f16_shared fill=f16 words=12
SHARED_CELLS(one_f16_shared, ONE_SHARED("f16"))
//: kernel=one_bf16_shared fill=f32 words=12
SHARED_CELLS(one_bf16_shared, ONE_SHARED("bf16"))

/* All threads add to the same cells; each sum is exact, in whatever order it is made. */
//: kernel=vector_sums words=1
KERNEL(vector_sums) {
    const u32 a = column(in, 0), t = threadIdx.x;
    f32 *const sums = (f32 *)out;
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(1.0f),
                 "f"((f32)(a & 255)), "f"((f32)t), "f"(0.5f)
                 : "memory");
    atomicAdd((float2 *)(sums + 4), make_float2((f32)(t & 7), -1.0f));
    atomicAdd((float4 *)(sums + 8 + 4 * (a & 3)), make_float4(1, 2, 3, (f32)t));
    asm volatile("red.global.add.noftz.v8.f16 [%0], {%1, %2, %1, %2, %1, %2, %1, %2};" ::"l"(sums + 32),
                 "h"((u16)0x3c00), "h"((u16)0x3800)
                 : "memory");
    if (t < 64)
        asm volatile("red.global.add.noftz.v4.bf16 [%0], {%1, %2, %1, %2};" ::"l"(sums + 36),
                     "h"((u16)0x3f80), "h"((u16)0x3f00)
                     : "memory");
    asm volatile("red.global.max.noftz.v4.f16x2 [%0], {%1, %2, %3, %4};" ::"l"(sums + 40),
                 "r"(a & 0x3bff3bff), "r"(t), "r"(t << 16 | 5), "r"(a >> 3 & 0x3bff3bff)
                 : "memory");
    asm volatile("red.global.min.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(sums + 44),
                 "r"((a | 0x80008000) & ~0x40004000), "r"(0x80008000 | t)
                 : "memory");
}

/* A sum that an atomic gives as old is given once: a mark for each. */
//: kernel=vector_tickets words=3
KERNEL(vector_tickets) {
    const float2 old = atomicAdd((float2 *)out, make_float2(1, 2));
    out[n_threads() + (u32)old.x] = 1;
    out[2 * n_threads() + (u32)old.y / 2] = 2;
}

struct __align__(16) wide {
    u64 low, high;
};
static __device__ __forceinline__ wide make_wide(u64 low, u64 high) {
    wide w = {low, high};
    return w;
}
#define PUT_WIDE(w)                                                                                \
    {                                                                                              \
        const wide w_ = w;                                                                         \
        put(w_.low);                                                                               \
        put(w_.high);                                                                              \
    }

/* Exchanges and swaps of 128 bits that find what they compare with, and that don't, by either
 * half. */
static __device__ __forceinline__ void swaps(sink &to, wide *cell, u64 a, u64 b, u64 c) {
    *cell = make_wide(b, c);
    PUT_WIDE(atomicCAS(cell, make_wide(b, c), make_wide(a, ~a)));
    PUT_WIDE(atomicCAS(cell, make_wide(a, a), make_wide(c, c)));
    PUT_WIDE(atomicCAS(cell, make_wide(c, ~a), make_wide(c, c)));
    PUT_WIDE(atomicExch(cell, make_wide(a ^ c, b)));
    PUT_WIDE(atomicCAS_block(cell, make_wide(a ^ c, b), make_wide(b, a)));
    PUT_WIDE(atomicExch_system(cell, make_wide(c, a)));
    put(*(volatile u64 *)&cell->low);
    put(*(volatile u64 *)&cell->high);
}
//: kernel=wide_shared words=28
KERNEL(wide_shared) {
    __shared__ wide cells[128];
    sink to(out);
    swaps(to, &cells[threadIdx.x], column(in, 0), column(in, 1), column(in, 2));
}
//: kernel=wide_global words=32
KERNEL(wide_global) {
    sink to(out + 4 * n_threads());
    swaps(to, (wide *)out + global_id(), column(in, 0), column(in, 1), column(in, 2));
}
//: kernel=wide_orders words=12
KERNEL(wide_orders) {
    __shared__ wide cells[128];
    const u64 a = column(in, 0), b = column(in, 1);
    wide *const place = (wide *)(out + 8 * n_threads()) + global_id();
    u64 low, high;
    sink to(out);
    cells[threadIdx.x] = make_wide(a, b);
    *place = make_wide(b, a);
    asm volatile("{\n\t.reg .b128 q<3>;\n\tmov.b128 q0, {%3, %4};\n\tmov.b128 q1, {%4, %3};\n\t"
                 "atom.acquire.cta.shared.cas.b128 q2, [%2], q0, q1;\n\t"
                 "mov.b128 {%0, %1}, q2;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "r"((u32)__cvta_generic_to_shared(&cells[threadIdx.x])), "l"(a), "l"(b)
                 : "memory");
    put(low ^ high << 1);
    put(((volatile u64 *)&cells[threadIdx.x])[0]);
    asm volatile("{\n\t.reg .b128 q<2>;\n\tmov.b128 q0, {%3, %3};\n\t"
                 "atom.release.gpu.exch.b128 q1, [%2], q0;\n\tmov.b128 {%0, %1}, q1;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "l"(place), "l"(a)
                 : "memory");
    put(low);
    put(high);
}

/* All threads count two things at once, and swap in a ring of which only the sum is left. */
//: kernel=wide_counters words=4
KERNEL(wide_counters) {
    __shared__ wide ring;
    wide *const counters = (wide *)out;
    const u64 a = column(in, 0);
    wide seen = make_wide(0, 0), wanted;
    do {
        wanted = seen;
        seen = atomicCAS(counters, wanted, make_wide(wanted.low + a, wanted.high + 3));
    } while (seen.low != wanted.low || seen.high != wanted.high);
    if (threadIdx.x == 0)
        ring = make_wide(1000, 2000);
    __syncthreads();
    const wide got = atomicExch(&ring, make_wide(a, ~a));
    atomicAdd((u64 *)out + 4 + 2 * blockIdx.x, got.low);
    atomicAdd((u64 *)out + 5 + 2 * blockIdx.x, got.high);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((u64 *)out + 4 + 2 * blockIdx.x, ring.low);
        atomicAdd((u64 *)out + 5 + 2 * blockIdx.x, ring.high);
    }
}

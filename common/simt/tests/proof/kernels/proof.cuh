/*
 * What all kernels under proof share. A thread reads its cell of each of three input columns and
 * writes its results with put(), one word (or two) after the other. C-like, no library headers:
 * each file compiles in a fraction of a second.
 */
#pragma once

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

#define KERNEL(name) extern "C" __global__ void name(const u64 *in, u32 *out)

static __device__ __forceinline__ u32 global_id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ u32 n_threads() {
    return gridDim.x * blockDim.x;
}

/* This thread's cell of a column, as each type that the kernels take. */
struct cell {
    u64 bits;
    __device__ operator u64() const { return bits; }
    __device__ operator s64() const { return (s64)bits; }
    __device__ operator u32() const { return (u32)bits; }
    __device__ operator s32() const { return (s32)bits; }
    __device__ operator u16() const { return (u16)bits; }
    __device__ operator s16() const { return (s16)bits; }
    __device__ operator u8() const { return (u8)bits; }
    __device__ operator s8() const { return (s8)bits; }
    __device__ operator f32() const { return __uint_as_float((u32)bits); }
    __device__ operator f64() const { return __longlong_as_double((s64)bits); }
};

static __device__ __forceinline__ cell column(const u64 *in, u32 i) {
    cell c = {in[i * n_threads() + global_id()]};
    return c;
}

/* Which of two NaNs a sum returns, PTX leaves open: ptxas swaps the operands of some. */
static __device__ __forceinline__ f64 one_nan(f64 v) {
    return v == v ? v : __longlong_as_double(0x7ff8000000000000);
}

/* Where the next result of this thread goes. */
struct sink {
    u32 *out;
    u32 at, step;
    __device__ sink(u32 *out) : out(out), at(global_id()), step(n_threads()) {}
    __device__ void put(u32 v) {
        out[at] = v;
        at += step;
    }
    __device__ void put(s32 v) { put((u32)v); }
    __device__ void put(u16 v) { put((u32)v); }
    __device__ void put(s16 v) { put((u32)v); }
    __device__ void put(u8 v) { put((u32)v); }
    __device__ void put(s8 v) { put((u32)v); }
    __device__ void put(bool v) { put((u32)v); }
    __device__ void put(u64 v) {
        put((u32)v);
        put((u32)(v >> 32));
    }
    __device__ void put(s64 v) { put((u64)v); }
    __device__ void put(f32 v) { put(__float_as_uint(v)); }
    __device__ void put(f64 v) { put((u64)__double_as_longlong(v)); }
};

/* A kernel of results of a, b and c of type T: OPS(int_add, s32, put(a + b); put(a - b)). */
#define OPS(name, T, ...)                                                                          \
    KERNEL(name) {                                                                                 \
        const T a = column(in, 0), b = column(in, 1), c = column(in, 2);                           \
        sink to(out);                                                                              \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
#define put(v) to.put(v)

/* One PTX instruction with a result and one to three sources, as an expression. R, A, B and C are
 * asm constraints: h, r, l, f or d. */
#define PTX1(T, R, text, A, a)                                                                     \
    ({                                                                                             \
        T result_;                                                                                 \
        asm volatile(text " %0, %1;" : "=" R(result_) : A(a));                                     \
        result_;                                                                                   \
    })
#define PTX2(T, R, text, A, a, B, b)                                                               \
    ({                                                                                             \
        T result_;                                                                                 \
        asm volatile(text " %0, %1, %2;" : "=" R(result_) : A(a), B(b));                           \
        result_;                                                                                   \
    })
#define PTX3(T, R, text, A, a, B, b, C, c)                                                         \
    ({                                                                                             \
        T result_;                                                                                 \
        asm volatile(text " %0, %1, %2, %3;" : "=" R(result_) : A(a), B(b), C(c));                 \
        result_;                                                                                   \
    })

/* Functions that are not inlined, and recursion. */
#include "proof.cuh"

static __device__ __noinline__ u32 mix(u32 a, u64 b, f32 c) {
    return a * 31 + (u32)(b >> 7) + __float_as_uint(c);
}

struct triple {
    u32 x;
    f64 y;
    u16 z;
};

static __device__ __noinline__ triple swap(triple from, u32 a) {
    triple to = {a + from.z, from.y * 2, (u16)from.x};
    return to;
}

//: kernel=call words=5
KERNEL(call) {
    const u32 a = column(in, 0), b = column(in, 1);
    const u64 c = column(in, 2);
    sink to(out);
    put(mix(a, c, 1.5f));
    triple t = {a, (f64)b, (u16)b};
    t = swap(t, b);
    put(t.x);
    put(t.y);
    put((u32)t.z);
}

//: kernel=call_diverged words=1
KERNEL(call_diverged) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r;
    if (a & 1)
        r = mix(a, b, 2);
    else
        r = a & 2 ? mix(b, a, 3) : 17;
    out[global_id()] = r;
}

static __device__ __noinline__ u32 fibonacci(u32 n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

//: kernel=recursion words=1
KERNEL(recursion) {
    const u32 a = column(in, 0);
    out[global_id()] = fibonacci(a % 9);
}

/* What needs compute capability 8.0 or more. */
#include "proof.cuh"

#define ALL 0xffffffffu

//: kernel=redux words=8
KERNEL(redux) {
    const u32 a = column(in, 0);
    sink to(out);
    put(__reduce_add_sync(ALL, a));
    put(__reduce_min_sync(ALL, a));
    put(__reduce_max_sync(ALL, a));
    put(__reduce_min_sync(ALL, (s32)a));
    put(__reduce_max_sync(ALL, (s32)a));
    put(__reduce_and_sync(ALL, a));
    put(__reduce_or_sync(ALL, a));
    put(__reduce_xor_sync(ALL, a));
}

//: kernel=redux_masked words=2
KERNEL(redux_masked) {
    const u32 a = column(in, 0);
    sink to(out);
    if (threadIdx.x % 4 == 1) {
        put(__reduce_add_sync(0x22222222, a));
        put(__reduce_max_sync(0x22222222, (s32)a));
    } else {
        put(__reduce_xor_sync(0xdddddddd, a));
        put(__reduce_min_sync(0xdddddddd, a));
    }
}

//: kernel=min_max_nan fill=f32 words=4
OPS(min_max_nan, f32, put(PTX2(f32, "f", "min.NaN.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "max.NaN.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "min.ftz.NaN.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "max.xorsign.abs.f32", "f", a, "f", b)))

//: kernel=min_max_three fill=f32 words=2
OPS(min_max_three, f32, put(fminf(fminf(a, b), c)); put(fmaxf(a, fmaxf(b, c))))

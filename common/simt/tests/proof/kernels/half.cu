/* Half precision, scalar and packed, PTX ISA section 9.7.4. */
#include "proof.cuh"

/* The two halves of a cell's low word. */
#define H(v) ((u16)(v))
#define H2(text) PTX2(u32, "r", text, "r", a, "r", b)
#define H1(text) PTX1(u16, "h", text, "h", H(a))
#define HH(text) PTX2(u16, "h", text, "h", H(a), "h", H(b))

//: kernel=half_to_float fill=f16 words=3
OPS(half_to_float, u32, put(PTX1(f32, "f", "cvt.f32.f16", "h", H(a)));
    put(PTX1(f64, "d", "cvt.f64.f16", "h", H(a))))
//: kernel=float_to_half fill=f32 words=5
OPS(float_to_half, f32, put(PTX1(u16, "h", "cvt.rn.f16.f32", "f", a));
    put(PTX1(u16, "h", "cvt.rz.f16.f32", "f", a)); put(PTX1(u16, "h", "cvt.rm.f16.f32", "f", a));
    put(PTX1(u16, "h", "cvt.rp.f16.f32", "f", a)); put(PTX1(u16, "h", "cvt.rn.sat.f16.f32", "f", a)))
//: kernel=double_to_half fill=f64 words=2
OPS(double_to_half, f64, put(PTX1(u16, "h", "cvt.rn.f16.f64", "d", a));
    put(PTX1(u16, "h", "cvt.rz.f16.f64", "d", a)))
//: kernel=half_to_integers fill=f16 words=11
OPS(half_to_integers, u32, put(PTX1(u32, "r", "cvt.rzi.s32.f16", "h", H(a)));
    put(PTX1(u32, "r", "cvt.rni.u32.f16", "h", H(a)));
    put(PTX1(u16, "h", "cvt.rmi.s16.f16", "h", H(a)));
    put(PTX1(u16, "h", "cvt.rpi.u16.f16", "h", H(a)));
    put(PTX1(u64, "l", "cvt.rzi.s64.f16", "h", H(a)));
    put(PTX1(u64, "l", "cvt.rni.u64.f16", "h", H(a))); put(H1("cvt.rni.f16.f16"));
    put(H1("cvt.rzi.f16.f16")); put(H1("cvt.rmi.f16.f16")))
//: kernel=integers_to_half words=7
OPS(integers_to_half, u64, put(PTX1(u16, "h", "cvt.rn.f16.s32", "r", (u32)a));
    put(PTX1(u16, "h", "cvt.rz.f16.u32", "r", (u32)a));
    put(PTX1(u16, "h", "cvt.rm.f16.s16", "h", (u16)a));
    put(PTX1(u16, "h", "cvt.rp.f16.u16", "h", (u16)a));
    put(PTX1(u16, "h", "cvt.rn.f16.s64", "l", a)); put(PTX1(u16, "h", "cvt.rn.f16.u64", "l", a));
    put(PTX1(u16, "h", "cvt.rn.f16.s8", "r", (u32)a)))
//: kernel=half_arithmetic fill=f16 words=10
OPS(half_arithmetic, u32, put(HH("add.rn.f16")); put(HH("sub.rn.f16")); put(HH("mul.rn.f16"));
    put(PTX3(u16, "h", "fma.rn.f16", "h", H(a), "h", H(b), "h", H(c))); put(HH("add.rn.ftz.f16"));
    put(HH("mul.rn.sat.f16")); put(PTX3(u16, "h", "fma.rn.ftz.f16", "h", H(a), "h", H(b), "h", H(c)));
    put(H1("neg.f16")); put(H1("abs.f16")); put(HH("add.rn.sat.f16")))
//: kernel=half2_arithmetic fill=f16 words=8
OPS(half2_arithmetic, u32, put(H2("add.rn.f16x2")); put(H2("sub.rn.f16x2")); put(H2("mul.rn.f16x2"));
    put(PTX3(u32, "r", "fma.rn.f16x2", "r", a, "r", b, "r", c)); put(H2("add.rn.ftz.sat.f16x2"));
    put(PTX3(u32, "r", "fma.rn.sat.f16x2", "r", a, "r", b, "r", c));
    put(PTX1(u32, "r", "neg.f16x2", "r", a)); put(PTX1(u32, "r", "abs.f16x2", "r", a)))

#define COMPARE_HALF(condition)                                                                    \
    ({                                                                                             \
        u32 r;                                                                                     \
        asm volatile("{ .reg .pred p; setp." condition ".f16 p, %1, %2; selp.u32 %0, 1, 0, p; }"   \
                     : "=r"(r)                                                                     \
                     : "h"(H(a)), "h"(H(b)));                                                      \
        r;                                                                                         \
    })
#define COMPARE_HALF2(condition)                                                                   \
    ({                                                                                             \
        u32 r;                                                                                     \
        asm volatile("{ .reg .pred p, q; setp." condition ".f16x2 p|q, %1, %2;"                    \
                     " selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }"                              \
                     : "=r"(r)                                                                     \
                     : "r"(a), "r"(b));                                                            \
        r;                                                                                         \
    })
//: kernel=half_compare fill=f16 words=8
OPS(half_compare, u32, put(COMPARE_HALF("lt") | COMPARE_HALF("ge") << 1 | COMPARE_HALF("eq") << 2 |
                           COMPARE_HALF("neu") << 3);
    put(COMPARE_HALF("gtu")); put(COMPARE_HALF("nan")); put(COMPARE_HALF2("lt"));
    put(COMPARE_HALF2("equ")); put(COMPARE_HALF2("ne"));
    put(PTX2(u32, "r", "set.gt.f16x2.f16x2", "r", a, "r", b));
    put(PTX2(u32, "r", "set.leu.u32.f16", "h", H(a), "h", H(b))))
//: kernel=half_special fill=f16 words=1
OPS(half_special, u32, put(PTX1(f32, "f", "cvt.f32.f16", "h", H1("ex2.approx.f16"))))

/* Comparisons, minima and approximations of half precision and bfloat16, all of them. */
#include "proof.cuh"

#define COMPARISONS(X)                                                                             \
    X("eq", "0x1", "0x10000") X("ne", "0x2", "0x20000")                                            \
    X("lt", "0x4", "0x40000") X("le", "0x8", "0x80000")                                            \
    X("gt", "0x10", "0x100000") X("ge", "0x20", "0x200000")                                        \
    X("equ", "0x40", "0x400000") X("neu", "0x80", "0x800000")                                      \
    X("ltu", "0x100", "0x1000000") X("leu", "0x200", "0x2000000")                                  \
    X("gtu", "0x400", "0x4000000") X("geu", "0x800", "0x8000000")                                  \
    X("num", "0x1000", "0x10000000") X("nan", "0x2000", "0x20000000")

/* A bit a comparison. */
#define SETP(word, bit, high)                                                                      \
    "setp." word "." TYPE " p, %1, %2;\n\t@p or.b32 %0, %0, " bit ";\n\t"
#define SETP_FTZ(word, bit, high)                                                                  \
    "setp." word ".ftz." TYPE " p, %1, %2;\n\t@p or.b32 %0, %0, " bit ";\n\t"
#define SETP_X2(word, bit, high)                                                                   \
    "setp." word "." TYPE " p|q, %1, %2;\n\t@p or.b32 %0, %0, " bit                                \
    ";\n\t@q or.b32 %0, %0, " high ";\n\t"
#define COMPARED(how, C, a, b)                                                                     \
    ({                                                                                             \
        u32 bits = 0;                                                                              \
        asm volatile("{\n\t.reg .pred p, q;\n\t" COMPARISONS(how) "}"                              \
                     : "+r"(bits)                                                                  \
                     : C(a), C(b));                                                                \
        bits;                                                                                      \
    })
#define H(v) ((u16)(v))

#define TYPE "f16"
//: kernel=f16_comparisons fill=f16 words=2
OPS(f16_comparisons, u32, put(COMPARED(SETP, "h", H(a), H(b)));
    put(COMPARED(SETP_FTZ, "h", H(a), H(b))))
#undef TYPE
#define TYPE "f16x2"
//: kernel=f16x2_comparisons fill=f16
OPS(f16x2_comparisons, u32, put(COMPARED(SETP_X2, "r", a, b)))
#undef TYPE
#define TYPE "bf16"
//: kernel=bf16_comparisons fill=f16
OPS(bf16_comparisons, u32, put(COMPARED(SETP, "h", H(a), H(b))))
#undef TYPE
#define TYPE "bf16x2"
//: kernel=bf16x2_comparisons fill=f16
OPS(bf16x2_comparisons, u32, put(COMPARED(SETP_X2, "r", a, b)))
#undef TYPE

/* The same as values, summed so that a wrong one shows. Of halves the low one counts: ptxas forgets
 * that cvt clears the other (README.md). */
#define SET(word, bit, high)                                                                       \
    "set." word "." TO "." TYPE " v, %1, %2;\n\tmad.lo.u32 %0, %0, 31, v;\n\t"
#define SET_H(word, bit, high)                                                                     \
    "set." word "." TYPE "." TYPE " h, %1, %2;\n\tcvt.u32.u16 v, h;\n\tmad.lo.u32 %0, %0, 31, v;\n\t"
#define SET_VALUES(how, C, a, b)                                                                   \
    ({                                                                                             \
        u32 sum = 0;                                                                               \
        asm volatile("{\n\t.reg .b32 v;\n\t.reg .b16 h;\n\t" COMPARISONS(how) "}"                  \
                     : "+r"(sum)                                                                   \
                     : C(a), C(b));                                                                \
        sum;                                                                                       \
    })
#define TYPE "f16"
#define TO "u32"
//: kernel=f16_sets fill=f16 words=2
OPS(f16_sets, u32, put(SET_VALUES(SET, "h", H(a), H(b))); put(H(SET_VALUES(SET_H, "h", H(a), H(b)))))
#undef TYPE
#define TYPE "bf16"
//: kernel=bf16_sets fill=f16 words=2
OPS(bf16_sets, u32, put(SET_VALUES(SET, "h", H(a), H(b))); put(H(SET_VALUES(SET_H, "h", H(a), H(b)))))
#undef TO
#undef TYPE
#define TYPE "f16x2"
#define TO TYPE
//: kernel=f16x2_sets fill=f16
OPS(f16x2_sets, u32, put(SET_VALUES(SET, "r", a, b)))
#undef TYPE
#define TYPE "bf16x2"
//: kernel=bf16x2_sets fill=f16
OPS(bf16x2_sets, u32, put(SET_VALUES(SET, "r", a, b)))

#define HH(text) put(PTX2(u16, "h", text, "h", H(a), "h", H(b)))
#define H2(text) put(PTX2(u32, "r", text, "r", a, "r", b))
#define HHH(text) put(PTX3(u16, "h", text, "h", H(a), "h", H(b), "h", H(c)))
#define H3(text) put(PTX3(u32, "r", text, "r", a, "r", b, "r", c))
//: kernel=f16_extremes fill=f16 words=16
OPS(f16_extremes, u32, HH("min.ftz.f16"); HH("max.ftz.f16"); HH("min.ftz.NaN.f16");
    HH("max.ftz.NaN.f16"); HH("min.xorsign.abs.f16"); HH("max.xorsign.abs.f16");
    HH("min.NaN.xorsign.abs.f16"); HH("max.NaN.xorsign.abs.f16"); H2("min.ftz.f16x2");
    H2("max.ftz.f16x2"); H2("min.ftz.NaN.f16x2"); H2("max.NaN.f16x2"); H2("min.xorsign.abs.f16x2");
    H2("max.xorsign.abs.f16x2"); H2("min.NaN.xorsign.abs.f16x2"); H2("max.NaN.xorsign.abs.f16x2"))
//: kernel=bf16_extremes fill=f16 words=16
OPS(bf16_extremes, u32, HH("min.bf16"); HH("max.bf16"); HH("min.NaN.bf16"); HH("max.NaN.bf16");
    HH("min.xorsign.abs.bf16"); HH("max.xorsign.abs.bf16"); HH("min.NaN.xorsign.abs.bf16");
    HH("max.NaN.xorsign.abs.bf16"); H2("min.bf16x2"); H2("max.bf16x2"); H2("min.NaN.bf16x2");
    H2("max.NaN.bf16x2"); H2("min.xorsign.abs.bf16x2"); H2("max.xorsign.abs.bf16x2");
    H2("min.NaN.xorsign.abs.bf16x2"); H2("max.NaN.xorsign.abs.bf16x2"))
//: kernel=single_extremes fill=f32 words=4
OPS(single_extremes, f32, put(PTX2(f32, "f", "min.xorsign.abs.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "max.xorsign.abs.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "min.ftz.NaN.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "max.NaN.xorsign.abs.f32", "f", a, "f", b)))
//: kernel=half_modes fill=f16 words=16
OPS(half_modes, u32, HH("add.rn.ftz.f16"); HH("sub.rn.sat.f16"); HH("mul.rn.ftz.sat.f16");
    HHH("fma.rn.ftz.f16"); HHH("fma.rn.sat.f16"); HHH("fma.rn.relu.f16"); HHH("fma.rn.ftz.relu.f16");
    HHH("fma.rn.relu.bf16"); H2("sub.rn.ftz.f16x2"); H2("mul.rn.sat.f16x2"); H2("sub.rn.bf16x2");
    H3("fma.rn.ftz.sat.f16x2"); H3("fma.rn.ftz.relu.f16x2");
    put(PTX1(u16, "h", "abs.bf16", "h", H(a))); put(PTX1(u32, "r", "neg.bf16x2", "r", a));
    put(PTX1(u32, "r", "neg.ftz.f16x2", "r", a)))
//: kernel=relu_conversions fill=f32 words=6
OPS(relu_conversions, f32, put(PTX2(u32, "r", "cvt.rn.relu.f16x2.f32", "f", a, "f", b));
    put(PTX2(u32, "r", "cvt.rz.relu.f16x2.f32", "f", a, "f", b));
    put(PTX2(u32, "r", "cvt.rn.relu.bf16x2.f32", "f", a, "f", b));
    put(PTX2(u32, "r", "cvt.rz.bf16x2.f32", "f", a, "f", b));
    put(PTX1(u16, "h", "cvt.rn.relu.f16.f32", "f", a));
    put(PTX1(u16, "h", "cvt.rz.relu.bf16.f32", "f", a)))
//: kernel=relu_integers words=2
OPS(relu_integers, s32, put(PTX2(s32, "r", "min.relu.s32", "r", a, "r", b));
    put(PTX2(s32, "r", "max.relu.s32", "r", a, "r", b)))

/* Approximations as floats, in which a half's last place is 2^13 of a float's. */
#define F16(v) PTX1(f32, "f", "cvt.f32.f16", "h", v)
#define BF16(v) __uint_as_float((u32)(v) << 16)
//: kernel=half_approximations fill=f16 words=4
OPS(half_approximations, u32, put(F16(PTX1(u16, "h", "ex2.approx.f16", "h", H(a))));
    put(F16(PTX1(u16, "h", "tanh.approx.f16", "h", H(a))));
    put(F16(H(PTX1(u32, "r", "ex2.approx.f16x2", "r", a))));
    put(F16(H(PTX1(u32, "r", "tanh.approx.f16x2", "r", a) >> 16))))
//: kernel=bf16_approximations fill=f16 words=4
OPS(bf16_approximations, u32, put(BF16(PTX1(u16, "h", "ex2.approx.ftz.bf16", "h", H(a))));
    put(BF16(PTX1(u16, "h", "tanh.approx.bf16", "h", H(a))));
    put(BF16(H(PTX1(u32, "r", "ex2.approx.ftz.bf16x2", "r", a))));
    put(BF16(H(PTX1(u32, "r", "tanh.approx.bf16x2", "r", a) >> 16))))

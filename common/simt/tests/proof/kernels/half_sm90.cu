/* Half precision and bfloat16 as compute capability 8.0 and more have them. */
#include "proof.cuh"

#define H(v) ((u16)(v))
#define H2(text) PTX2(u32, "r", text, "r", a, "r", b)
#define H3(text) PTX3(u32, "r", text, "r", a, "r", b, "r", c)
#define HH(text) PTX2(u16, "h", text, "h", H(a), "h", H(b))

//: kernel=half_min_max fill=f16 words=8
OPS(half_min_max, u32, put(HH("min.f16")); put(HH("max.f16")); put(HH("min.NaN.f16"));
    put(HH("max.NaN.f16")); put(H2("min.f16x2")); put(H2("max.f16x2")); put(H2("min.NaN.f16x2"));
    put(H3("fma.rn.relu.f16x2")))
//: kernel=bf16_conversions fill=f32 words=6
OPS(bf16_conversions, f32, put(PTX1(u16, "h", "cvt.rn.bf16.f32", "f", a));
    put(PTX1(u16, "h", "cvt.rz.bf16.f32", "f", a)); put(PTX1(u16, "h", "cvt.rn.relu.bf16.f32", "f", a));
    put(PTX2(u32, "r", "cvt.rn.bf16x2.f32", "f", a, "f", b));
    put(PTX2(u32, "r", "cvt.rz.f16x2.f32", "f", a, "f", b));
    put(PTX1(f32, "f", "cvt.f32.bf16", "h", (u16)(__float_as_uint(a) >> 16))))
//: kernel=bf16_arithmetic fill=f16 words=12
OPS(bf16_arithmetic, u32, put(HH("add.rn.bf16")); put(HH("sub.rn.bf16")); put(HH("mul.rn.bf16"));
    put(PTX3(u16, "h", "fma.rn.bf16", "h", H(a), "h", H(b), "h", H(c))); put(H2("add.rn.bf16x2"));
    put(H2("mul.rn.bf16x2")); put(H3("fma.rn.bf16x2")); put(H3("fma.rn.relu.bf16x2"));
    put(HH("min.bf16")); put(H2("max.bf16x2")); put(PTX1(u16, "h", "neg.bf16", "h", H(a)));
    put(PTX1(u32, "r", "abs.bf16x2", "r", a)))
//: kernel=tf32_conversions fill=f32 words=2
OPS(tf32_conversions, f32, put(PTX1(u32, "r", "cvt.rna.tf32.f32", "f", a));
    put(PTX1(u32, "r", "cvt.rn.tf32.f32", "f", a)))
//: kernel=packed_atomics fill=f16 words=4
KERNEL(packed_atomics) {
    __shared__ u32 words[128];
    const u32 a = column(in, 0), b = column(in, 1), t = threadIdx.x;
    u32 old;
    sink to(out);
    words[t] = b;
    asm volatile("atom.shared.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "r"((u32)__cvta_generic_to_shared(&words[t])), "r"(a)
                 : "memory");
    put(old);
    put(words[t]);
    out[2 * n_threads() + global_id()] = b;
    asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(&out[2 * n_threads() + global_id()]), "r"(a)
                 : "memory");
    out[3 * n_threads() + global_id()] = old;
}
//: kernel=vector_minimum words=6
OPS(vector_minimum, u32, put(PTX2(u32, "r", "min.u16x2", "r", a, "r", b));
    put(PTX2(u32, "r", "max.s16x2", "r", a, "r", b)); put(PTX2(u32, "r", "add.u16x2", "r", a, "r", b));
    put(PTX2(u32, "r", "min.relu.s16x2", "r", a, "r", b)); put(__viaddmin_s32((s32)a, (s32)b, (s32)c));
    put(__vimax3_u32(a, b, c)))

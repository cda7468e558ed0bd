/* Single precision, PTX ISA section 9.7.3, with every rounding mode. */
#include "proof.cuh"

#define MODES(f) put(f##_rn(a, b)); put(f##_rz(a, b)); put(f##_ru(a, b)); put(f##_rd(a, b))
#define F1(text) PTX1(f32, "f", text, "f", a)
#define F2(text) PTX2(f32, "f", text, "f", a, "f", b)
#define F3(text) PTX3(f32, "f", text, "f", a, "f", b, "f", c)

//: kernel=add_f32 fill=f32 words=4
OPS(add_f32, f32, MODES(__fadd))
//: kernel=sub_f32 fill=f32 words=4
OPS(sub_f32, f32, MODES(__fsub))
//: kernel=mul_f32 fill=f32 words=4
OPS(mul_f32, f32, MODES(__fmul))
//: kernel=div_f32 fill=f32 words=4
OPS(div_f32, f32, MODES(__fdiv))
//: kernel=fma_f32 fill=f32 words=4
OPS(fma_f32, f32, put(__fmaf_rn(a, b, c)); put(__fmaf_rz(a, b, c)); put(__fmaf_ru(a, b, c));
    put(__fmaf_rd(a, b, c)))
//: kernel=sqrt_f32 fill=f32 words=4
OPS(sqrt_f32, f32, put(__fsqrt_rn(a)); put(__fsqrt_rz(a)); put(__fsqrt_ru(a)); put(__fsqrt_rd(a)))
//: kernel=rcp_f32 fill=f32 words=4
OPS(rcp_f32, f32, put(__frcp_rn(a)); put(__frcp_rz(a)); put(__frcp_ru(a)); put(__frcp_rd(a)))
//: kernel=add_f32_modes fill=f32 words=8
OPS(add_f32_modes, f32, put(F2("add.rn.ftz.f32")); put(F2("add.rz.ftz.f32"));
    put(F2("add.rn.sat.f32")); put(F2("add.rp.ftz.sat.f32")); put(F2("sub.rn.ftz.f32"));
    put(F2("sub.rm.ftz.f32")); put(F2("sub.rn.sat.f32")); put(F2("sub.rz.ftz.sat.f32")))
//: kernel=mul_f32_modes fill=f32 words=8
OPS(mul_f32_modes, f32, put(F2("mul.rn.ftz.f32")); put(F2("mul.rz.ftz.f32"));
    put(F2("mul.rn.sat.f32")); put(F2("mul.rp.ftz.sat.f32")); put(F3("fma.rn.ftz.f32"));
    put(F3("fma.rm.ftz.f32")); put(F3("fma.rn.sat.f32")); put(F3("fma.rz.ftz.sat.f32")))
//: kernel=div_f32_modes fill=f32 words=6
OPS(div_f32_modes, f32, put(F2("div.rn.ftz.f32")); put(F2("div.rz.ftz.f32"));
    put(F1("sqrt.rn.ftz.f32")); put(F1("sqrt.rm.ftz.f32")); put(F1("rcp.rn.ftz.f32"));
    put(F1("rcp.rp.ftz.f32")))
//: kernel=min_max_f32 fill=f32 words=4
OPS(min_max_f32, f32, put(fminf(a, b)); put(fmaxf(a, b)); put(F2("min.ftz.f32"));
    put(F2("max.ftz.f32")))
//: kernel=sign_f32 fill=f32 words=6
OPS(sign_f32, f32, put(F1("neg.f32")); put(F1("abs.f32")); put(F1("neg.ftz.f32"));
    put(F1("abs.ftz.f32")); put(F2("copysign.f32")); put(-fabsf(a)))
//: kernel=integral_f32 fill=f32 words=6
OPS(integral_f32, f32, put(floorf(a)); put(ceilf(a)); put(truncf(a)); put(rintf(a)); put(roundf(a));
    put(__saturatef(a)))
//: kernel=contracted_f32 fill=f32 words=3
OPS(contracted_f32, f32, put(a * b + c); put(a * b - c * a); put((a + b) * c))

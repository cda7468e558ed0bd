/* Double precision, PTX ISA section 9.7.3, with every rounding mode. */
#include "proof.cuh"

#define MODES(f) put(f##_rn(a, b)); put(f##_rz(a, b)); put(f##_ru(a, b)); put(f##_rd(a, b))

//: kernel=add_f64 fill=f64 words=8
OPS(add_f64, f64, MODES(__dadd))
//: kernel=sub_f64 fill=f64 words=8
OPS(sub_f64, f64, MODES(__dsub))
//: kernel=mul_f64 fill=f64 words=8
OPS(mul_f64, f64, MODES(__dmul))
//: kernel=div_f64 fill=f64 words=8
OPS(div_f64, f64, MODES(__ddiv))
//: kernel=fma_f64 fill=f64 words=8
OPS(fma_f64, f64, put(__fma_rn(a, b, c)); put(__fma_rz(a, b, c)); put(__fma_ru(a, b, c));
    put(__fma_rd(a, b, c)))
//: kernel=sqrt_f64 fill=f64 words=8
OPS(sqrt_f64, f64, put(__dsqrt_rn(a)); put(__dsqrt_rz(a)); put(__dsqrt_ru(a)); put(__dsqrt_rd(a)))
//: kernel=rcp_f64 fill=f64 words=8
OPS(rcp_f64, f64, put(__drcp_rn(a)); put(__drcp_rz(a)); put(__drcp_ru(a)); put(__drcp_rd(a)))
//: kernel=min_max_f64 fill=f64 words=4
OPS(min_max_f64, f64, put(fmin(a, b)); put(fmax(a, b)))
//: kernel=sign_f64 fill=f64 words=6
OPS(sign_f64, f64, put(PTX1(f64, "d", "neg.f64", "d", a)); put(PTX1(f64, "d", "abs.f64", "d", a));
    put(PTX2(f64, "d", "copysign.f64", "d", a, "d", b)))
//: kernel=integral_f64 fill=f64 words=10
OPS(integral_f64, f64, put(floor(a)); put(ceil(a)); put(trunc(a)); put(rint(a)); put(round(a)))
//: kernel=contracted_f64 fill=f64 words=4
OPS(contracted_f64, f64, put(one_nan(a * b + c)); put(one_nan(a * b - c * a)))

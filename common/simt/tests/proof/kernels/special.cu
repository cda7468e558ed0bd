/*
 * Approximations of the special function unit and what nvcc builds on them. Their tables are not
 * public, so the results may differ by the tolerance given; it is that of the PTX ISA (9.7.3, by
 * the names of the instructions) or of the CUDA programming guide, which bound what any GPU does: a
 * relative error of 2^-23 is less than 2 units of the last place, an absolute one of 2^-20.5 less
 * than 12 times 2^-24. The simulator's results are rounded correctly.
 */
#include "proof.cuh"

#define F1(text) PTX1(f32, "f", text, "f", a)

//: kernel=rcp_approx fill=f32 words=2 ulp=1
OPS(rcp_approx, f32, put(F1("rcp.approx.f32")); put(F1("rcp.approx.ftz.f32")))
//: kernel=sqrt_approx fill=f32 words=2 ulp=2
OPS(sqrt_approx, f32, put(F1("sqrt.approx.f32")); put(F1("sqrt.approx.ftz.f32")))
//: kernel=rsqrt_approx fill=f32 words=2 ulp=2
OPS(rsqrt_approx, f32, put(F1("rsqrt.approx.f32")); put(F1("rsqrt.approx.ftz.f32")))
//: kernel=sin_cos_approx fill=unit words=4 lsb=12
OPS(sin_cos_approx, f32, put(F1("sin.approx.f32")); put(F1("cos.approx.f32"));
    put(F1("sin.approx.ftz.f32")); put(F1("cos.approx.ftz.f32")))
//: kernel=log_approx fill=f32 words=2 ulp=4 lsb=4
OPS(log_approx, f32, put(F1("lg2.approx.f32")); put(F1("lg2.approx.ftz.f32")))
//: kernel=exp_approx fill=unit words=2 ulp=2
OPS(exp_approx, f32, put(F1("ex2.approx.f32")); put(F1("ex2.approx.ftz.f32")))
//: kernel=tanh_approx fill=unit words=1 ulp=4096
OPS(tanh_approx, f32, put(F1("tanh.approx.f32")))
//: kernel=div_approx fill=f32 words=4 ulp=2
OPS(div_approx, f32, put(PTX2(f32, "f", "div.approx.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "div.approx.ftz.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "div.full.f32", "f", a, "f", b));
    put(PTX2(f32, "f", "div.full.ftz.f32", "f", a, "f", b)))
//: kernel=exp_library fill=unit words=4 ulp=4
OPS(exp_library, f32, put(expf(a)); put(exp2f(a)); put(exp10f(a)); put(expm1f(a)))
//: kernel=log_library fill=f32 words=4 ulp=4
OPS(log_library, f32, put(logf(a)); put(log2f(a)); put(log10f(a)); put(log1pf(a)))
//: kernel=sin_library fill=f32 words=3 ulp=4
OPS(sin_library, f32, put(sinf(a)); put(cosf(a)); put(tanf(a)))
//: kernel=pow_library fill=unit words=3 ulp=16
OPS(pow_library, f32, put(powf(fabsf(a), b)); put(atan2f(a, b)); put(hypotf(a, b)))
//: kernel=remainder_library fill=f32 words=3
OPS(remainder_library, f32, put(fmodf(a, b)); put(remainderf(a, b)); put(ldexpf(a, 5)))

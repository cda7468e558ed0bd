/* What becomes of the bits of a NaN. */
#include "proof.cuh"

#define F1(text) PTX1(f32, "f", text, "f", a)
#define F2(text) PTX2(f32, "f", text, "f", a, "f", b)
#define D1(text) PTX1(f64, "d", text, "d", a)
#define D2(text) PTX2(f64, "d", text, "d", a, "d", b)

//: kernel=nan_f32 fill=nan32 words=14
OPS(nan_f32, f32, put(F2("add.rn.f32")); put(F2("sub.rn.ftz.f32")); put(F2("mul.rn.f32"));
    put(PTX3(f32, "f", "fma.rn.f32", "f", a, "f", b, "f", c)); put(F2("min.f32"));
    put(F2("max.ftz.f32")); put(F1("neg.f32")); put(F1("abs.f32")); put(F2("copysign.f32"));
    put(F2("div.rn.f32")); put(F1("sqrt.rn.f32")); put(F1("rcp.rn.f32")); put(a); put(-fabsf(a)))
//: kernel=nan_f32_conversions fill=nan32 words=16 ulp=1
OPS(nan_f32_conversions, f32, put(F1("cvt.rni.f32.f32")); put(F1("cvt.rzi.ftz.f32.f32"));
    put(F1("cvt.sat.f32.f32")); put(F1("cvt.f32.f32")); put(F1("cvt.ftz.f32.f32"));
    put(PTX1(f64, "d", "cvt.f64.f32", "f", a)); put(PTX1(f64, "d", "cvt.ftz.f64.f32", "f", a));
    put(PTX1(u16, "h", "cvt.rn.f16.f32", "f", a)); put(PTX2(f32, "f", "add.sat.f32", "f", a, "f", b));
    put(F1("rcp.approx.f32")); put(F1("sqrt.approx.f32")); put(F1("ex2.approx.f32"));
    put(F1("lg2.approx.f32")); put(F1("sin.approx.f32")))
//: kernel=nan_f64 fill=nan64 words=22
OPS(nan_f64, f64, put(D2("add.rn.f64")); put(D2("sub.rn.f64")); put(D2("mul.rn.f64"));
    put(PTX3(f64, "d", "fma.rn.f64", "d", a, "d", b, "d", c)); put(D2("min.f64"));
    put(D2("max.f64")); put(D1("neg.f64")); put(D1("abs.f64")); put(D2("copysign.f64"));
    put(D1("sqrt.rn.f64")); put(D2("div.rn.f64")))
//: kernel=nan_f64_conversions fill=nan64 words=10
OPS(nan_f64_conversions, f64, put(D1("cvt.rni.f64.f64")); put(D1("cvt.sat.f64.f64"));
    put(D1("cvt.f64.f64")); put(PTX1(f32, "f", "cvt.rn.f32.f64", "d", a));
    put(PTX1(f32, "f", "cvt.rz.ftz.f32.f64", "d", a));
    put(PTX1(u16, "h", "cvt.rn.f16.f64", "d", a)); put(D1("rcp.approx.ftz.f64") != 0))
//: kernel=nan_atomics fill=nan32 words=4
KERNEL(nan_atomics) {
    __shared__ f32 cells[128];
    const f32 a = column(in, 0), b = column(in, 1);
    sink to(out);
    cells[threadIdx.x] = a;
    put(atomicAdd(&cells[threadIdx.x], b));
    put(cells[threadIdx.x]);
    *(f32 *)&out[2 * n_threads() + global_id()] = a;
    out[3 * n_threads() + global_id()] =
        __float_as_uint(atomicAdd((f32 *)&out[2 * n_threads() + global_id()], b));
}
//: kernel=nan_atomics_f64 fill=nan64 words=4
KERNEL(nan_atomics_f64) {
    __shared__ f64 cells[128];
    const f64 a = column(in, 0), b = column(in, 1);
    f64 *const mine = (f64 *)&out[2 * n_threads() + 2 * global_id()];
    sink to(out);
    cells[threadIdx.x] = a;
    atomicAdd(&cells[threadIdx.x], b);
    put(cells[threadIdx.x]);
    *mine = a;
    atomicAdd(mine, b);
}
//: kernel=nan_half fill=nan32 words=6
OPS(nan_half, u32, put(PTX2(u16, "h", "add.rn.f16", "h", (u16)(a >> 16), "h", (u16)(b >> 16)));
    put(PTX1(u16, "h", "neg.f16", "h", (u16)(a >> 16)));
    put(PTX1(u16, "h", "abs.f16", "h", (u16)(a >> 16)));
    put(PTX1(f32, "f", "cvt.f32.f16", "h", (u16)(a >> 16)));
    put(PTX1(f64, "d", "cvt.f64.f16", "h", (u16)(a >> 16))))

/*
 * Tables of statements, class by class.
 */
#include "common/simt/tests/proof/generate_ops.h"

/* clang-format off */
static const char *const int32[] = {
    "add.u32 W, W, W;", "sub.s32 W, W, W;", "add.s32 W, W, I;", "mul.lo.u32 W, W, W;",
    "mul.hi.u32 W, W, W;", "mul.hi.s32 W, W, W;", "mul24.lo.s32 W, W, W;",
    "mad.lo.s32 W, W, W, W;", "mad.hi.u32 W, W, W, W;", "mul.lo.s32 W, W, I;",
    "add.sat.s32 W, W, W;", "sub.sat.s32 W, W, W;",
    "and.b32 W, W, W;", "or.b32 W, W, W;", "xor.b32 W, W, W;", "xor.b32 W, W, I;",
    "not.b32 W, W;", "cnot.b32 W, W;", "neg.s32 W, W;", "abs.s32 W, W;",
    "shl.b32 W, W, W;", "shr.u32 W, W, W;", "shr.s32 W, W, W;", "shl.b32 W, W, S;",
    "shr.s32 W, W, S;", "shf.l.wrap.b32 W, W, W, W;", "shf.r.clamp.b32 W, W, W, W;",
    "shf.r.wrap.b32 W, W, W, S;",
    "min.s32 W, W, W;", "max.s32 W, W, W;", "min.u32 W, W, W;", "max.u32 W, W, W;",
    "popc.b32 W, W;", "clz.b32 W, W;", "brev.b32 W, W;", "bfind.u32 W, W;", "bfind.s32 W, W;",
    "bfind.shiftamt.u32 W, W;",
    "bfe.u32 W, W, W, W;", "bfe.s32 W, W, S, S;", "bfi.b32 W, W, W, W, W;",
    "bfi.b32 W, W, W, S, S;", "prmt.b32 W, W, W, W;", "prmt.b32 W, W, W, I;",
    "prmt.b32.f4e W, W, W, W;", "sad.u32 W, W, W, W;", "sad.s32 W, W, W, W;",
    "lop3.b32 W, W, W, W, T;", "lop3.b32 W, W, W, I, T;", "dp4a.s32.u32 W, W, W, W;",
    "dp2a.lo.u32.s32 W, W, W, W;", "slct.b32.s32 W, W, W, W;",
    "or.b32 %t0, W, 1; div.u32 W, W, %t0;", "or.b32 %t0, W, 1; rem.u32 W, W, %t0;",
    "and.b32 %t0, W, 0x7fffffff; or.b32 %t0, %t0, 1; div.s32 W, W, %t0;",
    "and.b32 %t0, W, 0x7ffff; or.b32 %t0, %t0, 1; rem.s32 W, W, %t0;",
    "add.cc.u32 %t0, W, W; addc.u32 %t1, W, W; xor.b32 W, %t0, %t1;",
    "sub.cc.u32 %t0, W, W; subc.u32 %t1, W, W; xor.b32 W, %t0, %t1;",
    "mad.lo.cc.u32 %t0, W, W, W; madc.hi.u32 %t1, W, W, W; add.u32 W, %t0, %t1;",
};
static const char *const int64[] = {
    "add.u64 L, L, L;", "sub.s64 L, L, L;", "mul.lo.u64 L, L, L;", "mul.hi.u64 L, L, L;",
    "mul.hi.s64 L, L, L;", "mul.wide.u32 L, W, W;", "mul.wide.s32 L, W, W;",
    "mad.lo.s64 L, L, L, L;", "mad.wide.u32 L, W, W, L;", "mad.wide.s32 L, W, W, L;",
    "and.b64 L, L, L;", "or.b64 L, L, L;", "xor.b64 L, L, L;", "not.b64 L, L;", "neg.s64 L, L;",
    "abs.s64 L, L;", "shl.b64 L, L, W;", "shr.u64 L, L, W;", "shr.s64 L, L, S;",
    "min.s64 L, L, L;", "max.u64 L, L, L;", "popc.b64 W, L;", "clz.b64 W, L;", "brev.b64 L, L;",
    "bfind.s64 W, L;", "bfe.u64 L, L, W, W;", "bfe.s64 L, L, S, S;", "bfi.b64 L, L, L, S, W;",
    "mov.b64 L, {W, W};", "mov.b64 {%t0, %t1}, L; xor.b32 W, %t0, %t1;",
    "sad.s64 L, L, L, L;", "slct.b64.s32 L, L, L, W;",
    "or.b64 %u0, L, 1; div.u64 L, L, %u0;", "or.b64 %u0, L, 1; rem.u64 L, L, %u0;",
    "shr.u64 %u0, L, 17; or.b64 %u0, %u0, 1; div.s64 L, L, %u0;",
    "add.cc.u64 %u0, L, L; addc.u64 %u1, L, L; xor.b64 L, %u0, %u1;",
};
static const char *const predicates[] = {
    "setp.lt.s32 P, W, W;", "setp.gt.u32 P, W, W;", "setp.eq.u32 P, W, W;", "setp.ne.s32 P, W, I;",
    "setp.ge.s32 P, W, I;", "setp.hi.u32 P, W, I;", "setp.lt.s64 P, L, L;", "setp.ls.u64 P, L, L;",
    "setp.lt.f32 P, F, F;", "setp.geu.f32 P, F, F;", "setp.nan.f32 P, F, F;",
    "setp.gt.f64 P, D, D;", "setp.neu.f64 P, D, D;", "setp.lt.and.s32 P, W, W, P;",
    "setp.ge.or.u32 P, W, W, P;", "setp.gt.xor.s32 P, W, W, !P;", "and.pred P, P, P;",
    "or.pred P, P, P;", "xor.pred P, P, P;", "not.pred P, P;",
    "selp.b32 W, W, W, P;", "selp.b64 L, L, L, P;", "selp.f32 F, F, F, P;", "selp.b32 W, W, I, P;",
    "selp.f64 D, D, D, P;", "set.lt.u32.s32 W, W, W;", "set.geu.u32.f32 W, F, F;",
    "testp.finite.f32 P, F;", "testp.subnormal.f64 P, D;", "and.b32 %t0, W, 1; setp.ne.u32 P, %t0, 0;",
};
static const char *const single[] = {
    "add.rn.f32 F, F, F;", "add.rz.f32 F, F, F;", "add.rm.f32 F, F, F;", "add.rn.ftz.f32 F, F, F;",
    "sub.rn.f32 F, F, F;", "sub.rp.f32 F, F, F;", "mul.rn.f32 F, F, F;", "mul.rz.f32 F, F, F;",
    "mul.rn.ftz.f32 F, F, F;", "mul.rn.sat.f32 F, F, F;", "fma.rn.f32 F, F, F, F;",
    "fma.rz.f32 F, F, F, F;", "fma.rp.f32 F, F, F, F;", "fma.rn.ftz.f32 F, F, F, F;",
    "fma.rn.sat.f32 F, F, F, F;", "min.f32 F, F, F;", "max.f32 F, F, F;", "neg.f32 F, F;",
    "abs.f32 F, F;", "div.rn.f32 F, F, F;", "div.rz.f32 F, F, F;", "sqrt.rn.f32 F, F;",
    "sqrt.rm.f32 F, F;", "rcp.rn.f32 F, F;", "rcp.rp.f32 F, F;", "slct.f32.s32 F, F, F, W;",
    "cvt.rni.f32.f32 F, F;", "cvt.rmi.f32.f32 F, F;", "cvt.sat.f32.f32 F, F;",
};
static const char *const real[] = {
    "add.rn.f64 D, D, D;", "add.rz.f64 D, D, D;", "sub.rn.f64 D, D, D;", "sub.rp.f64 D, D, D;",
    "mul.rn.f64 D, D, D;", "mul.rm.f64 D, D, D;", "fma.rn.f64 D, D, D, D;",
    "fma.rz.f64 D, D, D, D;", "min.f64 D, D, D;", "max.f64 D, D, D;", "neg.f64 D, D;",
    "abs.f64 D, D;", "div.rn.f64 D, D, D;", "sqrt.rn.f64 D, D;", "rcp.rn.f64 D, D;",
    "cvt.rni.f64.f64 D, D;", "cvt.rzi.f64.f64 D, D;",
};
static const char *const conversions[] = {
    "cvt.rn.f32.s32 F, W;", "cvt.rz.f32.u32 F, W;", "cvt.rp.f32.s64 F, L;", "cvt.rn.f64.s32 D, W;",
    "cvt.rn.f64.u64 D, L;", "cvt.rm.f64.s64 D, L;", "cvt.rzi.s32.f32 W, F;",
    "cvt.rni.u32.f32 W, F;", "cvt.rpi.s32.f64 W, D;", "cvt.rmi.u32.f64 W, D;",
    "testp.number.f32 %q0, F; selp.f32 %g0, F, 0f3F800000, %q0; testp.number.f32 %q0, %g0;"
        " selp.f32 %g0, %g0, 0f40000000, %q0; cvt.rzi.s64.f32 L, %g0;",
    "cvt.f64.f32 D, F;", "cvt.rn.f32.f64 F, D;", "cvt.rz.f32.f64 F, D;", "cvt.rn.ftz.f32.f64 F, D;",
    "cvt.u64.u32 L, W;", "cvt.s64.s32 L, W;", "cvt.u32.u64 W, L;", "cvt.s32.s8 W, W;",
    "cvt.u32.u8 W, W;", "cvt.s32.s16 W, W;", "cvt.u32.u16 W, W;", "cvt.s64.s8 L, L;",
    "cvt.sat.u8.s32 W, W;", "cvt.sat.s16.s32 W, W;", "cvt.sat.s32.s64 W, L;",
    "cvt.sat.u32.s32 W, W;",
    "mov.f32 %g0, F; testp.notanumber.f32 %q0, %g0; mov.b32 %t0, %g0;"
        " selp.b32 W, 0x7fc00000, %t0, %q0;",
    "mov.f64 %e0, D; testp.notanumber.f64 %q0, %e0; mov.b64 %u0, %e0;"
        " selp.b64 L, 0x7ff8000000000000, %u0, %q0;",
    "and.b32 %t0, W, 0x83ffffff; or.b32 %t0, %t0, 0x3c000000; mov.b32 F, %t0;",
    "and.b64 %u0, L, 0x801fffffffffffff; or.b64 %u0, %u0, 0x3fe0000000000000; mov.b64 D, %u0;",
    "mov.b32 {%h0, %h1}, W; mul.wide.s16 W, %h0, %h1;",
    "mov.b32 {%h0, %h1}, W; add.s16 %h2, %h0, %h1; min.u16 %h1, %h2, %h0; mov.b32 W, {%h1, %h2};",
};
static const char *const memory[] = {
    "and.b32 %t0, W, 31; mul.wide.u32 %u0, %t0, 4; mov.u64 %u1, table; add.u64 %u1, %u1, %u0;"
        " ld.const.u32 W, [%u1];",
    "and.b32 %t0, W, 15; mul.wide.u32 %u0, %t0, 4; add.u64 %u1, %lo, %u0; ld.local.u32 W, [%u1];",
    "and.b32 %t0, W, 15; mul.wide.u32 %u0, %t0, 4; add.u64 %u1, %lo, %u0; st.local.u32 [%u1], W;",
    "and.b32 %t0, W, 7; mul.wide.u32 %u0, %t0, 8; add.u64 %u1, %lo, %u0; st.local.u64 [%u1], L;",
    "and.b32 %t0, W, 63; mul.wide.u32 %u0, %t0, 1; add.u64 %u1, %lo, %u0; st.local.u8 [%u1], W;",
    "and.b32 %t0, W, 31; mul.wide.u32 %u0, %t0, 2; add.u64 %u1, %lo, %u0; ld.local.s16 W, [%u1];",
    "and.b32 %t0, W, 3; mul.wide.u32 %u0, %t0, 16; add.u64 %u1, %lo, %u0;"
        " ld.local.v4.u32 {%t0, %t1, %t2, %t3}, [%u1]; xor.b32 %t0, %t0, %t3;"
        " lop3.b32 W, %t0, %t1, %t2, 0x96;",
    "rem.u32 %t0, W, 1152; mul.wide.u32 %u0, %t0, 4; add.u64 %u1, %in, %u0;"
        " ld.global.u32 W, [%u1];",
    "rem.u32 %t0, W, 576; mul.wide.u32 %u0, %t0, 8; add.u64 %u1, %in, %u0;"
        " ld.global.nc.u64 L, [%u1];",
    "rem.u32 %t0, W, 4608; mul.wide.u32 %u0, %t0, 1; add.u64 %u1, %in, %u0;"
        " ld.global.s8 W, [%u1];",
    "rem.u32 %t0, W, 288; mul.wide.u32 %u0, %t0, 16; add.u64 %u1, %in, %u0;"
        " ld.global.v2.u64 {%u0, %u1}, [%u1]; xor.b64 L, %u0, %u1;",
    "and.b32 %t0, W, 3; mul.wide.u32 %u0, %t0, 4; add.u64 %u1, %sum, %u0;"
        " red.global.add.u32 [%u1], W;",
    "and.b32 %t0, W, 3; mul.wide.u32 %u0, %t0, 4; add.u64 %u1, %sum, %u0;"
        " red.global.max.u32 [%u1+16], W;",
    "and.b32 %t0, W, 3; mul.wide.u32 %u0, %t0, 4; add.u64 %u1, %sum, %u0;"
        " red.global.or.b32 [%u1+32], W;",
    "red.global.xor.b32 [%sum+48], W;",
    "and.b32 %t0, W, 3; shl.b32 %t0, %t0, 2; add.u32 %t0, %acc, %t0; red.shared.add.u32 [%t0], W;",
    "and.b32 %t0, W, 3; shl.b32 %t0, %t0, 2; add.u32 %t0, %acc, %t0;"
        " red.shared.max.s32 [%t0+16], W;",
    "and.b32 %t0, W, 3; shl.b32 %t0, %t0, 2; add.u32 %t0, %acc, %t0;"
        " red.shared.min.u32 [%t0+32], W;",
    "red.shared.xor.b32 [%acc+48], W;",
    "red.shared.and.b32 [%acc+52], W;",
    "red.shared.or.b32 [%acc+56], W;",
};
static const char *const half[] = {
    "add.rn.f16x2 W, W, W;", "mul.rn.f16x2 W, W, W;", "fma.rn.f16x2 W, W, W, W;",
    "fma.rn.sat.f16x2 W, W, W, W;", "sub.rn.f16x2 W, W, W;", "fma.rn.bf16x2 W, W, W, W;",
    "cvt.rn.f16.f32 %h0, F; cvt.u32.u16 W, %h0;", "cvt.rz.f16.f64 %h0, D; cvt.s32.s16 W, %h0;",
    "mov.b32 {%h0, %h1}, W; cvt.f32.f16 F, %h1;", "mov.b32 {%h0, %h1}, W; cvt.f64.f16 D, %h0;",
    "cvt.rn.f16x2.f32 W, F, F;", "cvt.rn.bf16x2.f32 W, F, F;",
    "mov.b32 {%h0, %h1}, W; setp.lt.f16 P, %h0, %h1;",
    "mov.b32 {%h0, %h1}, W; cvt.rzi.s32.f16 W, %h0;",
    "cvt.rn.f16.s32 %h0, W; cvt.rp.f16.u32 %h1, W; mov.b32 W, {%h0, %h1};",
};
/* clang-format on */

#define CLASS(table)                                                                               \
    { table, sizeof(table) / sizeof((table)[0]) }
const struct proof_templates proof_classes[PROOF_N_CLASSES] = {
    [PROOF_INT32] = CLASS(int32),           [PROOF_INT64] = CLASS(int64),
    [PROOF_PREDICATES] = CLASS(predicates), [PROOF_SINGLE] = CLASS(single),
    [PROOF_DOUBLE] = CLASS(real),           [PROOF_CONVERSIONS] = CLASS(conversions),
    [PROOF_MEMORY] = CLASS(memory),         [PROOF_HALF] = CLASS(half),
};

/* Conversions, PTX ISA section 9.7.9: all pairs of types, all rounding modes, saturation. */
#include "proof.cuh"

#define CVT(T, R, modes, to_type, from_type, A, a) PTX1(T, R, "cvt" modes "." to_type "." from_type, A, a)

/* To the eight integer types, one rounding mode. */
#define TO_INTEGERS(mode, from, A)                                                                 \
    put(CVT(u16, "h", mode, "u16", from, A, a)); put(CVT(u16, "h", mode, "s16", from, A, a));      \
    put(CVT(u32, "r", mode, "u32", from, A, a)); put(CVT(u32, "r", mode, "s32", from, A, a));      \
    put(CVT(u64, "l", mode, "u64", from, A, a)); put(CVT(u64, "l", mode, "s64", from, A, a))
//: kernel=f32_to_integers fill=f32 words=32
OPS(f32_to_integers, f32, TO_INTEGERS(".rni", "f32", "f"); TO_INTEGERS(".rzi", "f32", "f");
    TO_INTEGERS(".rmi", "f32", "f"); TO_INTEGERS(".rpi", "f32", "f"))
//: kernel=f32_to_integers_ftz fill=f32 words=16
OPS(f32_to_integers_ftz, f32, TO_INTEGERS(".rni.ftz", "f32", "f");
    TO_INTEGERS(".rpi.ftz", "f32", "f"))
//: kernel=f64_to_integers fill=f64 words=32
OPS(f64_to_integers, f64, TO_INTEGERS(".rni", "f64", "d"); TO_INTEGERS(".rzi", "f64", "d");
    TO_INTEGERS(".rmi", "f64", "d"); TO_INTEGERS(".rpi", "f64", "d"))
//: kernel=float_to_bytes fill=f32 words=4
OPS(float_to_bytes, f32, put(CVT(u32, "r", ".rzi", "u8", "f32", "f", a));
    put(CVT(u32, "r", ".rzi", "s8", "f32", "f", a));
    put(CVT(u32, "r", ".rni", "u8", "f64", "d", (f64)b));
    put(CVT(u32, "r", ".rni", "s8", "f64", "d", (f64)b)))

#define FROM_INTEGERS(T, R, mode, to)                                                              \
    put(CVT(T, R, mode, to, "u16", "h", (u16)a)); put(CVT(T, R, mode, to, "s16", "h", (u16)a));    \
    put(CVT(T, R, mode, to, "u32", "r", (u32)a)); put(CVT(T, R, mode, to, "s32", "r", (u32)a));    \
    put(CVT(T, R, mode, to, "u64", "l", a)); put(CVT(T, R, mode, to, "s64", "l", a))
//: kernel=integers_to_f32 words=24
OPS(integers_to_f32, u64, FROM_INTEGERS(f32, "f", ".rn", "f32");
    FROM_INTEGERS(f32, "f", ".rz", "f32"); FROM_INTEGERS(f32, "f", ".rm", "f32");
    FROM_INTEGERS(f32, "f", ".rp", "f32"))
//: kernel=integers_to_f64 words=48
OPS(integers_to_f64, u64, FROM_INTEGERS(f64, "d", ".rn", "f64");
    FROM_INTEGERS(f64, "d", ".rz", "f64"); FROM_INTEGERS(f64, "d", ".rm", "f64");
    FROM_INTEGERS(f64, "d", ".rp", "f64"))
//: kernel=bytes_to_float words=4
OPS(bytes_to_float, u32, put(CVT(f32, "f", ".rn", "f32", "u8", "r", a));
    put(CVT(f32, "f", ".rn", "f32", "s8", "r", a)); put(CVT(f64, "d", ".rn", "f64", "s8", "r", a)))
//: kernel=f64_to_f32 fill=f64 words=7
OPS(f64_to_f32, f64, put(__double2float_rn(a)); put(__double2float_rz(a)); put(__double2float_ru(a));
    put(__double2float_rd(a)); put(CVT(f32, "f", ".rn.ftz", "f32", "f64", "d", a));
    put(CVT(f32, "f", ".rn.sat", "f32", "f64", "d", a));
    put(CVT(f32, "f", ".rp.ftz.sat", "f32", "f64", "d", a)))
//: kernel=f32_to_f64 fill=f32 words=6
OPS(f32_to_f64, f32, put((f64)a); put(CVT(f64, "d", ".ftz", "f64", "f32", "f", a));
    put(CVT(f64, "d", ".sat", "f64", "f32", "f", a)))
//: kernel=round_f32 fill=f32 words=7
OPS(round_f32, f32, put(CVT(f32, "f", ".rni", "f32", "f32", "f", a));
    put(CVT(f32, "f", ".rzi", "f32", "f32", "f", a)); put(CVT(f32, "f", ".rmi", "f32", "f32", "f", a));
    put(CVT(f32, "f", ".rpi", "f32", "f32", "f", a));
    put(CVT(f32, "f", ".rni.ftz", "f32", "f32", "f", a));
    put(CVT(f32, "f", ".sat", "f32", "f32", "f", a));
    put(CVT(f32, "f", ".rpi.sat", "f32", "f32", "f", a)))
//: kernel=round_f64 fill=f64 words=10
OPS(round_f64, f64, put(CVT(f64, "d", ".rni", "f64", "f64", "d", a));
    put(CVT(f64, "d", ".rzi", "f64", "f64", "d", a)); put(CVT(f64, "d", ".rmi", "f64", "f64", "d", a));
    put(CVT(f64, "d", ".rpi", "f64", "f64", "d", a));
    put(CVT(f64, "d", ".sat", "f64", "f64", "d", a)))
//: kernel=narrow_and_extend words=14
OPS(narrow_and_extend, u64, put((u64)(s64)(s8)a); put((u64)(u8)a); put((u64)(s64)(s16)a);
    put((u64)(u16)a); put((u64)(s64)(s32)a); put((u64)(u32)a); put((s32)(s8)a); put((s32)(s16)a))

#define SAT(to, from, A, a) CVT(u32, "r", ".sat", to, from, A, a)
//: kernel=saturate_integers words=14
OPS(saturate_integers, u64, put(SAT("u8", "s32", "r", (u32)a)); put(SAT("s8", "s32", "r", (u32)a));
    put(SAT("u8", "u32", "r", (u32)a)); put(SAT("s8", "u32", "r", (u32)a));
    put(SAT("s32", "u32", "r", (u32)a)); put(SAT("u32", "s32", "r", (u32)a));
    put(SAT("s32", "s64", "l", a)); put(SAT("u32", "s64", "l", a)); put(SAT("s32", "u64", "l", a));
    put(SAT("u32", "u64", "l", a)); put(CVT(u16, "h", ".sat", "u16", "s32", "r", (u32)a));
    put(CVT(u16, "h", ".sat", "s16", "s32", "r", (u32)a));
    put(CVT(u64, "l", ".sat", "u64", "s64", "l", a)))

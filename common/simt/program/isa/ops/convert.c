/*
 * cvt, PTX ISA section 9.7.9. First the conversions that compilers make all the time, as vectors:
 * between integers whose registers are as wide as their types, and between those and floating point
 * in the default modes.
 *
 * Then cvt in general, a lane at a time: any type to any other, rounded to an integer (imm: 1 to
 * nearest, 2 towards zero, 3 down, 4 up), saturated, flushed, into a register wider than the type.
 * n_elements is 1 with .relu. Types are in type (destination) and rows[1] (source), cell sizes in
 * register_bytes (the register itself, 2 to 8) and address_bytes.
 */
#include "common/simt/program/isa/half.h"
#include "common/simt/program/isa/ops/modes.h"

/* Integer to integer: the source's sign extends, the destination's width cuts. */
#define WIDEN(X, td)                                                                               \
    X(cvt_##td##_u8, td, u8, a)                                                                    \
    X(cvt_##td##_s8, td, s8, a)                                                                    \
    X(cvt_##td##_u16, td, u16, a)                                                                  \
    X(cvt_##td##_s16, td, s16, a)                                                                  \
    X(cvt_##td##_u32, td, u32, a)                                                                  \
    X(cvt_##td##_s32, td, s32, a)                                                                  \
    X(cvt_##td##_b64, td, b64, a)

/* Floating point to integer: clamped to the destination's range; NaN is 0 from .f32, the highest
 * bit alone from .f64 (PTX ISA 9.0, "cvt"). */
#define CLAMP(v, nan, low, high)                                                                   \
    ((v) != (v) ? (nan) : (v) < (low) ? (low) : (v) > (high) ? (high) : (v))

/* What is left of a NaN's bits, quiet. */
LANES_INLINE uint32_t narrowed(double v) {
    const uint64_t bits = put_f64(v);
    const uint32_t nan =
        (uint32_t)(bits >> 32 & 0x80000000) | 0x7fc00000 | (uint32_t)(bits >> 29 & 0x003fffff);
    return v == v ? put_f32((float)v) : nan;
}

/* tf32 is a float of which 13 bits are cut off: to nearest, ties away from zero or to even. */
LANES_INLINE uint32_t tf32_away(uint32_t v) {
    const uint32_t infinity = UINT32_C(0x7f800000);
    return (v + ((v & infinity) == infinity ? 0 : 0x1000)) & ~UINT32_C(0x1fff);
}
LANES_INLINE uint32_t tf32_even(uint32_t v) {
    const uint32_t nan = UINT32_C(0x7fffe000), even = v >> 13 & 1;
    return (v & INT32_MAX) > UINT32_C(0x7f800000) ? nan : (v + 0xfff + even) & ~UINT32_C(0x1fff);
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    WIDEN(UNARY, b16)                                                                              \
    WIDEN(UNARY, b32)                                                                              \
    WIDEN(UNARY, b64)                                                                              \
    UNARY(cvt_f32_s8, f32, s8, (float)a)                                                           \
    UNARY(cvt_f32_u8, f32, u8, (float)a)                                                           \
    UNARY(cvt_f32_s16, f32, s16, (float)a)                                                         \
    UNARY(cvt_f32_u16, f32, u16, (float)a)                                                         \
    UNARY(cvt_f64_s8, f64, s8, (double)a)                                                          \
    UNARY(cvt_f64_u8, f64, u8, (double)a)                                                          \
    UNARY(cvt_f64_s16, f64, s16, (double)a)                                                        \
    UNARY(cvt_f64_u16, f64, u16, (double)a)                                                        \
    UNARY(cvt_f32_s32, f32, s32, (float)a)                                                         \
    UNARY(cvt_f32_u32, f32, u32, (float)a)                                                         \
    UNARY(cvt_f32_s64, f32, s64, (float)a)                                                         \
    UNARY(cvt_f32_u64, f32, u64, (float)a)                                                         \
    UNARY(cvt_f64_s32, f64, s32, (double)a)                                                        \
    UNARY(cvt_f64_u32, f64, u32, (double)a)                                                        \
    UNARY(cvt_f64_s64, f64, s64, (double)a)                                                        \
    UNARY(cvt_f64_u64, f64, u64, (double)a)                                                        \
    UNARY(cvt_f64_f32, f64, f32, (double)a)                                                        \
    UNARY(cvt_f32_f64, b32, f64, narrowed(a))                                                      \
    UNARY(cvt_rni_s32_f32, s32, f32, CLAMP(rint((double)a), 0.0, -0x1p31, 0x1p31 - 1))             \
    UNARY(cvt_rmi_s32_f32, s32, f32, CLAMP(floor((double)a), 0.0, -0x1p31, 0x1p31 - 1))            \
    UNARY(cvt_rpi_s32_f32, s32, f32, CLAMP(ceil((double)a), 0.0, -0x1p31, 0x1p31 - 1))             \
    UNARY(cvt_rna_tf32_f32, b32, b32, tf32_away(a))                                                \
    UNARY(cvt_tf32_f32, b32, b32, tf32_even(a))                                                    \
    UNARY(cvt_rni_f32_f32, f32, f32, rintf(a))                                                     \
    UNARY(cvt_rzi_f32_f32, f32, f32, truncf(a))                                                    \
    UNARY(cvt_rmi_f32_f32, f32, f32, floorf(a))                                                    \
    UNARY(cvt_rpi_f32_f32, f32, f32, ceilf(a))                                                     \
    UNARY(cvt_rzi_s32_f64, s32, f64, CLAMP(a, -0x1p31, -0x1p31, 0x1p31 - 1))                                \
    UNARY(cvt_rzi_s32_f32, s32, f32, CLAMP((double)a, 0.0, -0x1p31, 0x1p31 - 1))                        \
    UNARY(cvt_rzi_u32_f64, u32, f64, (int64_t)CLAMP(a, 0x1p31, 0.0, 0x1p32 - 1))                           \
    UNARY(cvt_rzi_u32_f32, u32, f32, (int64_t)CLAMP((double)a, 0.0, 0.0, 0x1p32 - 1))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, , )

__extension__ typedef __int128 whole;

/* What the types are: float or integer, its bytes, its sign. */
struct kind {
    bool is_float, is_signed;
    unsigned bytes;
};
static const struct kind kinds[] = {
    [PTX_U8] = {false, false, 1},  [PTX_U16] = {false, false, 2}, [PTX_U32] = {false, false, 4},
    [PTX_U64] = {false, false, 8}, [PTX_S8] = {false, true, 1},   [PTX_S16] = {false, true, 2},
    [PTX_S32] = {false, true, 4},  [PTX_S64] = {false, true, 8},  [PTX_F32] = {true, true, 4},
    [PTX_F64] = {true, true, 8},   [PTX_F16] = {true, true, 2},   [PTX_BF16] = {true, true, 2},
};

/* The low bytes of a cell as an integer. */
static whole extended(uint64_t cell, struct kind kind) {
    const unsigned unused = 64 - 8 * kind.bytes;
    return kind.is_signed ? (whole)((int64_t)(cell << unused) >> unused)
                          : (whole)(cell << unused >> unused);
}

static whole clamped(whole value, struct kind kind) {
    const whole high = ((whole)1 << (8 * kind.bytes - kind.is_signed)) - 1;
    const whole low = kind.is_signed ? -high - 1 : 0;
    return value < low ? low : value > high ? high : value;
}

static double rounded(double value, int64_t how) {
    switch (how) {
    case 1:
        return rint(value);
    case 2:
        return trunc(value);
    case 3:
        return floor(value);
    case 4:
        return ceil(value);
    default:
        return value;
    }
}

/* Floating point to integer. NaN gives 0 where neither side has 64 bits, else the top bit. */
static whole to_integer(double value, struct kind from, struct kind to, int64_t how) {
    if (value != value)
        return from.bytes < 8 && to.bytes < 8 ? 0 : extended(UINT64_C(1) << (8 * to.bytes - 1), to);
    const double limited = value > 0x1p70 ? 0x1p70 : value < -0x1p70 ? -0x1p70 : value;
    return clamped((whole)rounded(limited, how), to);
}

/* To single precision under the host's rounding, from whichever source it is. */
static float to_single(whole integer, double real, bool is_float) {
    if (is_float)
        return (float)real;
    return integer > INT64_MAX ? (float)(uint64_t)integer : (float)(int64_t)integer;
}
static double to_double(whole integer, double real, bool is_float) {
    if (is_float)
        return real;
    return integer > INT64_MAX ? (double)(uint64_t)integer : (double)(int64_t)integer;
}

static struct half_format half_format(uint32_t type) {
    return type == PTX_F16 ? HALF_F16 : HALF_BF16;
}

/* An integer for a rounding that follows: what a double does not hold is rounded to odd. */
static double sticky(whole integer) {
    const uint64_t size = (uint64_t)(integer < 0 ? -integer : integer);
    const uint64_t kept = size >> 53 ? (size >> 11 | (size & 2047 ? 1 : 0)) << 11 : size;
    return integer < 0 ? -(double)kept : (double)kept;
}

/* To 16 bits, the host's rounding being the usual one. */
static uint16_t to_half(const struct simt_insn *insn, double value) {
    const bool sat = insn->imm_flags & EXEC_SAT, relu = insn->n_elements;
    const double low = value > 0 ? value : 0;
    const double kept = sat ? LANES_MIN(low, 1.0) : relu && value <= 0 ? 0 : value;
    const int rounding = insn->imm_flags >> EXEC_ROUND_SHIFT;
    return half_narrow(kept, half_format(insn->type), (enum exec_rounding)rounding);
}

/*
 * A NaN to another floating-point type. Between double precision and the others as much of its bits
 * is kept as there is room for, quiet; what goes through single precision becomes the canonical
 * one. A conversion that changes nothing is a move, and bf16 to f32 a shift.
 */
static uint64_t converted_nan(const struct simt_insn *insn, uint64_t cell) {
    const struct kind from = kinds[insn->rows[1]], to = kinds[insn->type];
    const bool is_exact = insn->imm == 0 && !(insn->imm_flags & EXEC_FTZ);
    if (insn->imm_flags & EXEC_SAT)
        return 0;
    if (insn->rows[1] == insn->type && is_exact)
        return cell;
    if (insn->rows[1] == PTX_BF16 && to.bytes == 4)
        return cell << 16;
    if (to.bytes == 2)
        return from.bytes == 8 && insn->type == PTX_F16
                   ? (cell >> 48 & 0x8000) | 0x7e00 | (cell >> 42 & 0x1ff)
                   : HALF_NAN;
    if (to.bytes == 4)
        return from.bytes == 8 ? (cell >> 32 & 0x80000000) | 0x7fc00000 | (cell >> 29 & 0x3fffff)
                               : INT32_MAX;
    if (from.bytes == 8)
        return cell | UINT64_C(0x0008000000000000);
    if (from.bytes == 4 && !is_exact)
        return UINT64_C(0x7fffffffe0000000);
    const unsigned top = 8 * from.bytes - 1; /* the sign; below it what the exponent leaves */
    const unsigned fraction = insn->rows[1] == PTX_F16 ? 10 : insn->rows[1] == PTX_BF16 ? 7 : 23;
    return (cell >> top & 1) << 63 | UINT64_C(0x7ff8000000000000) |
           (cell & ((UINT64_C(1) << fraction) - 1)) << (52 - fraction);
}

/* One lane: the destination's cell from the source's. */
static uint64_t converted(const struct simt_insn *insn, uint64_t cell) {
    const struct kind from = kinds[insn->rows[1]], to = kinds[insn->type];
    const bool ftz = insn->imm_flags & EXEC_FTZ, sat = insn->imm_flags & EXEC_SAT;
    const whole integer = from.is_float ? 0 : extended(cell, from);
    const double given = !from.is_float    ? 0
                         : from.bytes == 8 ? get_f64(cell)
                         : from.bytes == 2 ? half_widen((uint16_t)cell, half_format(insn->rows[1]))
                                           : flushed_f32(get_f32((uint32_t)cell), ftz);
    if (to.is_float && given != given)
        return converted_nan(insn, cell);
    if (to.is_float) {
        const double real = rounded(given, insn->imm);
        if (to.bytes == 2)
            return to_half(insn, from.is_float ? real : sticky(integer));
        if (to.bytes == 4)
            return put_f32(finished_f32(to_single(integer, real, from.is_float), ftz, sat));
        const double wide = to_double(integer, real, from.is_float);
        return put_f64(!sat ? wide : !(wide > 0) ? 0 : LANES_MIN(wide, 1.0));
    }
    const whole value = from.is_float ? to_integer(given, from, to, insn->imm)
                        : sat         ? clamped(integer, to)
                                      : integer;
    const unsigned unused = 64 - 8 * insn->register_bytes;
    return (uint64_t)extended((uint64_t)value, to) << unused >> unused;
}

static void cvt(struct simt_exec *x, const struct simt_insn *insn) {
    const bool to_halves = kinds[insn->type].bytes == 2 && kinds[insn->type].is_float;
    const int rounding = to_halves ? EXEC_RN : rounding_begin(insn);
    for (unsigned i = 0; i < SIMT_LANES; i++) {
        if (!(x->mask >> i & 1))
            continue;
        const uint64_t cell =
            insn->address_bytes == 8 ? LANES_ROW64(x, insn->a)[i] : LANES_ROW32(x, insn->a)[i];
        const uint64_t fresh = converted(insn, cell);
        if (insn->register_bytes == 8)
            LANES_ROW64(x, insn->d)[i] = fresh;
        else
            LANES_ROW32(x, insn->d)[i] = (uint32_t)fresh;
    }
    rounding_end(rounding);
}

static const struct exec_variant rows[] = {OPERATIONS(LANES_ROW_UNARY, , ) LANES_ROW_HAND(cvt, "")};
EXEC_EXPORT(convert, rows)

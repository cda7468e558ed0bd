/*
 * Approximations, PTX ISA section 9.7.3: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh, div. The
 * hardware's tables are not public; PTX only bounds the error. These are computed in double
 * precision and rounded once, so they lie within all bounds but are not a GPU's bits.
 */
#include "common/simt/program/isa/ops/float/elementary.h"

/* div.approx: a divisor above 2^126 has a reciprocal that is flushed to zero. */
LANES_INLINE float quotient_approx(float a, float b) {
    const float magnitude = fabsf(b);
    const float product = a * copysignf(0, b);
    const bool is_huge = magnitude > 0x1p126f && magnitude < INFINITY;
    return is_huge ? product : a / b;
}

/* rsqrt.approx.f64 is no table alone: steps of Newton's method follow, and the result is rounded
 * correctly. Here one step mends what 1 / sqrt(a) rounds twice. */
LANES_INLINE double reciprocal_root(double a) {
    const double y = 1.0 / sqrt(a);
    const double t = a * y;
    const double wrong = fma(-t, y, 1.0) - fma(a, y, -t) * y;
    const double better = fma(0.5 * y, wrong, y);
    return better - better == 0 ? better : y; /* of 0 and infinity there is no step */
}

LANES_INLINE double upper(double a) {
    return get_f64(put_f64(a) & UINT64_C(0xffffffff00000000));
}

/* rcp.approx.ftz.f64 works on the upper 32 bits. */
LANES_INLINE double upper_reciprocal(double a) {
    const bool subnormal = fabs(a) < 0x1p-1022;
    const double r = 1.0 / (subnormal ? copysign(0, a) : a);
    const double kept = upper(r);
    return fabs(kept) < 0x1p-1022 ? copysign(0, kept) : kept;
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    UNARY(rcp_approx_f32, f32, f32, 1.0f / a)                                                      \
    UNARY(sqrt_approx_f32, f32, f32, sqrtf(a))                                                     \
    UNARY(rsqrt_approx_f32, f32, f32, (float)(1.0 / sqrt((double)a)))                              \
    UNARY(tanh_approx_f32, f32, f32, (float)tanh((double)a))                                       \
    BINARY(div_approx_f32, f32, f32, f32, quotient_approx(a, b))                                   \
    BINARY(div_full_f32, f32, f32, f32, a / b)
#define DOUBLES(UNARY, BINARY, TERNARY)                                                            \
    UNARY(rsqrt_approx_f64, f64, f64, reciprocal_root(a))                                              \
    UNARY(rsqrt_approx_f64_mode, f64, f64, upper_reciprocal(sqrt(a)))                              \
    UNARY(rcp_approx_f64_mode, f64, f64, upper_reciprocal(upper(a)))
#define ELEMENTARIES(X)                                                                            \
    X(sin_approx_f32, elementary_sine(a, 0), sin(a), fabs(a) < 0x1p20)                             \
    X(cos_approx_f32, elementary_sine(a, 1), cos(a), fabs(a) < 0x1p20)                             \
    X(lg2_approx_f32, elementary_log2(a), log2(a), a > 0 && a < INFINITY)                          \
    X(ex2_approx_f32, elementary_exp2(a), exp2(a), a >= -126 && a < 128)
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, )
OPERATIONS(MODE_UNARY, MODE_BINARY, )
DOUBLES(LANES_DEFINE_UNARY, , )
ELEMENTARIES(ELEMENTARY)

/* clang-format off */
static const struct exec_variant rows[] = {
    OPERATIONS(LANES_ROW_UNARY, LANES_ROW_BINARY, )
    OPERATIONS(MODE_ROW_UNARY, MODE_ROW_BINARY, )
    DOUBLES(LANES_ROW_UNARY, , )
    ELEMENTARIES(ELEMENTARY_ROWS)
};
/* clang-format on */
EXEC_EXPORT(approx, rows)

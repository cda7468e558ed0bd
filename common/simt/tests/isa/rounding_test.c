/*
 * IEEE arithmetic and conversions against the host's own, bit for bit, in all four roundings, for
 * numbers of all magnitudes, and for numbers that lie close to each other.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/tests/isa/cases.h"

/* Placeholders, which lanes get other values for. */
static const uint64_t literals_32[] = {0x3f800001, 0x3f800002, 0x3f800003};
static const uint64_t literals_64[] = {UINT64_C(0x3ff0000000000001), UINT64_C(0x3ff0000000000002),
                                       UINT64_C(0x3ff0000000000003)};

enum { N_SAMPLES = 1 << 16 };

static const struct rounding {
    const char *word, *to_integer;
    int host;
} roundings[] = {
    {"rn", "rni", FE_TONEAREST},
    {"rz", "rzi", FE_TOWARDZERO},
    {"rm", "rmi", FE_DOWNWARD},
    {"rp", "rpi", FE_UPWARD},
};

/* An operation on up to three values, given and returned as bits. What it works on is volatile, so
 * that nothing is computed before the rounding is set. */
typedef uint64_t host_operation(const uint64_t *bits);

struct operation {
    const char *name; /* "add.%s.f32 %%f0" */
    host_operation *host;
    unsigned n_operands;
    bool is_wide;    /* operands of 64 bits */
    bool to_integer; /* rounds as .rni, not as .rn */
};

#define TAKE(type, i)                                                                              \
    ({                                                                                             \
        type value;                                                                                \
        memcpy(&value, &bits[i], sizeof(value));                                                   \
        value;                                                                                     \
    })
#define HOST(name, from, to, expression)                                                           \
    static uint64_t name(const uint64_t *bits) {                                                   \
        volatile from a = TAKE(from, 0), b = TAKE(from, 1), c = TAKE(from, 2);                     \
        (void)a, (void)b, (void)c;                                                                 \
        volatile to result = (expression);                                                         \
        const to value = result;                                                                   \
        uint64_t out = 0;                                                                          \
        memcpy(&out, &value, sizeof(value));                                                       \
        return out;                                                                                \
    }

HOST(add_f32, float, float, a + b)
HOST(sub_f32, float, float, a - b)
HOST(mul_f32, float, float, a *b)
HOST(div_f32, float, float, a / b)
HOST(fma_f32, float, float, fmaf(a, b, c))
HOST(sqrt_f32, float, float, sqrtf(a))
HOST(rcp_f32, float, float, 1.0f / a)
HOST(add_f64, double, double, a + b)
HOST(sub_f64, double, double, a - b)
HOST(mul_f64, double, double, a *b)
HOST(div_f64, double, double, a / b)
HOST(fma_f64, double, double, fma(a, b, c))
HOST(sqrt_f64, double, double, sqrt(a))
HOST(rcp_f64, double, double, 1.0 / a)
HOST(f32_of_f64, double, float, (float)a)
HOST(f32_of_s32, int32_t, float, (float)a)
HOST(f32_of_u32, uint32_t, float, (float)a)
HOST(f32_of_s64, int64_t, float, (float)a)
HOST(f32_of_u64, uint64_t, float, (float)a)
HOST(f64_of_s64, int64_t, double, (double)a)
HOST(f64_of_u64, uint64_t, double, (double)a)
HOST(f32_of_f32, float, float, nearbyintf(a))
HOST(f64_of_f64, double, double, nearbyint(a))

/* To an integer: what lies outside comes as the nearest one. Of a NaN PTX has another result
 * (convert_test.c). */
static uint64_t to_signed(double value, int bits) {
    const double limit = ldexp(1, bits - 1);
    const uint64_t least = UINT64_MAX << (bits - 1), mask = UINT64_MAX >> (64 - bits);
    if (value >= limit)
        return ~least & mask;
    return (value < -limit ? least : (uint64_t)(int64_t)value) & mask;
}

static uint64_t to_unsigned(double value, int bits) {
    if (value >= ldexp(1, bits))
        return UINT64_MAX >> (64 - bits);
    return value <= 0 ? 0 : (uint64_t)value;
}

#define HOST_INTEGER(name, from, round, bits)                                                      \
    static uint64_t name(const uint64_t *in) {                                                     \
        volatile double a = (double)as_##from(in[0]);                                              \
        volatile double rounded = nearbyint(a);                                                    \
        return round(rounded, bits);                                                               \
    }

static float as_float(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return value;
}

static double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

HOST_INTEGER(s32_of_f32, float, to_signed, 32)
HOST_INTEGER(u32_of_f32, float, to_unsigned, 32)
HOST_INTEGER(s64_of_f32, float, to_signed, 64)
HOST_INTEGER(u64_of_f32, float, to_unsigned, 64)
HOST_INTEGER(s32_of_f64, double, to_signed, 32)
HOST_INTEGER(u32_of_f64, double, to_unsigned, 32)
HOST_INTEGER(s64_of_f64, double, to_signed, 64)
HOST_INTEGER(u64_of_f64, double, to_unsigned, 64)

static const struct operation operations[] = {
    {"add.%s.f32 %%f0", add_f32, 2, false, false},
    {"sub.%s.f32 %%f0", sub_f32, 2, false, false},
    {"mul.%s.f32 %%f0", mul_f32, 2, false, false},
    {"div.%s.f32 %%f0", div_f32, 2, false, false},
    {"fma.%s.f32 %%f0", fma_f32, 3, false, false},
    {"sqrt.%s.f32 %%f0", sqrt_f32, 1, false, false},
    {"rcp.%s.f32 %%f0", rcp_f32, 1, false, false},
    {"add.%s.f64 %%fd0", add_f64, 2, true, false},
    {"sub.%s.f64 %%fd0", sub_f64, 2, true, false},
    {"mul.%s.f64 %%fd0", mul_f64, 2, true, false},
    {"div.%s.f64 %%fd0", div_f64, 2, true, false},
    {"fma.%s.f64 %%fd0", fma_f64, 3, true, false},
    {"sqrt.%s.f64 %%fd0", sqrt_f64, 1, true, false},
    {"rcp.%s.f64 %%fd0", rcp_f64, 1, true, false},
    {"cvt.%s.f32.f64 %%f0", f32_of_f64, 1, true, false},
    {"cvt.%s.f32.s32 %%f0", f32_of_s32, 1, false, false},
    {"cvt.%s.f32.u32 %%f0", f32_of_u32, 1, false, false},
    {"cvt.%s.f32.s64 %%f0", f32_of_s64, 1, true, false},
    {"cvt.%s.f32.u64 %%f0", f32_of_u64, 1, true, false},
    {"cvt.%s.f64.s64 %%fd0", f64_of_s64, 1, true, false},
    {"cvt.%s.f64.u64 %%fd0", f64_of_u64, 1, true, false},
    {"cvt.%s.f32.f32 %%f0", f32_of_f32, 1, false, true},
    {"cvt.%s.f64.f64 %%fd0", f64_of_f64, 1, true, true},
    {"cvt.%s.s32.f32 %%r0", s32_of_f32, 1, false, true},
    {"cvt.%s.u32.f32 %%r0", u32_of_f32, 1, false, true},
    {"cvt.%s.s64.f32 %%rd0", s64_of_f32, 1, false, true},
    {"cvt.%s.u64.f32 %%rd0", u64_of_f32, 1, false, true},
    {"cvt.%s.s32.f64 %%r0", s32_of_f64, 1, true, true},
    {"cvt.%s.u32.f64 %%r0", u32_of_f64, 1, true, true},
    {"cvt.%s.s64.f64 %%rd0", s64_of_f64, 1, true, true},
    {"cvt.%s.u64.f64 %%rd0", u64_of_f64, 1, true, true},
};

/* A sequence of bits without a pattern. */
static uint64_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state ^ *state >> 29;
}

static bool is_nan(const struct operation *operation, uint64_t bits) {
    return operation->is_wide ? isnan(as_double(bits)) : isnan(as_float(bits));
}

/* Operands of a lane. Every other sample has the first two close to each other, and every fourth a
 * magnitude near 1, where integers and their halves are. */
static void draw_operands(const struct operation *operation, uint64_t n, uint64_t *state,
                          uint64_t bits[3]) {
    const unsigned fraction = operation->is_wide ? 52 : 23;
    const uint64_t mask = operation->is_wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t one = operation->is_wide ? UINT64_C(0x3ff) : 0x7f;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t value = draw(state);
        if (n % 4 == 3) /* exponents of 2^0 to 2^63 */
            value =
                (value & ~(UINT64_C(0x7ff) << 52 | UINT64_C(0xff) << 23 * !operation->is_wide)) |
                (one + (draw(state) >> 58)) << fraction;
        if (i > 0 && n % 2)
            value = bits[0] ^ (draw(state) & 0xf) ^ (value & UINT64_C(1) << 31);
        bits[i] = value & mask;
    }
}

static void check_results(const struct exec_bench *bench, const char *text,
                          const struct operation *operation, uint64_t given[3][SIMT_LANES]) {
    const bool is_float = strchr(text, 'f') && strstr(text, "%f");
    const bool is_wide_result = strstr(text, "%fd") || strstr(text, "%rd");
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
        const uint64_t bits[3] = {given[0][lane], given[1][lane], given[2][lane]};
        const uint64_t wanted = operation->host(bits), got = exec_bench_result(bench, lane);
        const bool both_nan =
            is_float && (is_wide_result ? isnan(as_double(wanted)) && isnan(as_double(got))
                                        : isnan(as_float(wanted)) && isnan(as_float(got)));
        if (!is_float && is_nan(operation, bits[0]))
            continue;
        cr_assert(both_nan || got == wanted, "%s of %llx, %llx, %llx: %llx, not %llx", text,
                  (unsigned long long)bits[0], (unsigned long long)bits[1],
                  (unsigned long long)bits[2], (unsigned long long)got, (unsigned long long)wanted);
    }
}

static void check_operation(const struct operation *operation, const struct rounding *rounding,
                            enum exec_isa isa) {
    const uint64_t *literals = operation->is_wide ? literals_64 : literals_32;
    struct exec_bench bench;
    struct simt_diag diag;
    char text[160];
    uint64_t state = 1;
    int n = snprintf(text, sizeof(text), operation->name,
                     operation->to_integer ? rounding->to_integer : rounding->word);
    for (unsigned i = 0; i < operation->n_operands; i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, ", %s%llx",
                      operation->is_wide ? "0d" : "0f", (unsigned long long)literals[i]);
    cr_assert(exec_bench_init(&bench, isa, text, &diag), "%s: %s", text, diag.message);
    exec_bench_reset(&bench, false);
    for (uint64_t sample = 0; sample < N_SAMPLES; sample += SIMT_LANES) {
        uint64_t given[3][SIMT_LANES];
        for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
            uint64_t bits[3];
            draw_operands(operation, sample + lane, &state, bits);
            for (unsigned i = 0; i < 3; i++)
                given[i][lane] = bits[i];
        }
        for (unsigned i = 0; i < operation->n_operands; i++)
            exec_bench_give(&bench, literals[i], given[i]);
        fesetround(FE_TONEAREST);
        exec_bench_run(&bench, UINT32_MAX);
        cr_assert_eq(fegetround(), FE_TONEAREST, "%s leaves another rounding behind", text);
        fesetround(rounding->host);
        check_results(&bench, text, operation, given);
        fesetround(FE_TONEAREST);
    }
    exec_bench_finish(&bench);
}

/* One test a rounding, so that they run side by side. */
static void check_rounding(size_t which) {
    for (int isa = 0; isa < EXEC_N_ISAS; isa++)
        for (size_t i = 0;
             exec_isa_runs((enum exec_isa)isa) && i < sizeof(operations) / sizeof(operations[0]);
             i++)
            check_operation(&operations[i], &roundings[which], (enum exec_isa)isa);
}

Test(rounding, to_nearest_is_as_on_the_host) {
    check_rounding(0);
}

Test(rounding, towards_zero_is_as_on_the_host) {
    check_rounding(1);
}

Test(rounding, downwards_is_as_on_the_host) {
    check_rounding(2);
}

Test(rounding, upwards_is_as_on_the_host) {
    check_rounding(3);
}

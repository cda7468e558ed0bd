/*
 * Special functions against the host's library, over all magnitudes. The PTX ISA bounds how far a
 * GPU may be off (9.7.3, "Floating Point Instructions", by the names of the instructions; numbers
 * are those of PTX ISA 9.0); the simulator promises more: the float that is nearest to the
 * function.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/tests/isa/cases.h"

/* Placeholders, which lanes get other values for. */
#define A      "0f3f800001"
#define B      "0f3f800002"
#define A_BITS UINT64_C(0x3f800001)
#define B_BITS UINT64_C(0x3f800002)

static const uint64_t N_SAMPLES = UINT64_C(1) << 20;

static float to_float(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return value;
}

static double to_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double reciprocal(double a) {
    return 1 / a;
}

static double reciprocal_root(double a) {
    return 1 / sqrt(a);
}

/* How the ISA bounds the error of arguments of some magnitudes. */
struct bound {
    enum { NO_BOUND, ULP, RELATIVE, ABSOLUTE } kind;
    double most, from, to;
};

struct function {
    const char *text;
    double (*exact)(double);
    struct bound bounds[4]; /* the last is none */
};

/* The last bit's weight near a value. */
static double ulp(double value) {
    const double size = fabs(value) < 0x1p-126 ? 0x1p-126 : fabs(value);
    return exp2(floor(log2(size)) - 23);
}

static double error_of(const struct bound *bound, double got, double exact) {
    const double off = fabs(got - exact);
    return bound->kind == ABSOLUTE ? off
           : bound->kind == ULP    ? off / ulp(exact)
                                   : off / fabs(exact);
}

/* One argument and its result. A NaN is any NaN, an overflow is infinity. */
static void compare(const struct function *function, float a, float got) {
    const double exact = function->exact((double)a), size = fabs((double)a);
    const float nearest = (float)exact;
    if (isnan(exact))
        cr_assert(isnan(got), "%s of %a: %a", function->text, (double)a, (double)got);
    else
        cr_assert(memcmp(&got, &nearest, sizeof(got)) == 0, "%s of %a: %a, not %a", function->text,
                  (double)a, (double)got, (double)nearest);
    for (const struct bound *bound = function->bounds; bound->kind; bound++)
        if (isfinite(nearest) && nearest != 0 && size >= bound->from && size <= bound->to)
            cr_assert_leq(error_of(bound, (double)got, exact), bound->most, "%s of %a: %a",
                          function->text, (double)a, (double)got);
}

static void check_function(const struct function *function, enum exec_isa isa) {
    struct exec_bench bench;
    struct simt_diag diag;
    char text[64];
    snprintf(text, sizeof(text), "%s %%f0, " A, function->text);
    cr_assert(exec_bench_init(&bench, isa, text, &diag), "%s: %s", text, diag.message);
    exec_bench_reset(&bench, false);
    /* An odd step goes through all signs and exponents, with all kinds of last bits. */
    uint64_t bits = 0, step = (UINT64_C(1) << 32) / N_SAMPLES | 1;
    for (uint64_t n = 0; n < N_SAMPLES; n += SIMT_LANES) {
        uint64_t values[SIMT_LANES];
        for (unsigned lane = 0; lane < SIMT_LANES; lane++, bits += step)
            values[lane] = (uint32_t)bits;
        exec_bench_give(&bench, A_BITS, values);
        exec_bench_run(&bench, UINT32_MAX);
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            compare(function, to_float(values[lane]), to_float(exec_bench_result(&bench, lane)));
    }
    exec_bench_finish(&bench);
}

Test(special, functions_are_the_nearest_floats_and_within_what_ptx_bounds) {
    static const double near = 0x1.6a09e6p-21, far = 0x1.3b2c48p-15; /* 2^-20.5, 2^-14.7 */
    const struct function functions[] = {
        /* 9.7.3.13 "rcp", 9.7.3.15 "sqrt", 9.7.3.16 "rsqrt": 2^-22.9 */
        {"rcp.approx.f32", reciprocal, {{ULP, 1, 0, INFINITY}}},
        {"sqrt.approx.f32", sqrt, {{RELATIVE, 0x1p-23, 0, INFINITY}}},
        {"rsqrt.approx.f32", reciprocal_root, {{RELATIVE, 0x1.125fbep-23, 0, INFINITY}}},
        /* 9.7.3.18 "sin", 9.7.3.19 "cos" */
        {"sin.approx.f32", sin, {{ABSOLUTE, near, 0, 2 * M_PI}, {ABSOLUTE, far, 0, 100 * M_PI}}},
        {"cos.approx.f32", cos, {{ABSOLUTE, near, 0, 2 * M_PI}, {ABSOLUTE, far, 0, 100 * M_PI}}},
        /* 9.7.3.20 "lg2", 9.7.3.21 "ex2", 9.7.3.22 "tanh" */
        {"lg2.approx.f32",
         log2,
         {{RELATIVE, 0x1p-22, 0, 0.5},
          {ABSOLUTE, 0x1p-22, 0.5, 2},
          {RELATIVE, 0x1p-22, 2, INFINITY}}},
        {"ex2.approx.f32", exp2, {{ULP, 2, 0, INFINITY}}},
        {"tanh.approx.f32", tanh, {{RELATIVE, 0x1p-11, 0, INFINITY}}},
    };
    for (int isa = 0; isa < EXEC_N_ISAS; isa++)
        for (size_t i = 0;
             exec_isa_runs((enum exec_isa)isa) && i < sizeof(functions) / sizeof(functions[0]); i++)
            check_function(&functions[i], (enum exec_isa)isa);
}

/* A sequence of bits without a pattern. */
static uint64_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state ^ *state >> 29;
}

/* 9.7.3.8 "div": div.full is off by 2 ulp at most, div.approx for divisors in [2^-126, 2^126] only;
 * above them, the reciprocal that the quotient is made with is 0. */
static void check_quotient(bool is_full, float a, float b, float got) {
    const float exact = (float)((double)a / (double)b);
    const double size = fabs((double)b);
    if (isnan(exact)) {
        cr_assert(isnan(got), "%a / %a: %a", (double)a, (double)b, (double)got);
    } else if (is_full || (size >= 0x1p-126 && size <= 0x1p126)) {
        const bool same =
            got == exact || fabs((double)got - (double)exact) <= 2 * ulp((double)exact);
        cr_assert(same, "%a / %a: %a, not %a", (double)a, (double)b, (double)got, (double)exact);
    } else if (size > 0x1p126 && !isinf(b)) {
        cr_assert(isinf(a) ? isnan(got) : got == 0, "%a / %a: %a", (double)a, (double)b,
                  (double)got);
    }
}

static void check_quotients(const char *text, bool is_full, enum exec_isa isa) {
    struct exec_bench bench;
    struct simt_diag diag;
    uint64_t state = 1;
    cr_assert(exec_bench_init(&bench, isa, text, &diag), "%s: %s", text, diag.message);
    exec_bench_reset(&bench, false);
    for (uint64_t n = 0; n < N_SAMPLES; n += SIMT_LANES) {
        uint64_t a[SIMT_LANES], b[SIMT_LANES];
        for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
            a[lane] = (uint32_t)draw(&state);
            b[lane] = (uint32_t)draw(&state);
        }
        exec_bench_give(&bench, A_BITS, a);
        exec_bench_give(&bench, B_BITS, b);
        exec_bench_run(&bench, UINT32_MAX);
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            check_quotient(is_full, to_float(a[lane]), to_float(b[lane]),
                           to_float(exec_bench_result(&bench, lane)));
    }
    exec_bench_finish(&bench);
}

Test(special, quotients_are_within_two_units_of_the_last_place) {
    for (int isa = 0; isa < EXEC_N_ISAS; isa++)
        if (exec_isa_runs((enum exec_isa)isa)) {
            check_quotients("div.approx.f32 %f0, " A ", " B, false, (enum exec_isa)isa);
            check_quotients("div.full.f32 %f0, " A ", " B, true, (enum exec_isa)isa);
        }
}

/* 9.7.3.14 "rcp.approx.ftz.f64" and 9.7.3.17 "rsqrt.approx.ftz.f64" bound nothing. Both work on the
 * upper half of a double's bits. Subnormals count as zero, and of results only the upper half is
 * kept: 20 bits of the fraction. */
static void check_doubles(const char *name, double (*exact)(double), double bound,
                          enum exec_isa isa) {
    struct exec_bench bench;
    struct simt_diag diag;
    char text[64];
    uint64_t state = 2;
    snprintf(text, sizeof(text), "%s %%fd0, 0d3ff0000000000001", name);
    cr_assert(exec_bench_init(&bench, isa, text, &diag), "%s: %s", text, diag.message);
    exec_bench_reset(&bench, false);
    for (uint64_t n = 0; n < N_SAMPLES; n += SIMT_LANES) {
        uint64_t a[SIMT_LANES];
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            a[lane] = draw(&state);
        exec_bench_give(&bench, UINT64_C(0x3ff0000000000001), a);
        exec_bench_run(&bench, UINT32_MAX);
        for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
            const double wanted = exact(to_double(a[lane]));
            const double got = to_double(exec_bench_result(&bench, lane));
            const bool is_normal = isnormal(wanted) && isnormal(to_double(a[lane]));
            if (isnan(wanted))
                cr_assert(isnan(got), "%s of %a: %a", name, to_double(a[lane]), got);
            else if (is_normal)
                cr_assert_leq(fabs(got - wanted), bound * fabs(wanted), "%s of %a: %a, not %a",
                              name, to_double(a[lane]), got, wanted);
        }
    }
    exec_bench_finish(&bench);
}

Test(special, reciprocals_of_doubles_have_the_bits_that_ptx_keeps) {
    for (int isa = 0; isa < EXEC_N_ISAS; isa++)
        if (exec_isa_runs((enum exec_isa)isa)) {
            check_doubles("rcp.approx.ftz.f64", reciprocal, 0x1p-19, (enum exec_isa)isa);
            check_doubles("rsqrt.approx.ftz.f64", reciprocal_root, 0x1p-20, (enum exec_isa)isa);
            check_doubles("rsqrt.approx.f64", reciprocal_root, 0x1p-52, (enum exec_isa)isa);
        }
}

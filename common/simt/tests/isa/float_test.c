/*
 * Floating point: IEEE results to the bit, NaNs, zeros of both signs, subnormals, roundings.
 * Approximations are compared where PTX fixes the result.
 */
#include <math.h>
#include <string.h>

#include "common/simt/tests/isa/cases.h"

/* Values of single precision as PTX literals. */
#define ONE      "0f3f800000"
#define TWO      "0f40000000"
#define THREE    "0f40400000"
#define MINUS_1  "0fbf800000"
#define ZERO     "0f00000000"
#define MINUS_0  "0f80000000"
#define INF      "0f7f800000"
#define QNAN     "0f7fc00001"
#define LARGEST  "0f7f7fffff"
#define SMALLEST "0f00000001"
#define NORMAL   "0f00800000"
#define TINY     "0f33000000" /* 2^-25: a quarter of the last bit of 1 */

#define ONE_D     "0d3ff0000000000000"
#define TWO_D     "0d4000000000000000"
#define THREE_D   "0d4008000000000000"
#define MINUS_1_D "0dbff0000000000000"
#define ZERO_D    "0d0000000000000000"
#define MINUS_0_D "0d8000000000000000"
#define INF_D     "0d7ff0000000000000"
#define QNAN_D    "0d7ff8000000000001"
#define TINY_D    "0d3c80000000000000" /* 2^-55 */

enum { NAN_BITS = 0x7fffffff };

Test(single, calculates_as_ieee) {
    static const struct exec_case cases[] = {
        {"add.f32 %f0, " ONE ", " TWO, 0x40400000},
        {"add.rn.f32 %f0, " MINUS_0 ", " MINUS_0, 0x80000000},
        {"add.f32 %f0, " QNAN ", " ONE, NAN_BITS},
        {"add.f32 %f0, " LARGEST ", " LARGEST, 0x7f800000},
        {"add.f32 %f0, " SMALLEST ", " SMALLEST, 2},
        {"sub.f32 %f0, " ONE ", " ONE, 0},
        {"sub.f32 %f0, " INF ", " INF, NAN_BITS},
        {"mul.f32 %f0, " THREE ", " MINUS_1, 0xc0400000},
        {"mul.f32 %f0, " INF ", " ZERO, NAN_BITS},
        {"mul.f32 %f0, " NORMAL ", 0f3f000000", 0x00400000},
        {"div.rn.f32 %f0, " ONE ", " THREE, 0x3eaaaaab},
        {"div.rn.f32 %f0, " MINUS_1 ", " ZERO, 0xff800000},
        {"div.rn.f32 %f0, " ZERO ", " ZERO, NAN_BITS},
        {"fma.rn.f32 %f0, 0f3f800001, 0f3f800001, 0fbf800002", 0x28800000},
        {"fma.rn.f32 %f0, " TWO ", " THREE ", " ONE, 0x40e00000},
        {"fma.rn.f32 %f0, " INF ", " ZERO ", " ONE, NAN_BITS},
        {"mad.rn.f32 %f0, " TWO ", " THREE ", " ONE, 0x40e00000},
        {"mad.rn.f32 %f0, 0f3f800001, 0f3f800001, 0fbf800002", 0x28800000},
        {"rcp.rn.f32 %f0, " THREE, 0x3eaaaaab},
        {"rcp.rn.f32 %f0, " MINUS_0, 0xff800000},
        {"sqrt.rn.f32 %f0, " TWO, 0x3fb504f3},
        {"sqrt.rn.f32 %f0, " MINUS_1, NAN_BITS},
        {"sqrt.rn.f32 %f0, " MINUS_0, 0x80000000},
        {"neg.f32 %f0, " ZERO, 0x80000000},
        {"neg.f32 %f0, " MINUS_1, 0x3f800000},
        {"abs.f32 %f0, " MINUS_0, 0},
        {"abs.f32 %f0, " MINUS_1, 0x3f800000},
        {"copysign.f32 %f0, " MINUS_0 ", " TWO, 0xc0000000},
        {"copysign.f32 %f0, " ONE ", " MINUS_1, 0x3f800000},
        {"copysign.f32 %f0, " MINUS_1 ", 0f7fc00001", 0xffc00001},
    };
    EXEC_CHECK(cases);
}

Test(single, rounds_as_the_instruction_says) {
    static const struct exec_case cases[] = {
        {"add.rn.f32 %f0, " ONE ", " TINY, 0x3f800000},
        {"add.rz.f32 %f0, " ONE ", " TINY, 0x3f800000},
        {"add.rm.f32 %f0, " MINUS_1 ", 0fb3000000", 0xbf800001},
        {"add.rp.f32 %f0, " ONE ", " TINY, 0x3f800001},
        {"add.rm.f32 %f0, " ONE ", " MINUS_1, 0x80000000},
        {"sub.rz.f32 %f0, " ONE ", " TINY, 0x3f7fffff},
        {"mul.rp.f32 %f0, 0f3f800001, 0f3f800001", 0x3f800003},
        {"mul.rz.f32 %f0, " LARGEST ", " TWO, 0x7f7fffff},
        {"div.rm.f32 %f0, " ONE ", " THREE, 0x3eaaaaaa},
        {"div.rp.f32 %f0, " ONE ", " THREE, 0x3eaaaaab},
        {"fma.rp.f32 %f0, " ONE ", " ONE ", " TINY, 0x3f800001},
        {"fma.rz.f32 %f0, " ONE ", " ONE ", 0fb3000000", 0x3f7fffff},
        {"mad.rm.f32 %f0, " ONE ", " ONE ", 0fb3000000", 0x3f7fffff},
        {"rcp.rz.f32 %f0, " THREE, 0x3eaaaaaa},
        {"sqrt.rp.f32 %f0, " TWO, 0x3fb504f4},
        {"sqrt.rm.f32 %f0, " TWO, 0x3fb504f3},
    };
    EXEC_CHECK(cases);
}

Test(single, flushes_and_saturates) {
    static const struct exec_case cases[] = {
        {"add.ftz.f32 %f0, " SMALLEST ", " SMALLEST, 0},
        {"add.ftz.f32 %f0, 0f80000001, " MINUS_0, 0x80000000},
        {"mul.ftz.f32 %f0, " NORMAL ", 0f3f000000", 0},
        {"mul.rz.ftz.f32 %f0, " NORMAL ", 0fbf000000", 0x80000000},
        {"add.sat.f32 %f0, " ONE ", " ONE, 0x3f800000},
        {"add.sat.f32 %f0, " MINUS_1 ", " MINUS_1, 0},
        {"add.sat.f32 %f0, " QNAN ", " ONE, 0},
        {"fma.rn.ftz.sat.f32 %f0, " SMALLEST ", " ONE ", " SMALLEST, 0},
        {"sub.ftz.f32 %f0, 0f00800001, " NORMAL, 0},
        {"div.rn.ftz.f32 %f0, " ONE ", " SMALLEST, 0x7f800000},
        {"rcp.rn.ftz.f32 %f0, " SMALLEST, 0x7f800000},
        {"sqrt.rn.ftz.f32 %f0, " SMALLEST, 0},
        {"abs.ftz.f32 %f0, 0f80000001", 0},
        {"neg.ftz.f32 %f0, " SMALLEST, 0x80000000},
        {"min.ftz.f32 %f0, " SMALLEST ", " ONE, 0},
        {"max.ftz.f32 %f0, " SMALLEST ", " MINUS_1, 0},
    };
    EXEC_CHECK(cases);
}

Test(single, takes_minima_and_maxima) {
    static const struct exec_case cases[] = {
        {"min.f32 %f0, " ONE ", " MINUS_1, 0xbf800000},
        {"min.f32 %f0, " QNAN ", " ONE, 0x3f800000},
        {"min.f32 %f0, " ONE ", " QNAN, 0x3f800000},
        {"min.f32 %f0, " QNAN ", " QNAN, NAN_BITS},
        {"min.f32 %f0, " ZERO ", " MINUS_0, 0x80000000},
        {"max.f32 %f0, " ONE ", " MINUS_1, 0x3f800000},
        {"max.f32 %f0, " MINUS_0 ", " ZERO, 0},
        {"max.f32 %f0, " QNAN ", " MINUS_1, 0xbf800000},
        {"min.NaN.f32 %f0, " QNAN ", " ONE, NAN_BITS},
        {"min.NaN.f32 %f0, " TWO ", " ONE, 0x3f800000},
        {"max.NaN.f32 %f0, " ONE ", " QNAN, NAN_BITS},
        {"min.xorsign.abs.f32 %f0, " TWO ", " MINUS_1, 0xbf800000},
        {"max.xorsign.abs.f32 %f0, 0fc0000000, " MINUS_1, 0x40000000},
        {"min.f64 %fd0, " ONE_D ", " QNAN_D, UINT64_C(0x3ff0000000000000)},
        {"min.f64 %fd0, " ZERO_D ", " MINUS_0_D, UINT64_C(0x8000000000000000)},
        {"max.f64 %fd0, " QNAN_D ", " MINUS_1_D, UINT64_C(0xbff0000000000000)},
        {"max.f64 %fd0, " MINUS_0_D ", " ZERO_D, 0},
    };
    EXEC_CHECK(cases);
}

Test(double, calculates_as_ieee) {
    static const struct exec_case cases[] = {
        {"add.f64 %fd0, " ONE_D ", " TWO_D, UINT64_C(0x4008000000000000)},
        {"add.rn.f64 %fd0, " MINUS_0_D ", " MINUS_0_D, UINT64_C(0x8000000000000000)},
        {"add.rp.f64 %fd0, " ONE_D ", " TINY_D, UINT64_C(0x3ff0000000000001)},
        {"sub.f64 %fd0, " ONE_D ", " THREE_D, UINT64_C(0xc000000000000000)},
        {"sub.rz.f64 %fd0, " ONE_D ", " TINY_D, UINT64_C(0x3fefffffffffffff)},
        {"mul.f64 %fd0, " THREE_D ", " MINUS_1_D, UINT64_C(0xc008000000000000)},
        {"mul.rm.f64 %fd0, 0d3ff0000000000001, 0d3ff0000000000001", UINT64_C(0x3ff0000000000002)},
        {"div.rn.f64 %fd0, " ONE_D ", " THREE_D, UINT64_C(0x3fd5555555555555)},
        {"div.rp.f64 %fd0, " ONE_D ", " THREE_D, UINT64_C(0x3fd5555555555556)},
        {"div.rn.f64 %fd0, " ONE_D ", " MINUS_0_D, UINT64_C(0xfff0000000000000)},
        {"fma.rn.f64 %fd0, 0d3ff0000000000001, 0d3ff0000000000001, 0dbff0000000000002",
         UINT64_C(0x3970000000000000)},
        {"fma.rp.f64 %fd0, " ONE_D ", " ONE_D ", " TINY_D, UINT64_C(0x3ff0000000000001)},
        {"mad.rn.f64 %fd0, " TWO_D ", " THREE_D ", " ONE_D, UINT64_C(0x401c000000000000)},
        {"rcp.rn.f64 %fd0, " THREE_D, UINT64_C(0x3fd5555555555555)},
        {"rcp.rp.f64 %fd0, " THREE_D, UINT64_C(0x3fd5555555555556)},
        {"sqrt.rn.f64 %fd0, " TWO_D, UINT64_C(0x3ff6a09e667f3bcd)},
        {"sqrt.rz.f64 %fd0, " TWO_D, UINT64_C(0x3ff6a09e667f3bcc)},
        {"neg.f64 %fd0, " ZERO_D, UINT64_C(0x8000000000000000)},
        {"abs.f64 %fd0, " MINUS_1_D, UINT64_C(0x3ff0000000000000)},
        {"copysign.f64 %fd0, " MINUS_0_D ", " TWO_D, UINT64_C(0xc000000000000000)},
    };
    EXEC_CHECK(cases);
}

Test(approximations, hit_what_ptx_fixes) {
    static const struct exec_case cases[] = {
        {"rcp.approx.f32 %f0, " TWO, 0x3f000000},
        {"rcp.approx.ftz.f32 %f0, 0f80000001", 0xff800000},
        {"rcp.approx.ftz.f64 %fd0, " THREE_D, UINT64_C(0x3fd5555500000000)},
        {"rcp.approx.ftz.f64 %fd0, " MINUS_0_D, UINT64_C(0xfff0000000000000)},
        {"sqrt.approx.f32 %f0, 0f40800000", 0x40000000},
        {"sqrt.approx.ftz.f32 %f0, " SMALLEST, 0},
        {"rsqrt.approx.f32 %f0, 0f40800000", 0x3f000000},
        {"rsqrt.approx.ftz.f32 %f0, " MINUS_0, 0xff800000},
        {"rsqrt.approx.f64 %fd0, 0d4010000000000000", UINT64_C(0x3fe0000000000000)},
        {"rsqrt.approx.f64 %fd0, 0d3ff8000000000000", UINT64_C(0x3fea20bd700c2c3e)},
        {"rsqrt.approx.f64 %fd0, 0d7fefffffffffffff", UINT64_C(0x1ff0000000000000)},
        {"rsqrt.approx.f64 %fd0, " MINUS_0_D, UINT64_C(0xfff0000000000000)},
        {"rsqrt.approx.f64 %fd0, " INF_D, 0},
        {"rsqrt.approx.ftz.f64 %fd0, " INF_D, 0},
        {"sin.approx.f32 %f0, " MINUS_0, 0x80000000},
        {"sin.approx.f32 %f0, " INF, NAN_BITS},
        {"cos.approx.f32 %f0, " ZERO, 0x3f800000},
        {"cos.approx.ftz.f32 %f0, " SMALLEST, 0x3f800000},
        {"lg2.approx.f32 %f0, 0f41000000", 0x40400000},
        {"lg2.approx.f32 %f0, " MINUS_1, NAN_BITS},
        {"lg2.approx.ftz.f32 %f0, " SMALLEST, 0xff800000},
        {"ex2.approx.f32 %f0, " THREE, 0x41000000},
        {"ex2.approx.ftz.f32 %f0, 0fff800000", 0},
        {"tanh.approx.f32 %f0, " INF, 0x3f800000},
        {"tanh.approx.f32 %f0, " MINUS_0, 0x80000000},
        {"div.approx.f32 %f0, " THREE ", " TWO, 0x3fc00000},
        {"div.approx.f32 %f0, " ONE ", " LARGEST, 0},
        {"div.approx.f32 %f0, " INF ", " LARGEST, NAN_BITS},
        {"div.approx.ftz.f32 %f0, " ONE ", " SMALLEST, 0x7f800000},
        {"div.full.f32 %f0, " THREE ", " TWO, 0x3fc00000},
        {"div.full.ftz.f32 %f0, " SMALLEST ", " ONE, 0},
    };
    EXEC_CHECK(cases);
}

Test(testp, knows_kinds_of_numbers) {
    static const struct exec_case cases[] = {
        {"testp.finite.f32 %p0, " LARGEST, 1},
        {"testp.finite.f32 %p0, " INF, 0},
        {"testp.infinite.f32 %p0, 0fff800000", 1},
        {"testp.number.f32 %p0, " QNAN, 0},
        {"testp.number.f32 %p0, " INF, 1},
        {"testp.notanumber.f32 %p0, " QNAN, 1},
        {"testp.normal.f32 %p0, " MINUS_0, 1},
        {"testp.normal.f32 %p0, " SMALLEST, 0},
        {"testp.subnormal.f32 %p0, " SMALLEST, 1},
        {"testp.subnormal.f32 %p0, " ZERO, 0},
        {"testp.finite.f64 %p0, " INF_D, 0},
        {"testp.infinite.f64 %p0, " INF_D, 1},
        {"testp.number.f64 %p0, " ONE_D, 1},
        {"testp.notanumber.f64 %p0, " QNAN_D, 1},
        {"testp.normal.f64 %p0, " ONE_D, 1},
        {"testp.subnormal.f64 %p0, 0d0000000000000001", 1},
    };
    EXEC_CHECK(cases);
}

Test(real, keeps_the_bits_of_a_nan) {
    static const struct exec_case cases[] = {
        {"add.f64 %fd0, 0dfff0000000000123, " ONE_D, 0xfff8000000000123},
        {"add.f64 %fd0, 0d7ff8000000000001, 0dfff8000000000002", 0xfff8000000000002},
        {"sub.f64 %fd0, " ONE_D ", 0d7ff8000000000002", 0x7ff8000000000002},
        {"mul.rz.f64 %fd0, 0d7ff8000000000001, 0d7ff8000000000002", 0x7ff8000000000002},
        {"fma.rn.f64 %fd0, 0d7ff8000000000001, " ONE_D ", 0d7ff8000000000003", 0x7ff8000000000003},
        {"div.rn.f64 %fd0, 0d7ff8000000000001, 0d7ff8000000000002", 0x7ff8000000000001},
        {"min.f64 %fd0, 0d7ff0000000000001, 0d7ff0000000000002", 0x7ff8000000000002},
        {"neg.f64 %fd0, 0d7ff0000000000001", 0x7ff8000000000001},
        {"abs.f64 %fd0, 0dfff0000000000001", 0xfff8000000000001},
        {"sqrt.rn.f64 %fd0, " MINUS_1_D, 0xfff8000000000000},
        {"rcp.approx.ftz.f64 %fd0, 0d7ff0000000000001", 0},
    };
    EXEC_CHECK(cases);
}

static uint32_t bits_of(double value) {
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof(bits));
    return value != value ? INT32_MAX : bits;
}

/* Series, with the library where they are in doubt: all must be what the library alone gives. */
Test(floats, computes_elementary_functions_like_the_library) {
    static const struct {
        const char *text;
        double (*exact)(double);
    } functions[] = {
        {"sin.approx.f32 %f0, %f1", sin},
        {"cos.approx.f32 %f0, %f1", cos},
        {"lg2.approx.f32 %f0, %f1", log2},
        {"ex2.approx.f32 %f0, %f1", exp2},
    };
    enum { N_FUNCTIONS = sizeof(functions) / sizeof(functions[0]), STEP = 9973 };
    for (unsigned i = 0; i < N_FUNCTIONS * EXEC_N_ISAS; i++) {
        struct exec_bench bench;
        struct simt_diag diag;
        const enum exec_isa isa = (enum exec_isa)(i / N_FUNCTIONS);
        if (!exec_isa_runs(isa))
            continue;
        cr_assert(exec_bench_init(&bench, isa, functions[i % N_FUNCTIONS].text, &diag));
        uint32_t *const a = (uint32_t *)(bench.x->rows + bench.last->a);
        for (uint64_t first = 0; first <= UINT32_MAX; first += SIMT_LANES * STEP) {
            for (unsigned lane = 0; lane < SIMT_LANES; lane++)
                a[lane] = (uint32_t)(first + lane * STEP);
            exec_bench_run(&bench, UINT32_MAX);
            for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
                float given;
                memcpy(&given, &a[lane], sizeof(given));
                cr_assert(exec_bench_result(&bench, lane) ==
                              bits_of(functions[i % N_FUNCTIONS].exact(given)),
                          "%s of %a", functions[i % N_FUNCTIONS].text, (double)given);
            }
        }
        exec_bench_finish(&bench);
    }
}

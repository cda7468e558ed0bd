/*
 * Integer arithmetic: the usual case and the edge of each instruction.
 */
#include "common/simt/tests/isa/cases.h"

Test(integer, adds_subtracts_and_negates) {
    static const struct exec_case cases[] = {
        {"add.s16 %rs0, 3, 4", 7},
        {"add.u16 %rs0, 0xffff, 2", 1},
        {"add.s32 %r0, 2147483647, 1", 0x80000000},
        {"add.u32 %r0, 5, -7", 0xfffffffe},
        {"add.s64 %rd0, 0x7fffffffffffffff, 1", UINT64_C(0x8000000000000000)},
        {"add.u64 %rd0, 0xffffffff, 1", UINT64_C(0x100000000)},
        {"add.sat.s32 %r0, 2147483647, 1", 0x7fffffff},
        {"add.sat.s32 %r0, -2147483648, -1", 0x80000000},
        {"sub.s16 %rs0, 3, 4", 0xffff},
        {"sub.u32 %r0, 3, 4", 0xffffffff},
        {"sub.s32 %r0, 0x80000000, 1", 0x7fffffff},
        {"sub.s64 %rd0, 0, 1", UINT64_MAX},
        {"sub.u64 %rd0, 0x100000000, 1", 0xffffffff},
        {"sub.sat.s32 %r0, -2147483648, 1", 0x80000000},
        {"sub.sat.s32 %r0, 2147483647, -1", 0x7fffffff},
        {"neg.s16 %rs0, 1", 0xffff},
        {"neg.s32 %r0, 5", 0xfffffffb},
        {"neg.s32 %r0, -2147483648", 0x80000000},
        {"neg.s64 %rd0, 1", UINT64_MAX},
        {"abs.s16 %rs0, -7", 7},
        {"abs.s32 %r0, -7", 7},
        {"abs.s32 %r0, -2147483648", 0x80000000},
        {"abs.s64 %rd0, -7", 7},
        {"abs.s64 %rd0, 0x8000000000000000", UINT64_C(0x8000000000000000)},
    };
    EXEC_CHECK(cases);
}

Test(integer, multiplies) {
    static const struct exec_case cases[] = {
        {"mul.lo.s16 %rs0, 300, 300", 0x5f90},
        {"mul.lo.s32 %r0, -3, 5", 0xfffffff1},
        {"mul.lo.u32 %r0, 0x10000, 0x10000", 0},
        {"mul.lo.s64 %rd0, -3, 5", (uint64_t)-15},
        {"mul.lo.u64 %rd0, 0x100000001, 0x100000001", UINT64_C(0x200000001)},
        {"mul.hi.u16 %rs0, 0xffff, 0xffff", 0xfffe},
        {"mul.hi.s16 %rs0, -1, 1", 0xffff},
        {"mul.hi.u32 %r0, 0xffffffff, 0xffffffff", 0xfffffffe},
        {"mul.hi.s32 %r0, -1, 1", 0xffffffff},
        {"mul.hi.s32 %r0, 0x80000000, 0x80000000", 0x40000000},
        {"mul.hi.u64 %rd0, -1, -1", UINT64_MAX - 1},
        {"mul.hi.u64 %rd0, 0x8000000000000000, 6", 3},
        {"mul.hi.s64 %rd0, -1, 1", UINT64_MAX},
        {"mul.hi.s64 %rd0, 0x8000000000000000, 0x8000000000000000", UINT64_C(0x4000000000000000)},
        {"mul.wide.u16 %r0, 0xffff, 0xffff", 0xfffe0001},
        {"mul.wide.s16 %r0, -1, 2", 0xfffffffe},
        {"mul.wide.u32 %rd0, 0xffffffff, 4", UINT64_C(0x3fffffffc)},
        {"mul.wide.s32 %rd0, -1, 4", (uint64_t)-4},
        {"mul24.lo.u32 %r0, 0xff000003, 5", 15},
        {"mul24.lo.s32 %r0, 0x00ffffff, 5", 0xfffffffb},
        {"mul24.hi.u32 %r0, 0x00ffffff, 0x00ffffff", 0xfffffe00},
        {"mul24.hi.s32 %r0, 0x00ffffff, 1", 0xffffffff},
        {"mad.lo.s16 %rs0, 300, 300, 1", 0x5f91},
        {"mad.lo.s32 %r0, 3, -5, 7", 0xfffffff8},
        {"mad.lo.u32 %r0, 0xffffffff, 2, 3", 1},
        {"mad.lo.s64 %rd0, 3, -5, 7", (uint64_t)-8},
        {"mad.hi.u32 %r0, 0xffffffff, 2, 0xffffffff", 0},
        {"mad.hi.s32 %r0, -1, 2, 5", 4},
        {"mad.hi.sat.s32 %r0, 0x40000000, 4, 2147483647", 0x7fffffff},
        {"mad.hi.u16 %rs0, 0xffff, 2, 5", 6},
        {"mad.hi.s16 %rs0, -1, 2, 5", 4},
        {"mad.hi.u64 %rd0, -1, 2, 1", 2},
        {"mad.hi.s64 %rd0, -1, 2, 1", 0},
        {"mad.wide.u16 %r0, 0xffff, 2, 1", 0x1ffff},
        {"mad.wide.s16 %r0, -1, 2, 1", 0xffffffff},
        {"mad.wide.u32 %rd0, 0xffffffff, 2, 1", UINT64_C(0x1ffffffff)},
        {"mad.wide.s32 %rd0, -1, 2, 1", UINT64_MAX},
        {"mad24.lo.u32 %r0, 0xff000003, 5, 1", 16},
        {"mad24.lo.s32 %r0, 0xffffff, 5, 6", 1},
        {"mad24.hi.u32 %r0, 0xffffff, 0xffffff, 1", 0xfffffe01},
        {"mad24.hi.s32 %r0, 0xffffff, 1, 1", 0},
        {"mad24.hi.sat.s32 %r0, 0x7fffff, 0x7fffff, 2147483647", 0x7fffffff},
    };
    EXEC_CHECK(cases);
}

Test(integer, divides) {
    static const struct exec_case cases[] = {
        {"div.u16 %rs0, 0xffff, 7", 9362},
        {"div.s16 %rs0, -7, 2", 0xfffd},
        {"div.u32 %r0, 0xffffffff, 3", 0x55555555},
        {"div.u32 %r0, 0xffffffff, 1", 0xffffffff},
        {"div.u32 %r0, 0xfffffffe, 0xffffffff", 0},
        {"div.u32 %r0, 100, 8", 12},
        {"div.u32 %r0, 0x80000000, 0x80000000", 1},
        {"div.u32 %r0, 7, 0", 0xffffffff},
        {"div.s32 %r0, -7, 2", 0xfffffffd},
        {"div.s32 %r0, 7, -2", 0xfffffffd},
        {"div.s32 %r0, -2147483648, -1", 0x80000000},
        {"div.s32 %r0, -2147483648, -2147483648", 1},
        {"div.s32 %r0, -7, 0", 0xffffffff},
        {"div.u64 %rd0, 0xffffffffffffffff, 10", UINT64_C(1844674407370955161)},
        {"div.u64 %rd0, 1, 0", UINT64_MAX},
        {"div.s64 %rd0, -7, 2", (uint64_t)-3},
        {"div.s64 %rd0, 0x8000000000000000, -1", UINT64_C(0x8000000000000000)},
        {"rem.u16 %rs0, 0xffff, 7", 1},
        {"rem.s16 %rs0, -7, 2", 0xffff},
        {"rem.u32 %r0, 0xffffffff, 10", 5},
        {"rem.u32 %r0, 13, 8", 5},
        {"rem.u32 %r0, 13, 0", 0xffffffff},
        {"rem.s32 %r0, -7, 3", 0xffffffff},
        {"rem.s32 %r0, -7, 4", 0xfffffffd},
        {"rem.s32 %r0, 7, -4", 3},
        {"rem.s32 %r0, -2147483648, -1", 0},
        {"rem.u64 %rd0, 0xffffffffffffffff, 10", 5},
        {"rem.u64 %rd0, 21, 16", 5},
        {"rem.s64 %rd0, -7, 4", (uint64_t)-3},
        {"rem.s64 %rd0, 0x8000000000000000, -1", 0},
        {"rem.s64 %rd0, 5, 0", UINT64_MAX},
    };
    EXEC_CHECK(cases);
}

/* Numbers near powers of two are as likely as any. */
static uint32_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t random = (uint32_t)(*state >> 32), shift = (uint32_t)(*state >> 27) & 31;
    return *state >> 20 & 1 ? random >> shift : (UINT32_C(1) << shift) + random % 5 - 2;
}

static uint32_t host_result(bool is_signed, bool is_rem, uint32_t a, uint32_t b) {
    if (b == 0)
        return UINT32_MAX;
    const int64_t p = is_signed ? (int32_t)a : (int64_t)a, q = is_signed ? (int32_t)b : (int64_t)b;
    return (uint32_t)(is_rem ? p % q : p / q);
}

/* Quotients come from floating point: hold many of them against the host's divider. */
Test(integer, divides_like_the_host) {
    static const char *const texts[] = {
        "div.u32 %r0, %r1, %r2",
        "rem.u32 %r0, %r1, %r2",
        "div.s32 %r0, %r1, %r2",
        "rem.s32 %r0, %r1, %r2",
    };
    uint64_t state = 1;
    for (unsigned i = 0; i < 4 * EXEC_N_ISAS; i++) {
        struct exec_bench bench;
        struct simt_diag diag;
        const enum exec_isa isa = (enum exec_isa)(i / 4);
        if (!exec_isa_runs(isa))
            continue;
        cr_assert(exec_bench_init(&bench, isa, texts[i % 4], &diag));
        uint32_t *const a = (uint32_t *)(bench.x->rows + bench.last->a);
        uint32_t *const b = (uint32_t *)(bench.x->rows + bench.last->b);
        for (unsigned round = 0; round < 10000; round++) {
            for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
                a[lane] = draw(&state);
                b[lane] = draw(&state);
            }
            exec_bench_run(&bench, UINT32_MAX);
            for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
                const uint32_t wanted = host_result(i % 4 >= 2, i % 2, a[lane], b[lane]);
                cr_assert(exec_bench_result(&bench, lane) == wanted, "%s of %x and %x",
                          texts[i % 4], a[lane], b[lane]);
            }
        }
        exec_bench_finish(&bench);
    }
}

Test(integer, takes_minima_maxima_and_differences) {
    static const struct exec_case cases[] = {
        {"min.u16 %rs0, 0xffff, 1", 1},
        {"min.s16 %rs0, -1, 1", 0xffff},
        {"min.u32 %r0, 0xffffffff, 1", 1},
        {"min.s32 %r0, -1, 1", 0xffffffff},
        {"min.relu.s32 %r0, -1, 1", 0},
        {"min.u64 %rd0, -1, 1", 1},
        {"min.s64 %rd0, -1, 1", UINT64_MAX},
        {"max.u16 %rs0, 0xffff, 1", 0xffff},
        {"max.s16 %rs0, -1, 1", 1},
        {"max.u32 %r0, 0xffffffff, 1", 0xffffffff},
        {"max.s32 %r0, -1, 1", 1},
        {"max.relu.s32 %r0, -1, -2", 0},
        {"max.u64 %rd0, -1, 1", UINT64_MAX},
        {"max.s64 %rd0, -1, 1", 1},
        {"sad.u16 %rs0, 1, 0xffff, 2", 0},
        {"sad.s16 %rs0, -1, 1, 2", 4},
        {"sad.u32 %r0, 1, 0xffffffff, 2", 0},
        {"sad.s32 %r0, -1, 1, 2", 4},
        {"sad.s32 %r0, -2147483648, 2147483647, 0", 0xffffffff},
        {"sad.u64 %rd0, 1, -1, 2", 0},
        {"sad.s64 %rd0, -1, 1, 2", 4},
        {"dp4a.u32.u32 %r0, 0x01020304, 0x01010101, 5", 15},
        {"dp4a.s32.s32 %r0, 0xff020304, 0x01010101, 5", 13},
        {"dp4a.u32.s32 %r0, 0xff000000, 0xff000000, 1", 0xffffff02},
        {"dp4a.s32.u32 %r0, 0xff000000, 0xff000000, 1", 0xffffff02},
        {"dp2a.lo.u32.u32 %r0, 0x00020001, 0x04030201, 1", 6},
        {"dp2a.hi.u32.u32 %r0, 0x00020001, 0x04030201, 1", 12},
        {"dp2a.lo.s32.s32 %r0, 0xffff0001, 0x000001ff, 1", 0xffffffff},
        {"dp2a.hi.s32.s32 %r0, 0xffff0001, 0x01ff0000, 1", 0xffffffff},
        {"dp2a.lo.u32.s32 %r0, 0x00000001, 0x000000ff, 1", 0},
        {"dp2a.hi.u32.s32 %r0, 0x00000001, 0x00ff0000, 1", 0},
        {"dp2a.lo.s32.u32 %r0, 0x0000ffff, 0x000000ff, 1", 0xffffff02},
        {"dp2a.hi.s32.u32 %r0, 0x0000ffff, 0x00ff0000, 1", 0xffffff02},
    };
    EXEC_CHECK(cases);
}

Test(integer, carries) {
    static const struct exec_case cases[] = {
        {"add.cc.u32 %r0, 0xffffffff, 1", 0},
        {"add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r0, 5, 6", 12},
        {"add.cc.u32 %r1, 1, 1; addc.u32 %r0, 5, 6", 11},
        {"add.cc.s32 %r1, -1, 1; addc.cc.s32 %r2, -1, 0; addc.s32 %r0, 0, 0", 1},
        {"add.cc.u64 %rd1, -1, 1; addc.u64 %rd0, 5, 6", 12},
        {"add.cc.u64 %rd1, -1, 1; addc.cc.u64 %rd2, 1, 1; addc.u64 %rd0, 5, 6", 11},
        {"sub.cc.u32 %r0, 1, 2", 0xffffffff},
        {"sub.cc.u32 %r1, 1, 2; subc.u32 %r0, 9, 3", 5},
        {"sub.cc.u32 %r1, 2, 2; subc.u32 %r0, 9, 3", 6},
        {"sub.cc.u32 %r1, 1, 2; subc.cc.u32 %r2, 0, 0; subc.u32 %r0, 9, 3", 5},
        {"sub.cc.u64 %rd1, 1, 2; subc.u64 %rd0, 9, 3", 5},
        {"sub.cc.u64 %rd1, 1, 2; subc.cc.u64 %rd0, 9, 3", 5},
        {"mad.lo.cc.u32 %r1, 0x10000, 0xffff, 0x10000; addc.u32 %r0, 0, 0", 1},
        {"mad.lo.cc.u32 %r1, -1, 1, 1; madc.lo.u32 %r0, 2, 3, 4", 11},
        {"mad.lo.cc.u32 %r1, -1, 1, 1; madc.lo.cc.u32 %r0, 2, 3, 4", 11},
        {"mad.lo.cc.u32 %r1, -1, 1, 1; madc.hi.u32 %r0, -1, 2, 4", 6},
        {"mad.lo.cc.u32 %r1, -1, 1, 1; madc.hi.s32 %r0, -1, 2, 4", 4},
        {"mad.hi.cc.u32 %r1, -1, 2, -1; madc.hi.cc.u32 %r0, -1, 2, 4", 6},
        {"mad.hi.cc.s32 %r1, -1, 2, 1; madc.hi.cc.s32 %r0, -1, 2, 4", 4},
        {"mad.lo.cc.u64 %rd1, -1, 1, 1; madc.hi.u64 %rd0, -1, 2, 4", 6},
        {"mad.lo.cc.u64 %rd1, -1, 1, 1; madc.lo.u64 %rd0, 2, 3, 4", 11},
        {"mad.hi.cc.u64 %rd1, -1, 2, -1; madc.hi.cc.u64 %rd0, -1, 2, 4", 6},
        {"mad.hi.cc.s64 %rd1, -1, 2, 1; madc.hi.s64 %rd0, -1, 2, 4", 4},
        {"mad.lo.cc.u64 %rd1, -1, 1, 1; madc.lo.cc.u64 %rd0, 2, 3, 4", 11},
        {"mad.hi.cc.s64 %rd1, -1, 2, 1; madc.hi.cc.s64 %rd0, -1, 2, 4", 4},
    };
    EXEC_CHECK(cases);
}

Test(integer, works_on_pairs_and_bytes) {
    static const struct exec_case cases[] = {
        {"add.u16x2 %r0, 0x0001ffff, 0x00010002", 0x00020001},
        {"add.s16x2 %r0, 0x7fff0000, 0x0001ffff", 0x8000ffff},
        {"min.u16x2 %r0, 0x0001ffff, 0x80007fff", 0x00017fff},
        {"max.u16x2 %r0, 0x0001ffff, 0x80007fff", 0x8000ffff},
        {"min.s16x2 %r0, 0x0001ffff, 0x80007fff", 0x8000ffff},
        {"max.s16x2 %r0, 0x0001ffff, 0x80007fff", 0x00017fff},
        {"min.relu.s16x2 %r0, 0x0001ffff, 0x80007fff", 0},
        {"max.relu.s16x2 %r0, 0x8000fffe, 0x8000ffff", 0},
        {"max.s16x2.relu %r0, 0x0005fffe, 0x80000003", 0x00050003},
        {"max.s32.relu %r0, -5, -7", 0},
        {"min.s32.relu %r0, 5, 7", 5},
        {"vabsdiff4.u32.u32.u32 %r0, 0x00ff0510, 0xff000605, 7", 0xffff010b},
        {"vabsdiff4.u32.u32.u32.add %r0, 0x00ff0510, 0xff000605, 7", 0xff + 0xff + 1 + 11 + 7},
    };
    EXEC_CHECK(cases);
}

/*
 * Logic, shifts, bit fields and counts.
 */
#include "common/simt/tests/isa/cases.h"

Test(logic, combines_bits) {
    static const struct exec_case cases[] = {
        {"and.b16 %rs0, 0xff0f, 0x0ff0", 0x0f00},
        {"and.b32 %r0, 0xff00ff00, 0x0ff00ff0", 0x0f000f00},
        {"and.b64 %rd0, 0xff00000000000001, -1", UINT64_C(0xff00000000000001)},
        {"or.b16 %rs0, 0xf000, 0x000f", 0xf00f},
        {"or.b32 %r0, 0xff00ff00, 0x0ff00ff0", 0xfff0fff0},
        {"or.b64 %rd0, 0xff00000000000000, 1", UINT64_C(0xff00000000000001)},
        {"xor.b16 %rs0, 0xffff, 1", 0xfffe},
        {"xor.b32 %r0, 0xff00ff00, 0x0ff00ff0", 0xf0f0f0f0},
        {"xor.b64 %rd0, -1, 1", UINT64_MAX - 1},
        {"not.b16 %rs0, 1", 0xfffe},
        {"not.b32 %r0, 0", 0xffffffff},
        {"not.b64 %rd0, 1", UINT64_MAX - 1},
        {"cnot.b16 %rs0, 0", 1},
        {"cnot.b32 %r0, 7", 0},
        {"cnot.b64 %rd0, 0x100000000", 0},
        {"lop3.b32 %r0, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x80", 0x80808080},
        {"lop3.b32 %r0, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0xe2", 0xe2e2e2e2},
        {"lop3.b32 %r0, 1, 2, 4, 0x96", 7},
    };
    EXEC_CHECK(cases);
}

#define TRUE_P1  "mov.pred %p1, -1; "
#define FALSE_P2 "mov.pred %p2, 0; "

Test(logic, combines_predicates) {
    static const struct exec_case cases[] = {
        {"mov.pred %p0, -1", 1},
        {"mov.pred %p0, 0", 0},
        {TRUE_P1 "mov.pred %p0, %p1", 1},
        {TRUE_P1 "mov.pred %p0, !%p1", 0},
        {TRUE_P1 FALSE_P2 "and.pred %p0, %p1, %p2", 0},
        {TRUE_P1 FALSE_P2 "and.pred %p0, %p1, !%p2", 1},
        {TRUE_P1 FALSE_P2 "or.pred %p0, %p1, %p2", 1},
        {TRUE_P1 FALSE_P2 "or.pred %p0, !%p1, %p2", 0},
        {TRUE_P1 FALSE_P2 "xor.pred %p0, %p1, %p2", 1},
        {TRUE_P1 FALSE_P2 "xor.pred %p0, %p1, !%p2", 0},
        {TRUE_P1 "not.pred %p0, %p1", 0},
        {FALSE_P2 "not.pred %p0, %p2", 1},
    };
    EXEC_CHECK(cases);
}

Test(logic, clamps_shifts_at_the_width) {
    static const struct exec_case cases[] = {
        {"shl.b16 %rs0, 1, 15", 0x8000},
        {"shl.b16 %rs0, 1, 16", 0},
        {"shl.b32 %r0, 3, 31", 0x80000000},
        {"shl.b32 %r0, 1, 32", 0},
        {"shl.b32 %r0, 1, -1", 0},
        {"shl.b64 %rd0, 3, 63", UINT64_C(0x8000000000000000)},
        {"shl.b64 %rd0, 1, 64", 0},
        {"shr.u16 %rs0, 0x8000, 15", 1},
        {"shr.s16 %rs0, 0x8000, 15", 0xffff},
        {"shr.s16 %rs0, 0x8000, 99", 0xffff},
        {"shr.b16 %rs0, 0x8000, 16", 0},
        {"shr.u32 %r0, 0x80000000, 31", 1},
        {"shr.u32 %r0, 0x80000000, 32", 0},
        {"shr.b32 %r0, 0x80000000, 4", 0x08000000},
        {"shr.s32 %r0, 0x80000000, 4", 0xf8000000},
        {"shr.s32 %r0, 0x80000000, 32", 0xffffffff},
        {"shr.u64 %rd0, 0x8000000000000000, 63", 1},
        {"shr.u64 %rd0, 0x8000000000000000, 64", 0},
        {"shr.b64 %rd0, 16, 3", 2},
        {"shr.s64 %rd0, 0x8000000000000000, 63", UINT64_MAX},
        {"shr.s64 %rd0, 0x8000000000000000, -1", UINT64_MAX},
        {"shf.l.wrap.b32 %r0, 0x80000001, 0x40000002, 4", 0x00000028},
        {"shf.l.wrap.b32 %r0, 0x80000001, 0x40000002, 36", 0x00000028},
        {"shf.l.clamp.b32 %r0, 0x80000001, 0x40000002, 36", 0x80000001},
        {"shf.r.wrap.b32 %r0, 0x80000001, 0x40000002, 4", 0x28000000},
        {"shf.r.wrap.b32 %r0, 0x80000001, 0x40000002, 32", 0x80000001},
        {"shf.r.clamp.b32 %r0, 0x80000001, 0x40000002, 99", 0x40000002},
    };
    EXEC_CHECK(cases);
}

Test(bits, extracts_and_inserts_fields) {
    static const struct exec_case cases[] = {
        {"bfe.u32 %r0, 0xabcd1234, 8, 12", 0xd12},
        {"bfe.u32 %r0, 0xabcd1234, 24, 32", 0xab},
        {"bfe.u32 %r0, 0xabcd1234, 40, 8", 0},
        {"bfe.u32 %r0, 0xabcd1234, 4, 0", 0},
        {"bfe.u32 %r0, 0xabcd1234, 0x108, 0x104", 2},
        {"bfe.s32 %r0, 0xabcd1234, 8, 4", 2},
        {"bfe.s32 %r0, 0xabcd1234, 16, 8", 0xffffffcd},
        {"bfe.s32 %r0, 0xabcd1234, 24, 32", 0xffffffab},
        {"bfe.s32 %r0, 0xabcd1234, 40, 8", 0xffffffff},
        {"bfe.s32 %r0, 0xffffffff, 4, 0", 0},
        {"bfe.u64 %rd0, 0xabcd123400000000, 32, 16", 0x1234},
        {"bfe.u64 %rd0, -1, 60, 99", 15},
        {"bfe.s64 %rd0, 0xabcd123400000000, 48, 16", UINT64_C(0xffffffffffffabcd)},
        {"bfe.s64 %rd0, 0x7000000000000000, 60, 99", 7},
        {"bfi.b32 %r0, 0xff, 0, 8, 4", 0xf00},
        {"bfi.b32 %r0, 0, -1, 28, 32", 0x0fffffff},
        {"bfi.b32 %r0, 0, 0x1234, 32, 4", 0x1234},
        {"bfi.b64 %rd0, 0xff, 0, 60, 8", UINT64_C(0xf000000000000000)},
        {"bfi.b64 %rd0, 0xff, 5, 64, 8", 5},
        {"bmsk.clamp.b32 %r0, 4, 8", 0xff0},
        {"bmsk.clamp.b32 %r0, 32, 8", 0},
        {"bmsk.wrap.b32 %r0, 36, 40", 0xff0},
        {"bmsk.wrap.b32 %r0, 4, 32", 0},
        {"szext.clamp.u32 %r0, 0xffffff85, 8", 0x85},
        {"szext.clamp.s32 %r0, 0x00000185, 8", 0xffffff85},
        {"szext.clamp.s32 %r0, 0x80000001, 32", 0x80000001},
        {"szext.clamp.u32 %r0, 0x80000001, 99", 0x80000001},
        {"szext.wrap.s32 %r0, 5, 32", 0},
        {"szext.wrap.s32 %r0, 5, 35", 0xfffffffd},
    };
    EXEC_CHECK(cases);
}

Test(bits, finds_and_counts) {
    static const struct exec_case cases[] = {
        {"bfind.u32 %r0, 0x00010000", 16},
        {"bfind.u32 %r0, 0", 0xffffffff},
        {"bfind.s32 %r0, 0xffff0000", 15},
        {"bfind.s32 %r0, -1", 0xffffffff},
        {"bfind.u64 %r0, 0x100000000", 32},
        {"bfind.s64 %r0, 0xffffffff00000000", 31},
        {"bfind.shiftamt.u32 %r0, 1", 31},
        {"bfind.shiftamt.u32 %r0, 0", 0xffffffff},
        {"bfind.shiftamt.s32 %r0, 0xfffffff0", 28},
        {"bfind.shiftamt.u64 %r0, 1", 63},
        {"bfind.shiftamt.s64 %r0, -1", 0xffffffff},
        {"brev.b32 %r0, 0x80000001", 0x80000001},
        {"brev.b32 %r0, 0x12345678", 0x1e6a2c48},
        {"brev.b64 %rd0, 1", UINT64_C(0x8000000000000000)},
        {"popc.b32 %r0, 0xf0f0f0f1", 17},
        {"popc.b32 %r0, 0", 0},
        {"popc.b64 %r0, -1", 64},
        {"clz.b32 %r0, 1", 31},
        {"clz.b32 %r0, 0", 32},
        {"clz.b64 %r0, 0x100000000", 31},
        {"clz.b64 %r0, 0", 64},
        {"fns.b32 %r0, 0xaaaaaaaa, 3, 2", 5},
        {"fns.b32 %r0, 0xaaaaaaaa, 3, -2", 1},
        {"fns.b32 %r0, 0xaaaaaaaa, 3, 0", 3},
        {"fns.b32 %r0, 0xaaaaaaaa, 2, 0", 0xffffffff},
        {"fns.b32 %r0, 0xaaaaaaaa, 0, 17", 0xffffffff},
    };
    EXEC_CHECK(cases);
}

Test(bits, permutes_bytes) {
    static const struct exec_case cases[] = {
        {"prmt.b32 %r0, 0x33221100, 0x77665544, 0x3210", 0x33221100},
        {"prmt.b32 %r0, 0x33221100, 0x77665544, 0x0246", 0x00224466},
        {"prmt.b32 %r0, 0x80221100, 0x77665544, 0xb80f", 0xff000000},
        {"prmt.b32.f4e %r0, 0x33221100, 0x77665544, 1", 0x44332211},
        {"prmt.b32.f4e %r0, 0x33221100, 0x77665544, 7", 0x66554433},
        {"prmt.b32.b4e %r0, 0x33221100, 0x77665544, 0", 0x55667700},
        {"prmt.b32.b4e %r0, 0x33221100, 0x77665544, 3", 0x00112233},
        {"prmt.b32.rc8 %r0, 0x33221100, 0x77665544, 2", 0x22222222},
        {"prmt.b32.ecl %r0, 0x33221100, 0x77665544, 1", 0x33221111},
        {"prmt.b32.ecr %r0, 0x33221100, 0x77665544, 2", 0x22221100},
        {"prmt.b32.rc16 %r0, 0x33221100, 0x77665544, 1", 0x33223322},
        {"prmt.b32.rc16 %r0, 0x33221100, 0x77665544, 2", 0x11001100},
    };
    EXEC_CHECK(cases);
}

Test(fields, of_64_bits_look_at_all_of_position_and_length) {
    static const struct exec_case cases[] = {
        {"bfe.u64 %rd0, 0xff, 0x100, 8", 0},
        {"bfe.u64 %rd0, 0xff, 4, 0x104", 0xf},
        {"bfi.b64 %rd0, 0xff, 0, 0, 0x104", 0xff},
        {"bfe.u32 %r0, 0xff, 0x100, 4", 0xf},
    };
    EXEC_CHECK(cases);
}

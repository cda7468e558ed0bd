/*
 * cvt between all kinds of types, and moves.
 */
#include "common/simt/tests/isa/cases.h"

Test(convert, widens_and_narrows_integers) {
    static const struct exec_case cases[] = {
        {"cvt.u32.u16 %r0, 0xffff", 0xffff},
        {"cvt.s32.s16 %r0, 0xffff", 0xffffffff},
        {"cvt.u32.u8 %r0, 0x1ff", 0xff},
        {"cvt.s32.s8 %r0, 0x80", 0xffffff80},
        {"cvt.u16.u32 %rs0, 0x12345678", 0x5678},
        {"cvt.u16.u64 %rs0, 0x123456789", 0x6789},
        {"cvt.s16.s8 %rs0, 0xff", 0xffff},
        {"cvt.u64.u32 %rd0, 0xffffffff", 0xffffffff},
        {"cvt.s64.s32 %rd0, -1", UINT64_MAX},
        {"cvt.u64.u16 %rd0, 0xffff", 0xffff},
        {"cvt.s64.s8 %rd0, 0x80", (uint64_t)-128},
        {"cvt.u32.u64 %r0, 0x1ffffffff", 0xffffffff},
        {"mov.u64 %rd1, 0x1ff80; cvt.s32.s8 %r0, %rd1", 0xffffff80},
        {"cvt.u8.u32 %rs0, 0x1ff", 0xff},
        {"cvt.s8.s32 %rs0, 0x1ff", 0xffff},
        {"cvt.s8.s32 %r0, 0x80", 0xffffff80},
        {"cvt.u8.u32 %r0, 0x1ff", 0xff},
        {"cvt.u16.u32 %rd0, 0x12345678", 0x5678},
        {"cvt.s16.s32 %rd0, 0xffff", UINT64_MAX},
        {"cvt.sat.u8.s32 %rs0, 300", 255},
        {"cvt.sat.u8.s32 %rs0, -5", 0},
        {"cvt.sat.s8.s32 %r0, -300", 0xffffff80},
        {"cvt.sat.s32.s64 %r0, 0x100000000", 0x7fffffff},
        {"cvt.sat.u32.s64 %r0, -1", 0},
    };
    EXEC_CHECK(cases);
}

Test(convert, clamps_floats_to_integers) {
    static const struct exec_case cases[] = {
        {"cvt.rzi.s32.f32 %r0, 0fc0200000", 0xfffffffe},
        {"cvt.rzi.s32.f32 %r0, 0f7f800000", 0x7fffffff},
        {"cvt.rzi.s32.f32 %r0, 0fff800000", 0x80000000},
        {"cvt.rzi.s32.f32 %r0, 0f7fc00000", 0},
        {"cvt.rzi.u32.f32 %r0, 0fbf800000", 0},
        {"cvt.rzi.u32.f32 %r0, 0f4f800000", 0xffffffff},
        {"cvt.rzi.u32.f32 %r0, 0f4f000000", 0x80000000},
        {"cvt.rzi.u32.f32 %r0, 0f7fc00000", 0},
        {"cvt.rni.s32.f32 %r0, 0f40200000", 2},
        {"cvt.rni.s32.f32 %r0, 0f40600000", 4},
        {"cvt.rmi.s32.f32 %r0, 0fc0200000", 0xfffffffd},
        {"cvt.rpi.s32.f32 %r0, 0f40200000", 3},
        {"cvt.rzi.ftz.s32.f32 %r0, 0f00000001", 0},
        {"cvt.rpi.ftz.s32.f32 %r0, 0f00000001", 0},
        {"cvt.rpi.s32.f32 %r0, 0f00000001", 1},
        {"cvt.rzi.s32.f64 %r0, 0dc004000000000000", 0xfffffffe},
        {"cvt.rzi.s32.f64 %r0, 0d7ff8000000000000", 0x80000000},
        {"cvt.rzi.u32.f64 %r0, 0d41f0000000000000", 0xffffffff},
        {"cvt.rzi.u32.f64 %r0, 0d7ff8000000000000", 0x80000000},
        {"cvt.rzi.s64.f32 %rd0, 0f5f000000", INT64_MAX},
        {"cvt.rzi.s64.f32 %rd0, 0f7fc00000", UINT64_C(0x8000000000000000)},
        {"cvt.rzi.u64.f32 %rd0, 0f5f000000", UINT64_C(0x8000000000000000)},
        {"cvt.rni.s64.f64 %rd0, 0d4004000000000000", 2},
        {"cvt.rzi.u64.f64 %rd0, 0d43f0000000000000", UINT64_MAX},
        {"cvt.rzi.u16.f32 %rs0, 0f47c35000", 0xffff},
        {"cvt.rzi.s16.f32 %rs0, 0fc7c35000", 0x8000},
        {"cvt.rzi.u8.f32 %rs0, 0f43960000", 0xff},
        {"cvt.rzi.s8.f32 %r0, 0fc3960000", 0xffffff80},
    };
    EXEC_CHECK(cases);
}

Test(convert, rounds_to_floats) {
    static const struct exec_case cases[] = {
        {"cvt.rn.f32.s32 %f0, -1", 0xbf800000},
        {"cvt.rn.f32.s32 %f0, 16777217", 0x4b800000},
        {"cvt.rp.f32.s32 %f0, 16777217", 0x4b800001},
        {"cvt.rz.f32.u32 %f0, 0xffffffff", 0x4f7fffff},
        {"cvt.rn.f32.u32 %f0, 0xffffffff", 0x4f800000},
        {"cvt.rn.f32.s64 %f0, -1", 0xbf800000},
        {"cvt.rn.f32.u64 %f0, 0xffffffffffffffff", 0x5f800000},
        {"cvt.rz.f32.u64 %f0, 0xffffffffffffffff", 0x5f7fffff},
        {"cvt.rn.f32.u16 %f0, 0xffff", 0x477fff00},
        {"cvt.rn.f32.s16 %f0, 0xffff", 0xbf800000},
        {"cvt.rn.f32.u8 %f0, 0x1ff", 0x437f0000},
        {"cvt.rn.f32.s8 %f0, 0xff", 0xbf800000},
        {"cvt.rn.f64.s32 %fd0, -1", UINT64_C(0xbff0000000000000)},
        {"cvt.rn.f64.u32 %fd0, 0xffffffff", UINT64_C(0x41efffffffe00000)},
        {"cvt.rn.f64.s64 %fd0, -1", UINT64_C(0xbff0000000000000)},
        {"cvt.rn.f64.u64 %fd0, 0xffffffffffffffff", UINT64_C(0x43f0000000000000)},
        {"cvt.rm.f64.u64 %fd0, 0xffffffffffffffff", UINT64_C(0x43efffffffffffff)},
        {"cvt.rn.f64.s16 %fd0, 0xffff", UINT64_C(0xbff0000000000000)},
        {"cvt.f64.f32 %fd0, 0f00000001", UINT64_C(0x36a0000000000000)},
        {"cvt.ftz.f64.f32 %fd0, 0f00000001", 0},
        {"cvt.rn.f32.f64 %f0, 0d3ff0000010000000", 0x3f800000},
        {"cvt.rp.f32.f64 %f0, 0d3ff0000010000000", 0x3f800001},
        {"cvt.rn.f32.f64 %f0, 0d7ff8000000000123", 0x7fc00000},
        {"cvt.rn.ftz.f32.f64 %f0, 0d36a0000000000000", 0},
        {"cvt.sat.f32.f32 %f0, 0f40000000", 0x3f800000},
        {"cvt.sat.f32.f32 %f0, 0f7fc00000", 0},
        {"cvt.rni.f32.f32 %f0, 0fbf000000", 0x80000000},
        {"cvt.rzi.f32.f32 %f0, 0f40200000", 0x40000000},
        {"cvt.rmi.f32.f32 %f0, 0fbf000000", 0xbf800000},
        {"cvt.rpi.f64.f64 %fd0, 0d4004000000000000", UINT64_C(0x4008000000000000)},
        {"cvt.rni.f64.f64 %fd0, 0d4004000000000000", UINT64_C(0x4000000000000000)},
    };
    EXEC_CHECK(cases);
}

Test(move, copies_packs_and_unpacks) {
    static const struct exec_case cases[] = {
        {"mov.u16 %rs0, 0x12345", 0x2345},
        {"mov.b16 %rs0, -1", 0xffff},
        {"mov.u32 %r0, 7", 7},
        {"mov.b32 %r0, 0f3f800000", 0x3f800000},
        {"mov.f32 %f0, 0f3f800000", 0x3f800000},
        {"mov.f64 %fd0, 0d3ff0000000000000", UINT64_C(0x3ff0000000000000)},
        {"mov.b64 %rd0, -2", UINT64_MAX - 1},
        {"mov.u32 %r0, WARP_SZ", 32},
        {"mov.b32 %r0, {0x1234, 0x5678}", 0x56781234},
        {"mov.b64 %rd0, {0x12345678, -1}", UINT64_C(0xffffffff12345678)},
        {"mov.b64 %rd0, {1, 2, 3, -1}", UINT64_C(0xffff000300020001)},
        {"mov.b64 {%r1, %r2}, 0xffffffff12345678; mov.u32 %r0, %r1", 0x12345678},
        {"mov.b64 {%r2, %r1}, 0xffffffff12345678; mov.u32 %r0, %r1", 0xffffffff},
        {"mov.b64 {_, %r1}, 0x9abcdef012345678; mov.u32 %r0, %r1", 0x9abcdef0},
        {"mov.b32 {%rs1, %rs2}, 0x56781234; mov.u16 %rs0, %rs2", 0x5678},
        {"mov.b64 {%rs1, %rs2, %rs3, %rs4}, 0x4444333322221111; mov.u16 %rs0, %rs4", 0x4444},
        {"mov.u32 %r1, 5; mov.b64 %rd1, {%r1, %r1}; mov.b64 {%r1, %r0}, %rd1; mov.u32 %r0, %r0", 5},
    };
    EXEC_CHECK(cases);
}

Test(move, converts_addresses) {
    static const struct exec_case cases[] = {
        {"cvta.to.global.u64 %rd0, 0x1234", 0x1234},
        {"cvta.global.u64 %rd0, 0x1234", 0x1234},
        {"cvta.const.u64 %rd0, 0x1234", 0x1234},
        {"cvta.to.const.u64 %rd0, 0x1234", 0x1234},
        {"cvta.shared.u64 %rd0, 16", SIMT_SHARED_WINDOW + 16},
        {"cvta.shared.u64 %rd1, 16; cvta.to.shared.u64 %rd0, %rd1", 16},
        {"cvta.local.u64 %rd0, 16", SIMT_LOCAL_WINDOW + 16},
        {"cvta.local.u64 %rd1, 16; cvta.to.local.u64 %rd0, %rd1", 16},
        {"cvta.shared.u64 %rd1, 16; isspacep.shared %p0, %rd1", 1},
        {"cvta.shared.u64 %rd1, 16; isspacep.local %p0, %rd1", 0},
        {"cvta.local.u64 %rd1, 16; isspacep.local %p0, %rd1", 1},
        {"isspacep.global %p0, 0x1234", 1},
        {"cvta.local.u64 %rd1, 16; isspacep.global %p0, %rd1", 0},
        {"isspacep.const %p0, 0x1234", 0},
        {"isspacep.shared::cta %p0, 0x1234", 0},
    };
    EXEC_CHECK(cases);
}

Test(move, gives_clocks_that_advance) {
    static const struct exec_case cases[] = {
        {"mov.u32 %r1, %clock; mov.u32 %r2, %clock; setp.gt.u32 %p0, %r2, %r1", 1},
        {"mov.u64 %rd1, %clock64; mov.u64 %rd2, %clock64; setp.gt.u64 %p0, %rd2, %rd1", 1},
        {"mov.u64 %rd1, %globaltimer; mov.u64 %rd2, %globaltimer; setp.gt.u64 %p0, %rd2, %rd1", 1},
        {"mov.u32 %r0, %clock_hi", 0},
        {"mov.u32 %r0, %globaltimer_hi", 0},
        {"mov.u32 %r1, %globaltimer_lo; setp.ne.u32 %p0, %r1, 0", 1},
    };
    EXEC_CHECK(cases);
}

Test(convert, keeps_of_a_nan_what_there_is_room_for) {
    static const struct exec_case cases[] = {
        {"cvt.rn.f32.f64 %f0, 0dfff0000020000000", 0xffc00001},
        {"cvt.rz.ftz.f32.f64 %f0, 0d7ff0000020000000", 0x7fc00001},
        {"cvt.rn.sat.f32.f64 %f0, 0d7ff0000020000000", 0},
        {"cvt.f64.f32 %fd0, 0fff800001", 0xfff8000020000000},
        {"cvt.ftz.f64.f32 %fd0, 0fff800001", 0x7fffffffe0000000},
        {"cvt.f32.f32 %f0, 0fff800001", 0xff800001},
        {"cvt.rni.f32.f32 %f0, 0fff800001", 0x7fffffff},
        {"mov.b16 %rs1, 0xfd5e; cvt.f64.f16 %fd0, %rs1", 0xfffd780000000000},
        {"mov.b16 %rs1, 0xfd5e; cvt.f32.f16 %f0, %rs1", 0x7fffffff},
        {"mov.b16 %rs1, 0x7fc0; cvt.f32.bf16 %f0, %rs1", 0x7fc00000},
    };
    EXEC_CHECK(cases);
}

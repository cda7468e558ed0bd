/*
 * What the simulator does not run (README.md, "What it does not run"), row by row: the module
 * loads, its other kernels run, and the launch of the kernel that holds it is one error that names
 * it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/program/isa/opcodes.h"
#include "common/simt/simt.h"

static const char head[] = ".version 9.0\n.target sm_100a\n.address_size 64\n"
                           ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, "
                           ".param .b64 b);\n"
                           ".visible .entry fine() { ret; }\n";

static const char registers[] = ".reg .pred %p<4>; .reg .b16 %rs<8>; .reg .b32 %r<40>;\n"
                                ".reg .b64 %rd<8>; .reg .f32 %f<40>; .reg .b128 %q<4>;\n"
                                ".reg .b32 %h<8>;\n.shared .align 128 .b8 tile[1024];\n";

struct row {
    enum isa_family family;
    const char *statement; /* that the kernel holds */
    const char *named;     /* what the error has to name */
};

static const struct row rows[] = {
    {ISA_OUTSIDE_TEXTURES, "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]", "tex.2d"},
    {ISA_OUTSIDE_TEXTURES, "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]",
     "tld4.r"},
    {ISA_OUTSIDE_TEXTURES, "txq.width.b32 %r1, [%rd1]", "txq.width"},
    {ISA_OUTSIDE_TEXTURES, "suld.b.2d.b32.trap {%r1}, [%rd1, {%r2, %r3}]", "suld.b"},
    {ISA_OUTSIDE_TEXTURES, "sust.b.2d.b32.trap [%rd1, {%r2, %r3}], {%r1}", "sust.b"},
    {ISA_OUTSIDE_TEXTURES, "sured.b.add.2d.u32.trap [%rd1, {%r2, %r3}], %r1", "sured.b"},
    {ISA_OUTSIDE_TEXTURES, "suq.width.b32 %r1, [%rd1]", "suq.width"},
    {ISA_OUTSIDE_TENSOR_CORES,
     "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, "
     "{%f5, %f6, %f7, %f8}",
     "mma.sync"},
    {ISA_OUTSIDE_TENSOR_CORES,
     "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, "
     "[%rd1], %r9",
     "wmma.load.a"},
    {ISA_OUTSIDE_TENSOR_CORES, "wgmma.fence.sync.aligned", "wgmma.fence"},
    {ISA_OUTSIDE_TENSOR_CORES, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned",
     "tcgen05.relinquish"},
    {ISA_OUTSIDE_TENSOR_CORES, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3]",
     "ldmatrix"},
    {ISA_OUTSIDE_TENSOR_CORES, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r1}", "stmatrix"},
    {ISA_OUTSIDE_CLUSTERS,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
     "[%r1], [%rd1], %r2, [%r3], %rs1",
     "cp.async.bulk"},
    {ISA_OUTSIDE_TENSOR_COPIES,
     "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.tile [%r1], "
     "[%rd1, {%r2}], [%r3]",
     "cp.async.bulk.tensor"},
    {ISA_OUTSIDE_TENSOR_COPIES,
     "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], %r2, %rs1",
     "cp.async.bulk"},
    {ISA_OUTSIDE_TENSOR_COPIES,
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], %r2",
     "cp.reduce.async"},
    {ISA_OUTSIDE_TENSOR_COPIES,
     "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3]", "st.async"},
    {ISA_OUTSIDE_TENSOR_COPIES,
     "red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%r1], "
     "%r2, [%r3]",
     "red.async"},
    {ISA_OUTSIDE_WIDE_REGISTERS, "ld.global.b128 %q1, [%rd1]", "ld.global.b128"},
    {ISA_OUTSIDE_VIDEO, "vadd.s32.s32.s32 %r1, %r2, %r3", "vadd.s32"},
    {ISA_OUTSIDE_VIDEO, "vset4.s32.s32.lt %r1, %r2, %r3, %r4", "vset4"},
    {ISA_OUTSIDE_NARROW_FLOATS, "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2", "e4m3x2"},
    {ISA_OUTSIDE_NARROW_FLOATS, "cvt.rn.f16x2.e5m2x2 %r1, %rs1", "e5m2x2"},
    {ISA_OUTSIDE_STACKS, "alloca.u64 %rd1, %rd2, 16", "alloca.u64"},
    {ISA_OUTSIDE_STACKS, "stacksave.u64 %rd1", "stacksave"},
    {ISA_OUTSIDE_STACKS, "stackrestore.u64 %rd1", "stackrestore"},
    {ISA_OUTSIDE_PACKING, "cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3, %r4", "cvt.pack"},
    {ISA_OUTSIDE_WARPGROUP_REGISTERS, "setmaxnreg.inc.sync.aligned.u32 240", "setmaxnreg"},
    {ISA_OUTSIDE_SEVERAL_GPUS, "multimem.ld_reduce.global.add.f32 %f1, [%rd1]", "multimem"},
    {ISA_OUTSIDE_TENSOR_COPIES,
     "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2", "tensormap"},
};

/* Of these the message does not say the family, which is not told by the opcode. */
static const struct row untold[] = {
    {ISA_OUTSIDE_CLUSTERS,
     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r4], %r2, "
     "[%r3]",
     "cp.async.bulk"},
    {ISA_OUTSIDE_LAUNCHES,
     "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd1; st.param.b64 [b], "
     "%rd1; call.uni (r), cudaLaunchDeviceV2, (a, b); ld.param.b32 %r1, [r]; }",
     "cudaLaunchDeviceV2"},
    {ISA_OUTSIDE_COUNTERS, "mov.u32 %r1, %pm0", "%pm0"},
    {ISA_OUTSIDE_COUNTERS, "mov.u64 %rd1, %pm7_64", "%pm7_64"},
};

/* Of these the module can't be loaded. */
static const struct row unparsed[] = {
    {ISA_OUTSIDE_VIDEO, "vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1", ".b0"},
    {ISA_OUTSIDE_REGISTER_PARAMETERS, "} .func (.reg .u32 r) twice(.reg .u32 a) { add.u32 r, a, a",
     "register"},
};

/* On a simulator of its own, which the caller destroys; NULL where the module can't be loaded. */
static struct simt_module *load(const char *ptx, struct simt **simt, struct simt_diag *diag) {
    struct simt_options options;
    simt_default_options(&options);
    *simt = simt_create(&options);
    return simt_module_load(*simt, ptx, strlen(ptx), diag);
}

static enum simt_status launch(struct simt *simt, struct simt_module *module, const char *name,
                               struct simt_diag *diag) {
    const struct simt_dim3 one = {1, 1, 1}, warp = {32, 1, 1};
    struct simt_kernel *kernel = simt_kernel_find(module, name);
    cr_assert_not_null(kernel);
    return simt_launch(simt, kernel, one, warp, 0, NULL, diag);
}

static void check(const char *ptx, const char *family, const char *named) {
    struct simt *simt;
    struct simt_diag diag;
    struct simt_module *module = load(ptx, &simt, &diag);
    cr_expect_not_null(module, "%s: PTX line %u: %s", named, diag.line, diag.message);
    if (module) {
        enum simt_status status = launch(simt, module, "outside", &diag);
        cr_expect_eq(status, SIMT_UNSUPPORTED, "%s: status %d: %s", named, (int)status,
                     diag.message);
        cr_expect_not_null(strstr(diag.message, named), "%s: \"%s\"", named, diag.message);
        cr_expect_not_null(strstr(diag.message, family), "%s: \"%s\"", family, diag.message);
        cr_expect_eq(launch(simt, module, "fine", &diag), SIMT_OK, "%s", diag.message);
    }
    simt_destroy(simt);
}

static void check_statement(const struct row *row, const char *family) {
    char ptx[4096];
    snprintf(ptx, sizeof ptx, "%s.visible .entry outside() {\n%s%s;\nret;\n}\n", head, registers,
             row->statement);
    check(ptx, family, row->named);
}

Test(outside, each_instruction_is_an_error_that_names_it_and_its_family) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_statement(&rows[i], isa_families[rows[i].family]);
    for (size_t i = 0; i < sizeof untold / sizeof *untold; i++)
        check_statement(&untold[i], "");
}

Test(outside, each_family_has_a_case) {
    bool has_case[ISA_N_FAMILIES] = {true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        has_case[rows[i].family] = true;
    for (size_t i = 0; i < sizeof untold / sizeof *untold; i++)
        has_case[untold[i].family] = true;
    for (size_t i = 0; i < sizeof unparsed / sizeof *unparsed; i++)
        has_case[unparsed[i].family] = true;
    for (size_t i = 0; i < ISA_N_FAMILIES; i++)
        cr_expect(has_case[i], "%s", isa_families[i]);
}

Test(outside, a_cluster_of_several_blocks_is_an_error_that_names_it) {
    char ptx[1024];
    snprintf(ptx, sizeof ptx,
             "%s.visible .entry outside() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n",
             head);
    check(ptx, "", "clusters of 2 blocks");
}

Test(outside, a_kernel_that_is_only_declared_is_none) {
    static const char ptx[] =
        ".version 9.0\n.target sm_75\n.address_size 64\n"
        ".entry k(.param .u32 a);\n.entry later();\n.entry later() { ret; }\n";
    struct simt *simt;
    struct simt_diag diag;
    struct simt_module *module = load(ptx, &simt, &diag);
    cr_assert_not_null(module, "%s", diag.message);
    cr_expect_null(simt_kernel_find(module, "k"));
    cr_expect_eq(launch(simt, module, "later", &diag), SIMT_OK, "%s", diag.message);
    simt_destroy(simt);
}

static void check_runs(const char *ptx) {
    struct simt *simt;
    struct simt_diag diag;
    struct simt_module *module = load(ptx, &simt, &diag);
    cr_assert_not_null(module, "%s", diag.message);
    cr_expect_eq(launch(simt, module, "k", &diag), SIMT_OK, "%s", diag.message);
    simt_destroy(simt);
}

Test(outside, a_cluster_of_one_block_is_none) {
    check_runs(".version 9.0\n.target sm_90\n.address_size 64\n"
               ".visible .entry k() .explicitcluster .reqnctapercluster 1, 1, 1 "
               "{ barrier.cluster.arrive; barrier.cluster.wait; ret; }\n");
}

Test(outside, hints_are_nothing_to_run) {
    check_runs(
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k() { .reg .b64 %rd<2>; .reg .b32 %r<2>; .local .align 4 .b8 x[4];\n"
        "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0; mov.u64 %rd0, x;\n"
        "cvta.local.u64 %rd0, %rd0; st.L2::cache_hint.u32 [%rd0], 3, %rd1;\n"
        "ld.L2::cache_hint.u32 %r0, [%rd0], %rd1; pmevent 1; ret; }\n");
}

Test(outside, what_is_not_parsed_is_named_with_its_line) {
    for (size_t i = 0; i < sizeof unparsed / sizeof *unparsed; i++) {
        struct simt *simt;
        struct simt_diag diag;
        char ptx[4096];
        snprintf(ptx, sizeof ptx, "%s.visible .entry outside() {\n%s%s;\nret;\n}\n", head,
                 registers, unparsed[i].statement);
        cr_expect_null(load(ptx, &simt, &diag));
        cr_expect_not_null(strstr(diag.message, unparsed[i].named), "%s", diag.message);
        cr_expect_gt(diag.line, 0);
        simt_destroy(simt);
    }
}

Test(outside, shared_memory_of_another_block_is_an_illegal_address) {
    static const char ptx[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
        ".reg .b32 %r<4>; .shared .align 4 .b8 tile[128];\n"
        "mov.u32 %r1, tile; mapa.shared::cluster.u32 %r2, %r1, RANK;\n"
        "st.shared::cluster.u32 [%r2], 7; ret; }\n";
    const struct {
        char rank;
        enum simt_status status;
    } cases[] = {{'0', SIMT_OK}, {'1', SIMT_ILLEGAL_ADDRESS}};
    for (size_t i = 0; i < 2; i++) {
        struct simt_options options;
        struct simt_diag diag;
        char text[sizeof ptx];
        memcpy(text, ptx, sizeof ptx);
        memcpy(strstr(text, "RANK"), (char[]){cases[i].rank, ' ', ' ', ' '}, 4);
        simt_default_options(&options);
        options.checks = false;
        struct simt *simt = simt_create(&options);
        struct simt_module *module = simt_module_load(simt, text, strlen(text), &diag);
        cr_assert_not_null(module, "%s", diag.message);
        cr_expect_eq(launch(simt, module, "k", &diag), cases[i].status, "%s", diag.message);
        simt_destroy(simt);
    }
}

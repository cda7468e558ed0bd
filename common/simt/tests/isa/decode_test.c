/*
 * Decoding: rows, constants, parameters, variables, control flow, barriers, what is unsupported.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/isa/cases.h"

/* A whole module, for kernels with variables and parameters of their own. */
struct kernel {
    struct ptx_module *module;
    struct simt_program *program;
    struct simt_diag diag;
};

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"lab.cu\"\n"
#define REGS                                                                                       \
    ".reg .pred %p<8>;\n.reg .b16 %rs<8>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .f32 "        \
    "%f<8>;\n"

static bool resolve(void *context, const char *name, struct simt_symbol *symbol) {
    (void)context;
    symbol->space = PTX_GLOBAL;
    symbol->address = 0x7000;
    return strcmp(name, "table") == 0;
}

/* The kernel k of a text, until the next one. */
static struct kernel decode(const char *text) {
    static struct kernel kernel;
    simt_program_free(kernel.program);
    ptx_free(kernel.module);
    kernel.module = ptx_parse(text, strlen(text), &kernel.diag);
    cr_assert(kernel.module, "%s", kernel.diag.message);
    const struct ptx_function *const function = ptx_find_function(kernel.module, "k");
    kernel.program = simt_decode(kernel.module, function, resolve, NULL, &kernel.diag);
    return kernel;
}

static const struct simt_constant *constant_at(const struct simt_program *program, uint32_t row) {
    for (uint32_t i = 0; i < program->n_constants; i++) {
        if (program->constants[i].row == row)
            return &program->constants[i];
    }
    cr_assert(false, "row %u holds no constant", row);
    return NULL;
}

Test(decode, gives_registers_rows_of_their_own) {
    struct kernel k = decode(HEAD ".entry k() {" REGS "add.u64 %rd1, %rd2, %rd2;\n"
                                  "cvt.u64.u32 %rd1, %r1;\nmov.pred %p1, -1;\nret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    cr_expect(k.program->n_insns == 4 && k.program->n_preds >= 1);
    cr_expect(insns[0].a == insns[0].b && insns[0].d != insns[0].a);
    cr_expect(insns[0].d == insns[1].d && insns[1].a != insns[0].a);
    cr_expect(insns[0].a % 64 == 0 && insns[1].a % 64 == 0);
    cr_expect(k.program->row_file_bytes >= 256 + 256 + 128);
    cr_expect(k.program->row_file_bytes % 64 == 0);
    cr_expect(insns[2].d < k.program->n_preds);
    cr_expect(insns[0].flow == SIMT_FLOW_NEXT && insns[3].flow == SIMT_FLOW_EXIT);
    cr_expect(insns[0].guard == -1 && insns[0].source == &insns[0].source[0]);
}

Test(decode, keeps_a_constant_once) {
    struct kernel k =
        decode(HEAD ".entry k() {" REGS "add.u32 %r1, %r1, 5;\nadd.u32 %r2, %r2, 5;\n"
                    "add.u32 %r2, %r2, -1;\nadd.s32 %r2, %r2, 0xffffffff;\n"
                    "add.u64 %rd2, %rd2, 5;\nadd.f32 %f1, %f1, 0f3f800000;\nret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    cr_expect(k.program->n_constants == 4);
    cr_expect(insns[0].b == insns[1].b && insns[2].b == insns[3].b && insns[4].b != insns[0].b);
    cr_expect(constant_at(k.program, insns[0].b)->value == 5);
    cr_expect(constant_at(k.program, insns[2].b)->value == 0xffffffff);
    cr_expect(constant_at(k.program, insns[4].b)->bytes == 8);
    cr_expect(constant_at(k.program, insns[5].b)->value == 0x3f800000);
}

Test(decode, makes_parameters_constants) {
    struct kernel k = decode(HEAD ".entry k(.param .u64 k_0, .param .s16 k_1, "
                                  ".param .align 8 .b8 k_2[16]) {" REGS
                                  "ld.param.u64 %rd1, [k_0];\nld.param.s16 %r1, [k_1];\n"
                                  "ld.param.v2.u32 {%r2, %r3}, [k_2+8];\n"
                                  "ld.param.u32 %r4, [k_2+8];\nld.param.u32 %r4, [k_2+16];\n"
                                  "ret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    const struct simt_constant *const first = constant_at(k.program, insns[0].a);
    const struct simt_constant *const second = constant_at(k.program, insns[1].a);
    cr_expect(first->is_param && first->value == 0 && first->param_bytes == 8 && first->bytes == 8);
    cr_expect(second->is_param && second->is_signed && second->value == 8);
    cr_expect(second->param_bytes == 2 && second->bytes == 4);
    cr_expect(constant_at(k.program, insns[2].b)->value == 28);
    cr_expect(insns[3].a == insns[2].a, "the same parameter bytes are one row");
    cr_expect(insns[4].flow == SIMT_FLOW_UNSUPPORTED, "past the end of the parameter");
}

Test(decode, loads_parameters_in_the_lanes_that_are_on) {
    struct exec_bench bench;
    struct simt_diag diag;
    cr_assert(exec_bench_init(&bench, EXEC_ISA_PORTABLE,
                              "ld.param.u64 %rd1, [k_1]; mov.u64 %rd0, %rd1", &diag));
    exec_bench_reset(&bench, false); /* puts offsets where the engine puts values */
    exec_bench_run(&bench, 0xff);
    cr_expect(exec_bench_result(&bench, 7) == 8);
    cr_expect(exec_bench_result(&bench, 8) == exec_bench_pattern(&bench));
    exec_bench_finish(&bench);
}

Test(decode, lays_out_shared_and_local_variables) {
    struct kernel k =
        decode(HEAD ".extern .shared .align 16 .b8 tile[];\n.shared .align 4 .b8 unused[64];\n"
                    ".entry k() {" REGS ".local .align 16 .b8 depot[40];\n"
                    ".shared .align 1 .b8 flag[1];\n.shared .align 8 .b8 sums[24];\n"
                    "mov.u32 %r1, tile;\nmov.u32 %r2, flag;\nld.shared.u64 %rd1, [sums+8];\n"
                    "mov.u64 %rd2, depot;\nst.shared.u32 [tile+4], 7;\nret;\n}\n");
    const struct simt_program *const program = k.program;
    cr_expect(constant_at(program, program->insns[1].a)->value == 0);
    cr_expect(program->insns[2].imm == 16 && program->insns[2].a == SIMT_NO_ROW);
    cr_expect(constant_at(program, program->insns[0].a)->value == 32);
    cr_expect(program->insns[4].imm == 36);
    cr_expect(program->static_shared_bytes == 32 && program->local_bytes == 40);
    cr_expect(program->n_shared == 3);
    cr_expect_str_eq(program->shared[2].name, "tile");
    cr_expect(program->shared[2].bytes == 0 && program->shared[1].offset == 8);
}

Test(decode, asks_for_other_symbols) {
    struct kernel k = decode(HEAD ".global .align 4 .b8 table[16];\n.entry k() {" REGS
                                  "mov.u64 %rd1, table;\nld.global.u32 %r1, [table+8];\n"
                                  "ld.global.u32 %r1, [%rd1+-4];\nret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    cr_expect(constant_at(k.program, insns[0].a)->value == 0x7000);
    cr_expect(insns[1].imm == 0x7008 && insns[1].space == PTX_GLOBAL);
    cr_expect(insns[2].imm == -4 && insns[2].a == insns[0].d && insns[2].address_bytes == 8);
}

Test(decode, refuses_a_symbol_that_nobody_places) {
    struct kernel k = decode(HEAD ".global .align 4 .b8 other[16];\n.entry k() {" REGS
                                  "mov.u64 %rd1, other;\nret;\n}\n");
    cr_expect(!k.program && k.diag.status == SIMT_BAD_PTX);
    cr_expect(strstr(k.diag.message, "\"other\""), "%s", k.diag.message);
}

Test(decode, describes_memory_accesses) {
    struct kernel k = decode(
        HEAD ".entry k() {" REGS "ld.global.nc.v4.u32 {%r1, _, %r3, %r4}, [%rd1+16];\n"
             "st.shared.u8 [%r1], %rs2;\nst.global.v2.f32 [%rd1], {%f1, 0f3f800000};\n"
             "atom.global.add.u32 %r1, [%rd1], 1;\natom.shared.cas.b64 %rd2, [%r1+8], %rd3, 0;\n"
             "red.global.add.u32 [%rd1], %r2;\nld.u32 %r1, [%rd1];\nret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    cr_expect(insns[0].flow == SIMT_FLOW_MEMORY && insns[0].n_elements == 4);
    cr_expect(insns[0].rows[1] == SIMT_NO_ROW && insns[0].rows[3] != SIMT_NO_ROW);
    cr_expect(insns[0].type == PTX_U32 && insns[0].imm == 16 && insns[0].register_bytes == 4);
    cr_expect(insns[1].space == PTX_SHARED && insns[1].address_bytes == 4);
    cr_expect(insns[2].n_elements == 2);
    cr_expect(constant_at(k.program, insns[2].rows[1])->value == 0x3f800000);
    cr_expect(constant_at(k.program, insns[3].b)->value == 1 && insns[3].d == insns[0].rows[0]);
    cr_expect(insns[4].register_bytes == 8 && insns[4].c != SIMT_NO_ROW && insns[4].imm == 8);
    cr_expect(insns[5].d == SIMT_NO_ROW && insns[5].b != SIMT_NO_ROW);
    cr_expect(insns[6].space == PTX_GENERIC);
}

Test(decode, describes_control_flow) {
    struct kernel k =
        decode(HEAD ".entry k() {" REGS "@!%p1 bra DONE;\nLOOP:\nadd.u32 %r1, %r1, 1;\n"
                    "@%p2 bra LOOP;\nDONE:\nmembar.gl;\nfence.acq_rel.gpu;\n"
                    "prefetch.global.L2 [%rd1];\nnanosleep.u32 5;\n"
                    "@%p1 exit;\ntrap;\nret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    cr_expect(insns[0].flow == SIMT_FLOW_BRANCH && insns[0].target == 3);
    cr_expect(insns[0].reconverge == 3 && insns[0].guard_negated && insns[0].guard >= 0);
    cr_expect(insns[2].target == 1 && insns[2].is_back_edge && insns[2].guard != insns[0].guard);
    for (unsigned i = 3; i < 7; i++)
        cr_expect(insns[i].flow == SIMT_FLOW_NEXT);
    cr_expect(insns[7].flow == SIMT_FLOW_EXIT && insns[7].guard == insns[0].guard);
    cr_expect(insns[8].flow == SIMT_FLOW_TRAP);
}

Test(decode, describes_barriers) {
    struct kernel k = decode(
        HEAD ".entry k() {" REGS "bar.sync 0;\nbarrier.sync.aligned 3, 64;\nbar.arrive %r1, %r2;\n"
             "bar.red.popc.u32 %r1, 0, !%p1;\nbarrier.cta.red.and.pred %p2, 1, 96, %p1;\n"
             "bar.warp.sync 0xff;\nbar.red.or.pred %p2, 0, %p1;\nret;\n}\n");
    const struct simt_insn *const insns = k.program->insns;
    cr_expect(insns[0].flow == SIMT_FLOW_BARRIER && insns[0].type == SIMT_BARRIER_SYNC);
    cr_expect(insns[0].imm == 0 && insns[0].a == SIMT_NO_ROW && insns[0].b == SIMT_NO_ROW);
    cr_expect(insns[1].imm == 3 && constant_at(k.program, insns[1].b)->value == 64);
    cr_expect(insns[2].type == SIMT_BARRIER_ARRIVE && insns[2].a != SIMT_NO_ROW);
    cr_expect(insns[3].type == SIMT_BARRIER_POPC && insns[3].imm_flags == SIMT_INVERTED);
    cr_expect(insns[3].d == insns[2].a && insns[3].b == SIMT_NO_ROW);
    cr_expect(insns[4].type == SIMT_BARRIER_AND && insns[4].imm == 1 && insns[4].imm_flags == 0);
    cr_expect(insns[4].c == insns[3].c && constant_at(k.program, insns[4].b)->value == 96);
    cr_expect(insns[5].flow == SIMT_FLOW_SYNC);
    cr_expect(constant_at(k.program, insns[5].rows[0])->value == 0xff);
    cr_expect(insns[6].type == SIMT_BARRIER_OR && insns[6].d == insns[4].d);
}

Test(decode, gives_rows_to_special_registers_that_are_read) {
    struct kernel k = decode(HEAD ".entry k() {" REGS "mov.u32 %r1, %tid.x;\n"
                                  "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.z;\nret;\n}\n");
    const struct simt_program *const program = k.program;
    cr_expect(program->special_rows[SIMT_SPECIAL_TID_X] == program->insns[0].a);
    cr_expect(program->insns[0].a == program->insns[1].a);
    cr_expect(program->special_rows[SIMT_SPECIAL_CTAID_Z] == program->insns[2].a);
    cr_expect(program->special_rows[SIMT_SPECIAL_TID_Y] == SIMT_NO_ROW);
}

Test(decode, names_the_first_unsupported_instruction) {
    struct kernel k = decode(HEAD ".entry k() {" REGS ".loc 1 42 3\nadd.u32 %r1, %r1, 1;\n"
                                  "cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3, %r3;\ntex.1d.v4.s32.s32 "
                                  "{%r1, %r2, %r3, %r4}, [%rd1, {%r1}];\n"
                                  "ret;\n}\n");
    cr_assert(k.program);
    cr_expect(k.program->unsupported == &k.program->insns[1]);
    cr_expect(k.program->insns[1].flow == SIMT_FLOW_UNSUPPORTED);
    cr_expect(k.program->insns[2].flow == SIMT_FLOW_UNSUPPORTED);
    cr_expect(k.diag.status == SIMT_UNSUPPORTED && k.diag.line == 42);
    cr_expect_str_eq(k.diag.file, "lab.cu");
    cr_expect(strstr(k.diag.message, "cvt.pack.sat.s8.s32.b32 %r1"), "%s", k.diag.message);
}

#define SIXTEEN         "abcdefghijklmnop"
#define LONGER_THAN_ANY SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN

/* Each must be refused: an operand or a modifier that no variant takes. */
Test(decode, refuses_what_no_variant_takes) {
    static const char *const texts[] = {
        LONGER_THAN_ANY " %r0, %r1",
        LONGER_THAN_ANY ".sat.s32 %r0, %r1",
        "add." LONGER_THAN_ANY ".s32 %r0, %r1, %r2",
        "add.rn.sat." SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN ".abcdefghijk %r0, %r1, %r2",
        "add.u32 %r0, %r1, %rd2",
        "add.u32 %rd0, %r1, %r2",
        "add.s32 %r0, %r1",
        "setp.foo.s32 %p0, 1, 2",
        "lop3.b32 %r0, 1, 2, 3, %r1",
        "mov.u64 %rd0, %tid.x",
        "bar.sync 16",
        "cvt.pack.sat.s8.s32.b32 %r0, 1, 2, 3",
        "mbarrier.arrive.b64 %r0, [%rd0]",
        "mbarrier.test_wait.b64 %r0, [%rd0], %rd1",
        "add.u32 %r0, %p1, 1",
        "shl.b32 %r0, %r1, %rd2",
        "st.param.u32 [k_0], %r1",
        "not.b32 %r0, !%r1",
        "atom.global.add.v2.f32 %f0, [%rd0], {%f1, %f2}",
        "atom.global.add.v2.f32 {%f0, %f1, %f2, %f3}, [%rd0], {%f1, %f2}",
        "red.global.add.noftz.v4.f16 [%rd0], {%rs0, %rs1, %rs2}",
        "red.global.add.v8.f32 [%rd0], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct exec_bench bench;
        struct simt_diag diag;
        cr_expect(!exec_bench_init(&bench, EXEC_ISA_PORTABLE, texts[i], &diag), "%s", texts[i]);
        exec_bench_finish(&bench);
    }
}

static bool is_fresh(const struct simt_program *program, uint32_t place, uint32_t bytes) {
    bool found = false;
    for (uint32_t i = 0; i < program->n_live_in; i++)
        found |= program->live_in[i].place == place && program->live_in[i].bytes == bytes;
    return found;
}

Test(decode, lists_what_a_path_reads_before_it_writes) {
    struct kernel k = decode(HEAD ".entry k() {" REGS "mov.u32 %r1, 0;\n"
                                  "L: add.u32 %r2, %r2, %r1;\n"
                                  "@!%p1 mov.u32 %r3, 1;\n"
                                  "add.u32 %r1, %r3, 1;\n"
                                  "setp.ne.u32 %p2, %r1, 9;\n"
                                  "@%p2 bra L;\n"
                                  "ld.global.v2.u32 {%r4, %r5}, [%rd1];\n"
                                  "@%p2 bra M;\n"
                                  "add.u32 %r6, %r4, %r5;\n"
                                  "M: mov.b64 {%r0, %r7}, %rd2;\n"
                                  "add.u32 %r7, %r6, %r7;\n"
                                  "shfl.sync.down.b32 %r7, %r0, 1, 31, -1;\n"
                                  "ret;\n}\n");
    const struct simt_program *const program = k.program;
    const struct simt_insn *const insns = program->insns;
    cr_expect(is_fresh(program, insns[1].d, 128), "read in the first round, written for the next");
    cr_expect(is_fresh(program, (uint32_t)insns[2].guard, 0), "a guard");
    cr_expect(is_fresh(program, insns[2].d, 128), "written under a guard");
    cr_expect(is_fresh(program, insns[6].a, 256), "an address");
    cr_expect(is_fresh(program, insns[8].d, 128), "written on one of two ways");
    cr_expect(is_fresh(program, insns[9].a, 256), "a vector's source");
    cr_expect(is_fresh(program, insns[11].a, 128), "what other lanes read");
    cr_expect_eq(program->n_live_in, 7, "%u", program->n_live_in);
}

Test(decode, takes_the_portable_operations_where_it_is_told_to) {
    setenv("SIMT_ISA", "portable", 1);
    cr_expect_eq(exec_isa_choose(), EXEC_ISA_PORTABLE);
    unsetenv("SIMT_ISA");
    enum exec_isa best = exec_isa_runs(EXEC_ISA_AVX2) ? EXEC_ISA_AVX2 : EXEC_ISA_PORTABLE;
    cr_expect_eq(exec_isa_choose(), best);
}

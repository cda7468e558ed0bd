/*
 * A warp without an engine: instructions run one after the other, whatever their flow is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/isa/cases.h"

static const char head[] = ".version 9.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u32 k_0, .param .u64 k_1)\n{\n"
                           ".reg .pred %p<8>;\n.reg .b16 %rs<8>;\n.reg .b32 %r<8>;\n"
                           ".reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n.reg .f64 %fd<8>;\n";

/* The engine's part of the contract: no case touches memory. */
bool simt_memory_op(struct simt_insn *insn, const struct ptx_insn *source) {
    (void)insn;
    (void)source;
    return true;
}

bool exec_bench_init(struct exec_bench *bench, enum exec_isa isa, const char *text,
                     struct simt_diag *diag) {
    char ptx[4096];
    memset(bench, 0, sizeof(*bench));
    memset(diag, 0, sizeof(*diag));
    const int length = snprintf(ptx, sizeof(ptx), "%s%s;\nret;\n}\n", head, text);
    bench->module = ptx_parse(ptx, (size_t)length, diag);
    if (!bench->module)
        return false;
    bench->program =
        exec_decode_for(isa, bench->module, &bench->module->functions[0], NULL, NULL, diag);
    if (!bench->program || bench->program->unsupported)
        return false;
    bench->last = &bench->program->insns[bench->program->n_insns - 2];
    bench->x = aligned_alloc(64, sizeof(*bench->x));
    memset(bench->x, 0, sizeof(*bench->x));
    bench->x->rows = aligned_alloc(64, bench->program->row_file_bytes + 64);
    bench->x->preds = calloc(bench->program->n_preds + 1, sizeof(uint32_t));
    return true;
}

void exec_bench_finish(struct exec_bench *bench) {
    if (bench->x) {
        free(bench->x->rows);
        free(bench->x->preds);
    }
    free(bench->x);
    simt_program_free(bench->program);
    ptx_free(bench->module);
}

static void set_cell(struct simt_exec *x, uint32_t row, unsigned bytes, unsigned lane,
                     uint64_t value) {
    memcpy(x->rows + row + lane * bytes, &value, bytes);
}

void exec_bench_reset(struct exec_bench *bench, bool uneven) {
    const struct simt_program *const program = bench->program;
    struct simt_exec *const x = bench->x;
    memset(x->rows, 0xa5, program->row_file_bytes);
    memset(x->preds, 0xa5, program->n_preds * sizeof(uint32_t));
    for (uint32_t i = 0; i < program->n_constants; i++) {
        const struct simt_constant *const constant = &program->constants[i];
        for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
            const uint64_t other = uneven && lane % 2 ? lane * UINT64_C(0x9e3779b97f4a7c15) : 0;
            set_cell(x, constant->row, constant->bytes, lane, constant->value ^ other);
        }
    }
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
        const uint32_t *const rows = program->special_rows;
        if (rows[SIMT_SPECIAL_LANEID] != SIMT_NO_ROW)
            set_cell(x, rows[SIMT_SPECIAL_LANEID], 4, lane, lane);
    }
}

void exec_bench_give(struct exec_bench *bench, uint64_t literal,
                     const uint64_t values[SIMT_LANES]) {
    bool found = false;
    for (uint32_t i = 0; i < bench->program->n_constants; i++) {
        const struct simt_constant *const constant = &bench->program->constants[i];
        if (constant->value != literal)
            continue;
        found = true;
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            set_cell(bench->x, constant->row, constant->bytes, lane, values[lane]);
    }
    cr_assert(found, "no constant %llx", (unsigned long long)literal);
}

void exec_bench_run(struct exec_bench *bench, uint32_t mask) {
    struct simt_exec *const x = bench->x;
    x->mask = mask;
    for (unsigned i = 0; i < SIMT_LANES; i++)
        x->lanes[i] = 0u - (mask >> i & 1);
    for (const struct simt_insn *insn = bench->program->insns; insn <= bench->last; insn++)
        (mask == UINT32_MAX ? insn->run_full : insn->run_part)(x, insn);
}

/* The register that the last instruction writes. */
static enum ptx_type target_type(const struct exec_bench *bench) {
    const int32_t reg = bench->last->source->operands[0].reg;
    return bench->program->function->regs[reg].type;
}

uint64_t exec_bench_result(const struct exec_bench *bench, unsigned lane) {
    const enum ptx_type type = target_type(bench);
    if (type == PTX_PRED)
        return bench->x->preds[bench->last->d] >> lane & 1;
    const unsigned bytes = ptx_type_bytes(type), cell = bytes > 4 ? 8 : 4;
    uint64_t value = 0;
    memcpy(&value, bench->x->rows + bench->last->d + lane * cell, bytes);
    return value;
}

uint64_t exec_bench_pattern(const struct exec_bench *bench) {
    const enum ptx_type type = target_type(bench);
    return type == PTX_PRED ? UINT64_MAX
                            : UINT64_C(0xa5a5a5a5a5a5a5a5) >> (64 - 8 * ptx_type_bytes(type));
}

/* One run: `mask` lanes must have the result, those that are off what they had. */
static void check_run(struct exec_bench *bench, const struct exec_case *wanted, uint32_t mask,
                      bool uneven) {
    exec_bench_reset(bench, uneven);
    exec_bench_run(bench, mask);
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
        const uint64_t got = exec_bench_result(bench, lane);
        const uint64_t kept =
            target_type(bench) == PTX_PRED ? 0xa5a5a5a5u >> lane & 1 : exec_bench_pattern(bench);
        if (mask >> lane & 1 && !(uneven && lane % 2))
            cr_expect(got == wanted->expected, "%s: lane %u of mask %08x: %llx instead of %llx",
                      wanted->text, lane, mask, (unsigned long long)got,
                      (unsigned long long)wanted->expected);
        if (!(mask >> lane & 1))
            cr_expect(got == kept, "%s: lane %u is off and was written: %llx", wanted->text, lane,
                      (unsigned long long)got);
    }
}

void exec_check(const struct exec_case *cases, size_t n_cases) {
    for (int isa = 0; isa < EXEC_N_ISAS; isa++) {
        for (size_t i = 0; exec_isa_runs((enum exec_isa)isa) && i < n_cases; i++) {
            struct exec_bench bench;
            struct simt_diag diag;
            const bool decoded = exec_bench_init(&bench, (enum exec_isa)isa, cases[i].text, &diag);
            cr_expect(decoded, "%s: %s", cases[i].text, diag.message);
            if (decoded) {
                const bool gathers = bench.last->flow == SIMT_FLOW_SYNC;
                check_run(&bench, &cases[i], UINT32_MAX, false);
                check_run(&bench, &cases[i], UINT32_MAX, !gathers);
                check_run(&bench, &cases[i], UINT32_C(0x55555555), !gathers);
            }
            exec_bench_finish(&bench);
        }
    }
}

/*
 * Tests on what the installed nvcc makes of samples/language.cu and of lab 01's model answer. The
 * build compiles them and names the results in the environment.
 */
#include "common/simt/program/ptx/ptx.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sample {
    char *text;
    size_t bytes;
    struct ptx_module *module;
};

static struct sample load(const char *variable) {
    struct sample sample = {NULL, 0, NULL};
    const char *path = getenv(variable);
    cr_assert_not_null(path, "%s is not set", variable);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    sample.text = malloc(16 << 20);
    cr_assert_not_null(sample.text);
    sample.bytes = fread(sample.text, 1, (16 << 20) - 1, file);
    sample.text[sample.bytes] = '\0';
    fclose(file);
    struct simt_diag diag;
    sample.module = ptx_parse(sample.text, sample.bytes, &diag);
    cr_assert_not_null(sample.module, "%s:%u: %s", path, diag.line, diag.message);
    return sample;
}

static void unload(struct sample *sample) {
    ptx_free(sample->module);
    free(sample->text);
}

static const struct ptx_function *function(const struct sample *sample, const char *name) {
    const struct ptx_function *found = ptx_find_function(sample->module, name);
    cr_assert_not_null(found, "%s", name);
    return found;
}

static const struct ptx_insn *find(const struct ptx_function *in, enum isa_opcode opcode) {
    for (size_t i = 0; i < in->n_insns; i++)
        if (in->insns[i].opcode == opcode)
            return &in->insns[i];
    cr_assert_fail("%s has no %s", in->name, isa_opcodes[opcode].word);
    return NULL;
}

static void check_operand(const struct ptx_function *in, const struct ptx_insn *insn,
                          const struct ptx_operand *operand) {
    cr_expect_lt(operand->reg, (int32_t)in->n_regs, "%s", insn->text);
    if (operand->kind == PTX_OP_REG)
        cr_expect_geq(operand->reg, 0, "%s", insn->text);
    if (operand->kind == PTX_OP_LABEL)
        cr_expect(operand->integer >= 0 && operand->integer < (int64_t)in->n_insns, "%s",
                  insn->text);
    for (size_t i = 0; i < operand->n_elements; i++)
        check_operand(in, insn, &operand->elements[i]);
}

/* What must hold of any function. */
static void check_function(const struct sample *sample, const struct ptx_function *in) {
    for (size_t i = 0; i < in->n_insns; i++) {
        const struct ptx_insn *insn = &in->insns[i];
        for (unsigned k = 0; k < insn->n_operands; k++)
            check_operand(in, insn, &insn->operands[k]);
        cr_expect_not_null(ptx_file_path(sample->module, insn->file), "%s: %s", in->name,
                           insn->text);
        cr_expect_gt(insn->line, 0, "%s: %s", in->name, insn->text);
    }
}

static void check_module(const struct sample *sample) {
    for (size_t f = 0; f < sample->module->n_functions; f++)
        if (!sample->module->functions[f].is_declaration)
            check_function(sample, &sample->module->functions[f]);
}

Test(ptx_nvcc, parses_the_model_answer_whole) {
    struct sample sample = load("PTX_MODEL_ANSWER");
    check_module(&sample);
    size_t n_insns = 0, n_lines = 0;
    for (size_t f = 0; f < sample.module->n_functions; f++)
        n_insns += sample.module->functions[f].n_insns;
    /* It calls nothing, so that each instruction is a line that starts with a tab and a letter. */
    for (const char *line = sample.text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        n_lines += line[0] == '\t' && (line[1] == '@' || (line[1] >= 'a' && line[1] <= 'z'));
    }
    cr_expect_gt(n_insns, 30);
    cr_expect_eq(n_insns, n_lines, "%zu instructions, %zu lines", n_insns, n_lines);
    unload(&sample);
}

Test(ptx_nvcc, parses_every_part_of_the_language) {
    struct sample sample = load("PTX_LANGUAGE");
    check_module(&sample);
    unload(&sample);
}

Test(ptx_nvcc, finds_variables_and_their_addresses) {
    struct sample sample = load("PTX_LANGUAGE");
    const struct ptx_var *table = ptx_find_var(sample.module, "table");
    const struct ptx_var *weights = ptx_find_var(sample.module, "weights");
    const struct ptx_var *dynamic = ptx_find_var(sample.module, "dynamic");
    cr_assert(table && weights && dynamic);
    cr_expect_eq(table->bytes, 48);
    cr_assert_eq(table->n_fixups, 4, "two names, two functions");
    for (size_t i = 0; i < 4; i++)
        cr_expect(ptx_find_var(sample.module, table->fixups[i].symbol) ||
                  ptx_find_function(sample.module, table->fixups[i].symbol));
    double weight;
    memcpy(&weight, table->init + 40, sizeof weight);
    cr_expect_eq(weight, -2);
    static const float wanted[2][3] = {{1, 2, 0}, {3, 4, 5}};
    cr_expect_eq(weights->space, PTX_CONST);
    cr_expect_arr_eq(weights->init, wanted, sizeof wanted);
    cr_expect_eq(dynamic->space, PTX_SHARED);
    cr_expect(dynamic->is_extern && !dynamic->bytes);
    unload(&sample);
}

Test(ptx_nvcc, reads_signatures) {
    struct sample sample = load("PTX_LANGUAGE");
    const struct ptx_function *kernel = function(&sample, "warp_kernel");
    cr_assert_eq(kernel->n_params, 3);
    cr_expect_eq(kernel->params[2].bytes, 16);
    cr_expect_eq(kernel->params[2].offset, 16);
    cr_expect_eq(kernel->param_bytes, 32);
    cr_expect_eq(kernel->max_cta_threads, 256);
    cr_expect(function(&sample, "vprintf")->is_declaration);
    unload(&sample);
}

Test(ptx_nvcc, reads_calls_through_pointers) {
    struct sample sample = load("PTX_LANGUAGE");
    const struct ptx_function *kernel = function(&sample, "call_kernel");
    size_t n_direct = 0, n_indirect = 0;
    for (size_t i = 0; i < kernel->n_insns; i++) {
        const struct ptx_insn *insn = &kernel->insns[i];
        if (insn->opcode != ISA_CALL)
            continue;
        const struct ptx_operand *callee =
            &insn->operands[insn->operands[0].kind == PTX_OP_LIST ? 1 : 0];
        n_direct += callee->kind == PTX_OP_SYMBOL &&
                    ptx_find_function(sample.module, callee->symbol) != NULL;
        n_indirect += callee->kind == PTX_OP_REG && insn->n_operands == 4;
    }
    cr_expect_eq(n_direct, 3, "__assertfail, factorial, vprintf");
    cr_expect_eq(n_indirect, 1);
    unload(&sample);
}

Test(ptx_nvcc, keeps_pieces_of_inline_assembly_apart) {
    struct sample sample = load("PTX_LANGUAGE");
    const struct ptx_function *kernel = function(&sample, "assembly_kernel");
    const struct ptx_insn *first = find(kernel, ISA_BRA), *second = first + 1;
    while (second < kernel->insns + kernel->n_insns && second->opcode != ISA_BRA)
        second++;
    cr_assert_lt(second, kernel->insns + kernel->n_insns);
    cr_expect_neq(first->guard, second->guard, "both are called q");
    cr_expect_neq(first->operands[0].integer, second->operands[0].integer, "both say DONE");
    unload(&sample);
}

Test(ptx_nvcc, counts_intrinsics_for_the_line_that_calls_them) {
    struct sample sample = load("PTX_LANGUAGE");
    const struct ptx_insn *shfl = find(function(&sample, "warp_kernel"), ISA_SHFL);
    const char *path = ptx_file_path(sample.module, shfl->file);
    cr_assert_not_null(path);
    cr_expect_not_null(strstr(path, "language.cu"), "%s", path);
    cr_expect(shfl->paired);
    unload(&sample);
}

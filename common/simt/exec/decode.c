/*
 * Decodes a kernel: one record an instruction, in the same order.
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/simt/exec/decoder.h"

/* Says which instruction can't be run, in the student's file where the line is known. */
static void explain_unsupported(const struct exec_decoder *decoder, const struct ptx_insn *source) {
    struct simt_diag *const diag = decoder->diag;
    if (!diag)
        return;
    const char *const path = ptx_file_path(decoder->module, source->file);
    diag->status = SIMT_UNSUPPORTED;
    diag->line = source->line;
    snprintf(diag->file, sizeof(diag->file), "%s", path ? path : "");
    snprintf(diag->message, sizeof(diag->message),
             "The simulator does not run the instruction \"%s\" (line %u of the PTX).",
             source->text ? source->text : source->opcode, source->ptx_line);
}

/* A record without operands, with what every instruction has. */
static struct simt_insn blank_insn(const struct exec_decoder *decoder, uint32_t index) {
    const struct ptx_insn *const source = &decoder->function->insns[index];
    struct simt_insn insn = {
        .run_full = exec_nothing,
        .run_part = exec_nothing,
        .d = SIMT_NO_ROW,
        .a = SIMT_NO_ROW,
        .b = SIMT_NO_ROW,
        .c = SIMT_NO_ROW,
        .d2 = SIMT_NO_ROW,
        .guard = source->guard >= 0 ? (int32_t)decoder->places[source->guard] : -1,
        .guard_negated = source->guard_negated,
        .is_back_edge = decoder->graph->is_back_edge[index],
        .rows = {SIMT_NO_ROW, SIMT_NO_ROW, SIMT_NO_ROW, SIMT_NO_ROW},
        .target = FLOW_EXIT,
        .reconverge = decoder->graph->reconverge[index],
        .source = source,
        .index = index,
    };
    return insn;
}

static void decode_insn(struct exec_decoder *decoder, uint32_t index) {
    struct simt_program *const program = decoder->program;
    struct simt_insn *const insn = &program->insns[index];
    *insn = blank_insn(decoder, index);
    exec_form *form = exec_form_find(insn->source->opcode);
    if (!form)
        form = exec_form_operation;
    if (form(decoder, insn, insn->source) || decoder->failed)
        return;
    *insn = blank_insn(decoder, index);
    insn->flow = SIMT_FLOW_UNSUPPORTED;
    if (!program->unsupported) {
        program->unsupported = insn;
        explain_unsupported(decoder, insn->source);
    }
}

static bool decode_body(struct exec_decoder *decoder) {
    struct simt_program *const program = decoder->program;
    if (!exec_place_registers(decoder) || !exec_place_variables(decoder))
        return false;
    for (uint32_t i = 0; i < program->n_insns && !decoder->failed; i++)
        decode_insn(decoder, i);
    return !decoder->failed;
}

static struct simt_program *new_program(const struct ptx_module *module,
                                        const struct ptx_function *function) {
    struct simt_program *const program = calloc(1, sizeof(*program));
    struct simt_insn *const insns = calloc(function->n_insns + 1, sizeof(*insns));
    if (!program || !insns) {
        free(program);
        free(insns);
        return NULL;
    }
    program->module = module;
    program->function = function;
    program->insns = insns;
    program->n_insns = (uint32_t)function->n_insns;
    for (unsigned i = 0; i < SIMT_N_SPECIALS; i++)
        program->special_rows[i] = SIMT_NO_ROW;
    return program;
}

/* The diagnostic of a decoder that failed; layout.c has named an unknown symbol already. */
static void explain_failure(struct simt_diag *diag, enum simt_status status) {
    if (!diag)
        return;
    diag->status = status == SIMT_OK ? SIMT_NO_MEMORY : status;
    if (diag->status == SIMT_NO_MEMORY)
        snprintf(diag->message, sizeof(diag->message), "%s",
                 "The host has no memory to decode the kernel.");
}

struct simt_program *exec_decode_for(enum exec_isa isa, const struct ptx_module *module,
                                     const struct ptx_function *function, simt_resolve *resolve,
                                     void *context, struct simt_diag *diag) {
    struct flow_graph *const graph = flow_build(function);
    struct exec_index *const index = exec_index_create(isa);
    struct exec_decoder decoder = {
        .module = module,
        .function = function,
        .resolve = resolve,
        .context = context,
        .diag = diag,
        .index = index,
        .graph = graph,
        .program = new_program(module, function),
    };
    if (!graph || !index || !decoder.program || !decode_body(&decoder)) {
        explain_failure(diag, decoder.failed);
        simt_program_free(decoder.program);
        decoder.program = NULL;
    }
    free(decoder.places);
    free(decoder.locals);
    exec_index_free(index);
    flow_free(graph);
    return decoder.program;
}

struct simt_program *simt_decode(const struct ptx_module *module,
                                 const struct ptx_function *function, simt_resolve *resolve,
                                 void *context, struct simt_diag *diag) {
    const enum exec_isa isa = exec_isa_runs(EXEC_ISA_AVX2) ? EXEC_ISA_AVX2 : EXEC_ISA_PORTABLE;
    return exec_decode_for(isa, module, function, resolve, context, diag);
}

void simt_program_free(struct simt_program *program) {
    if (!program)
        return;
    free(program->insns);
    free(program->constants);
    free(program->shared);
    free(program);
}

/*
 * Decodes a kernel: one record an instruction, in the same order.
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/simt/program/decode/decoder.h"

void simt_explain_unsupported(const struct simt_program *program, struct simt_diag *diag) {
    const struct ptx_insn *const source = program->unsupported->source;
    const enum isa_family family =
        isa_family_of(source->opcode, source->modifiers, source->n_modifiers);
    const char *const path = ptx_file_path(program->module, source->file);
    diag->status = SIMT_UNSUPPORTED;
    diag->line = source->line;
    snprintf(diag->file, sizeof(diag->file), "%s", path ? path : "");
    snprintf(diag->message, sizeof(diag->message),
             "The simulator does not run the instruction \"%.200s\" (PTX line %u)%s%s. Run this on "
             "a GPU, or write it another way.",
             source->text, source->ptx_line, family == ISA_INSIDE ? "" : ": it has no ",
             isa_families[family]);
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
    const struct ptx_insn *const source = insn->source;
    const enum isa_family family =
        isa_family_of(source->opcode, source->modifiers, source->n_modifiers);
    exec_form *const form =
        decoder->fusions[index].how ? exec_form_fused : exec_form_of(source->opcode);
    if ((family == ISA_INSIDE && form(decoder, insn, source)) || decoder->failed)
        return;
    *insn = blank_insn(decoder, index);
    insn->flow = SIMT_FLOW_UNSUPPORTED;
    if (!program->unsupported)
        program->unsupported = insn;
}

static bool decode_body(struct exec_decoder *decoder) {
    struct simt_program *const program = decoder->program;
    if (!exec_place_registers(decoder) || !exec_place_params(decoder) ||
        !exec_place_variables(decoder))
        return false;
    for (uint32_t i = 0; i < program->n_insns && !decoder->failed; i++)
        decode_insn(decoder, i);
    return !decoder->failed && exec_find_live_in(decoder);
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
    program->frame_row = SIMT_NO_ROW;
    for (unsigned i = 0; i < SIMT_N_SPECIALS; i++)
        program->special_rows[i] = SIMT_NO_ROW;
    return program;
}

/* Decodes one function; `base` is what the functions of a kernel have in common. */
static struct simt_program *decode_function(const struct exec_decoder *base,
                                            const struct ptx_function *function,
                                            const struct simt_program *kernel,
                                            enum simt_status *failed) {
    struct flow_graph *const graph = flow_build(function);
    struct exec_decoder decoder = *base;
    decoder.function = function;
    decoder.graph = graph;
    decoder.kernel = kernel;
    decoder.program = new_program(base->module, function);
    decoder.fusions = graph ? exec_contract(function, graph) : NULL;
    if (!decoder.fusions || !decoder.program || !decode_body(&decoder)) {
        *failed = decoder.failed ? decoder.failed : SIMT_NO_MEMORY;
        simt_program_free(decoder.program);
        decoder.program = NULL;
    }
    free(decoder.fusions);
    free(decoder.places);
    free(decoder.locals);
    flow_free(graph);
    return decoder.program;
}

/* The kernel, then its callees. */
static struct simt_program *decode_all(const struct exec_decoder *base, enum simt_status *failed) {
    const struct exec_reach *const reach = base->reach;
    struct simt_program *const kernel = decode_function(base, reach->functions[0], NULL, failed);
    if (!kernel || reach->n == 1)
        return kernel;
    kernel->callees = calloc(reach->n, sizeof(struct simt_program *));
    bool ok = kernel->callees != NULL;
    for (uint32_t i = 1; ok && i < reach->n; i++) {
        struct simt_program *const callee =
            decode_function(base, reach->functions[i], kernel, failed);
        ok = callee != NULL;
        if (ok)
            kernel->callees[kernel->n_callees++] = callee;
    }
    if (ok && exec_link(kernel, reach))
        return kernel;
    *failed = *failed ? *failed : SIMT_NO_MEMORY;
    simt_program_free(kernel);
    return NULL;
}

/* The diagnostic of a decoder that failed; layout.c has named an unknown symbol already. */
static void explain_failure(struct simt_diag *diag, enum simt_status status) {
    if (!diag)
        return;
    diag->status = status;
    if (diag->status == SIMT_NO_MEMORY)
        snprintf(diag->message, sizeof(diag->message), "%s",
                 "The host has no memory to decode the kernel.");
}

struct simt_program *exec_decode_for(enum exec_isa isa, const struct ptx_module *module,
                                     const struct ptx_function *function, simt_resolve *resolve,
                                     void *context, struct simt_diag *diag) {
    struct exec_index *const index = exec_index_create(isa);
    struct exec_reach reach = {0};
    const struct exec_decoder base = {
        .module = module,
        .resolve = resolve,
        .context = context,
        .diag = diag,
        .index = index,
        .reach = &reach,
    };
    struct simt_program *program = NULL;
    enum simt_status failed = SIMT_OK;
    if (!index || !exec_reach_find(&reach, module, function))
        failed = SIMT_NO_MEMORY;
    else
        program = decode_all(&base, &failed);
    if (failed)
        explain_failure(diag, failed);
    else if (program->unsupported && diag)
        simt_explain_unsupported(program, diag);
    free(reach.functions);
    exec_index_free(index);
    return program;
}

struct simt_program *simt_decode(const struct ptx_module *module,
                                 const struct ptx_function *function, simt_resolve *resolve,
                                 void *context, struct simt_diag *diag) {
    return exec_decode_for(exec_isa_choose(), module, function, resolve, context, diag);
}

void simt_program_free(struct simt_program *program) {
    if (!program)
        return;
    for (uint32_t i = 0; i < program->n_callees; i++)
        simt_program_free(program->callees[i]);
    for (uint32_t i = 0; i < program->n_calls; i++)
        free(program->calls[i].arguments);
    for (struct simt_vector *vector = program->vectors, *next; vector; vector = next) {
        next = vector->next;
        free(vector);
    }
    free(program->callees);
    free(program->calls);
    free(program->params);
    free(program->insns);
    free(program->constants);
    free(program->live_in);
    free(program->shared);
    free(program);
}

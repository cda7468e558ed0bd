/*
 * Functions that call each other: which of them a kernel may reach, where the arguments of a call
 * are, and how the kernel and its callees become one program.
 *
 * A kernel may reach what it calls by name, and what that calls; behind an indirect call any
 * function of the module may stand. Parameters and results are bytes of the stack frames: a call
 * copies the arguments from the caller's frame to the callee's, a return copies the result back.
 * All functions of a kernel lie in one array of instructions, so that counters and findings know an
 * instruction by one index.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/decode/decoder.h"

static const struct ptx_operand *callee_operand(const struct ptx_insn *call) {
    for (unsigned i = 0; i < call->n_operands; i++) {
        if (call->operands[i].kind != PTX_OP_LIST)
            return &call->operands[i];
    }
    return NULL;
}

/* The function that a call names; NULL where it is indirect. */
static const struct ptx_function *callee_of(const struct ptx_module *module,
                                            const struct ptx_insn *call) {
    const struct ptx_operand *const operand = callee_operand(call);
    return operand && operand->kind == PTX_OP_SYMBOL ? ptx_find_function(module, operand->symbol)
                                                     : NULL;
}

static void add(struct exec_reach *reach, const struct ptx_function *function) {
    if (!function || function->is_declaration)
        return;
    for (uint32_t i = 0; i < reach->n; i++) {
        if (reach->functions[i] == function)
            return;
    }
    reach->functions[reach->n++] = function;
}

static void add_callees(struct exec_reach *reach, const struct ptx_module *module,
                        const struct ptx_function *function) {
    for (size_t i = 0; i < function->n_insns; i++) {
        const struct ptx_insn *const insn = &function->insns[i];
        if (isa_opcodes[insn->opcode].flow != ISA_FLOW_CALL)
            continue;
        const struct ptx_operand *const operand = callee_operand(insn);
        if (operand && operand->kind == PTX_OP_REG)
            reach->any = true;
        add(reach, callee_of(module, insn));
    }
}

bool exec_reach_find(struct exec_reach *reach, const struct ptx_module *module,
                     const struct ptx_function *kernel) {
    *reach = (struct exec_reach){.functions = calloc(module->n_functions + 1, sizeof(kernel))};
    if (!reach->functions)
        return false;
    add(reach, kernel);
    bool added_all = false;
    for (uint32_t i = 0; i < reach->n; i++) {
        add_callees(reach, module, reach->functions[i]);
        for (size_t k = 0; reach->any && !added_all && k < module->n_functions; k++) {
            if (!module->functions[k].is_entry)
                add(reach, &module->functions[k]);
        }
        added_all = reach->any;
    }
    return true;
}

static struct simt_slot slot_of(const struct exec_decoder *decoder, const char *name) {
    for (uint32_t i = 0; i < decoder->n_locals; i++) {
        const struct simt_placed *const local = &decoder->locals[i];
        if (strcmp(local->name, name) == 0)
            return (struct simt_slot){local->offset, (uint32_t)local->bytes};
    }
    return (struct simt_slot){0};
}

bool exec_place_params(struct exec_decoder *decoder) {
    const struct ptx_function *const function = decoder->function;
    struct simt_program *const program = decoder->program;
    if (function->is_entry)
        return true;
    (void)exec_frame_row(decoder);
    program->params = calloc(function->n_params + 1, sizeof(*program->params));
    bool ok = program->params != NULL;
    for (size_t i = 0; ok && i < function->n_params; i++) {
        ok = exec_place_local(decoder, &function->params[i]);
        program->params[i] = slot_of(decoder, function->params[i].name);
    }
    if (ok && function->n_results == 1) {
        ok = exec_place_local(decoder, &function->results[0]);
        program->result = slot_of(decoder, function->results[0].name);
    }
    return ok;
}

static struct simt_call *new_call(struct exec_decoder *decoder) {
    struct simt_program *const program = decoder->program;
    void *const array = exec_grown(decoder, program->calls, program->n_calls, &decoder->calls_room,
                                   sizeof(*program->calls));
    if (!array)
        return NULL;
    program->calls = array;
    program->calls[program->n_calls] = (struct simt_call){0};
    return &program->calls[program->n_calls++];
}

/* The places of a list's variables. False when one is no .param variable. */
static bool fill_slots(struct exec_decoder *decoder, const struct ptx_operand *list,
                       struct simt_slot *slots) {
    for (size_t i = 0; i < list->n_elements; i++) {
        if (list->elements[i].kind != PTX_OP_SYMBOL)
            return false;
        slots[i] = slot_of(decoder, list->elements[i].symbol);
        if (slots[i].bytes == 0)
            return false;
    }
    return true;
}

static bool fill_arguments(struct exec_decoder *decoder, struct simt_call *call,
                           const struct ptx_operand *list) {
    call->arguments = calloc(list->n_elements + 1, sizeof(*call->arguments));
    call->n_arguments = call->arguments ? (uint32_t)list->n_elements : 0;
    if (!call->arguments)
        decoder->failed = SIMT_NO_MEMORY;
    return call->arguments && fill_slots(decoder, list, call->arguments);
}

enum simt_builtin simt_builtin_of(const struct ptx_function *function) {
    static const char *const names[] = {
#define NAME(name, word) [SIMT_BUILTIN_##name] = (word),
        SIMT_BUILTINS(NAME)
#undef NAME
    };
    for (size_t i = 1; function->is_declaration && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], function->name) == 0)
            return (enum simt_builtin)i;
    }
    return SIMT_NO_BUILTIN;
}

EXEC_FORM(exec_form_call) {
    insn->flow = SIMT_FLOW_CALL;
    insn->imm = decoder->program->n_calls;
    struct simt_call *const call = new_call(decoder);
    if (!call)
        return false;
    unsigned next = 0;
    if (next < source->n_operands && source->operands[next].kind == PTX_OP_LIST) {
        const struct ptx_operand *const list = &source->operands[next++];
        if (list->n_elements != 1 || !fill_slots(decoder, list, &call->result))
            return false;
    }
    if (next == source->n_operands)
        return false;
    const struct ptx_operand *const target = &source->operands[next++];
    call->callee = callee_of(decoder->module, source);
    if (target->kind == PTX_OP_REG)
        insn->a = exec_source_row(decoder, target, PTX_B64);
    if (call->callee ? call->callee->is_declaration && !simt_builtin_of(call->callee)
                     : insn->a == SIMT_NO_ROW)
        return false;
    return next == source->n_operands || source->operands[next].kind != PTX_OP_LIST ||
           fill_arguments(decoder, call, &source->operands[next]);
}

/* Moves an instruction to where it is `first` further on. */
static void shift(struct simt_insn *insn, uint32_t first, uint32_t first_call) {
    const bool is_branch = insn->flow == SIMT_FLOW_BRANCH || insn->flow == SIMT_FLOW_SWITCH;
    insn->index += first;
    if (is_branch)
        insn->target += first;
    if (is_branch && insn->reconverge != FLOW_EXIT)
        insn->reconverge += first;
    if (insn->flow == SIMT_FLOW_CALL)
        insn->imm += first_call;
}

static bool append(struct simt_program *kernel, struct simt_program *callee) {
    const uint32_t first = kernel->n_insns, n = callee->n_insns;
    struct simt_insn *const insns =
        realloc(kernel->insns, (first + n + 1) * sizeof(*kernel->insns));
    if (!insns)
        return false;
    kernel->insns = insns;
    struct simt_call *const calls =
        realloc(kernel->calls, (kernel->n_calls + callee->n_calls + 1) * sizeof(*kernel->calls));
    if (!calls)
        return false;
    kernel->calls = calls;
    for (uint32_t i = 0; i < n; i++) {
        insns[first + i] = callee->insns[i];
        shift(&insns[first + i], first, kernel->n_calls);
    }
    if (callee->n_calls)
        memcpy(calls + kernel->n_calls, callee->calls, callee->n_calls * sizeof(*calls));
    kernel->n_calls += callee->n_calls;
    kernel->n_insns += n;
    callee->first = first;
    callee->n_calls = 0;
    free(callee->insns);
    callee->insns = NULL;
    return true;
}

static const struct simt_program *find(const struct simt_program *kernel,
                                       const struct ptx_function *function) {
    for (uint32_t i = 0; i < kernel->n_callees; i++) {
        if (kernel->callees[i]->function == function)
            return kernel->callees[i];
    }
    return NULL;
}

/* Bytes of the deepest stack from this function on; 0 when it is deeper than any without recursion.
 */
static uint32_t stack_from(const struct simt_program *kernel, const struct simt_program *program,
                           uint32_t depth) {
    uint32_t deepest = 0;
    if (depth > kernel->n_callees)
        return 0;
    for (uint32_t i = 0; i < program->n_insns; i++) {
        const struct simt_insn *const insn = &kernel->insns[program->first + i];
        if (insn->flow != SIMT_FLOW_CALL)
            continue;
        const struct simt_program *const callee = find(kernel, kernel->calls[insn->imm].callee);
        const uint32_t bytes = callee ? stack_from(kernel, callee, depth + 1) : 1;
        if (bytes == 0)
            return 0;
        deepest = bytes > deepest ? bytes : deepest;
    }
    return ((program->local_bytes + 15) & ~15u) + deepest + 1;
}

bool exec_link(struct simt_program *kernel, const struct exec_reach *reach) {
    struct simt_program own = *kernel;
    for (uint32_t i = 0; i < kernel->n_callees; i++) {
        if (!append(kernel, kernel->callees[i]))
            return false;
    }
    kernel->unsupported = NULL;
    for (uint32_t i = kernel->n_insns; i-- > 0;) {
        if (kernel->insns[i].flow == SIMT_FLOW_UNSUPPORTED)
            kernel->unsupported = &kernel->insns[i];
    }
    kernel->stack_bytes = reach->any ? 0 : stack_from(kernel, &own, 0);
    return true;
}

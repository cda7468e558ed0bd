/*
 * Calls and what they hand over. Parameters and results are bytes of the stack frames: a call
 * copies the arguments from the caller's frame to the callee's, a return copies the result back.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/decode/decoder.h"

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

bool exec_form_call(struct exec_decoder *decoder, struct simt_insn *insn,
                    const struct ptx_insn *source) {
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
    call->callee = exec_callee(decoder->module, source);
    if (target->kind == PTX_OP_REG)
        insn->a = exec_source_row(decoder, target, PTX_B64);
    if (call->callee ? call->callee->is_declaration && !simt_builtin_of(call->callee)
                     : insn->a == SIMT_NO_ROW)
        return false;
    return next == source->n_operands || source->operands[next].kind != PTX_OP_LIST ||
           fill_arguments(decoder, call, &source->operands[next]);
}

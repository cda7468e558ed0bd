/*
 * The functions that a kernel may reach: those that it calls by name, and theirs; behind an
 * indirect call any function of the module may stand.
 */
#include <stdlib.h>

#include "common/simt/decode/decoder.h"

static const struct ptx_operand *callee_operand(const struct ptx_insn *call) {
    for (unsigned i = 0; i < call->n_operands; i++) {
        if (call->operands[i].kind != PTX_OP_LIST)
            return &call->operands[i];
    }
    return NULL;
}

const struct ptx_function *exec_callee(const struct ptx_module *module,
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
        add(reach, exec_callee(module, insn));
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

/*
 * Puts a kernel and its callees together: one array of instructions, so that counters and findings
 * know an instruction by one index, and one of calls.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/decode/decoder.h"

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

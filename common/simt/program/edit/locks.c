/*
 * Edits of fences, and of what hands data to other blocks; and locks, which edits must not switch
 * off: a compare-and-swap of two numbers, of which one says that the lock is free.
 */
#include "common/simt/program/edit/rewrite.h"

static bool is_of_cta(const struct ptx_insn *insn) {
    return ptx_has(insn, ISA_DOT_CTA) || ptx_has(insn, ISA_DOT_CLUSTER);
}

static bool is_fence(const struct ptx_insn *insn) {
    return insn->opcode == ISA_MEMBAR || insn->opcode == ISA_FENCE;
}

/* A fence or a strong access, which may lie in global memory, for threads of the same cta alone. */
static bool is_narrow(const struct ptx_insn *insn) {
    return is_of_cta(insn) &&
           (is_fence(insn) || (edit_is_access(insn) && !ptx_has(insn, ISA_DOT_SHARED)));
}

void edit_scope(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const enum isa_modifier wide = insn->opcode == ISA_MEMBAR ? ISA_DOT_GL : ISA_DOT_GPU;
    if (is_narrow(insn) && !edit_exchange(body, insn, ISA_DOT_CTA, wide))
        edit_exchange(body, insn, ISA_DOT_CLUSTER, wide);
}

/* The number that an operand is or holds. */
static bool find_number(const struct ptx_function *function, const struct ptx_operand *operand,
                        int64_t *number) {
    const struct ptx_operand *value = edit_value_of(function, operand);
    *number = value->kind == PTX_OP_INT ? value->integer : 0;
    return value->kind == PTX_OP_INT;
}

struct lock {
    int64_t is_free, is_held;
};

static bool find_lock(const struct ptx_function *function, const struct ptx_insn *insn,
                      struct lock *lock) {
    return insn->opcode == ISA_ATOM && ptx_has(insn, ISA_DOT_CAS) && insn->n_operands == 4 &&
           find_number(function, &insn->operands[2], &lock->is_free) &&
           find_number(function, &insn->operands[3], &lock->is_held) &&
           lock->is_free != lock->is_held;
}

bool edit_has_lock(const struct ptx_function *function) {
    struct lock lock;
    for (size_t i = 0; i < function->n_insns; i++)
        if (find_lock(function, &function->insns[i], &lock))
            return true;
    return false;
}

static bool names(const struct ptx_operand *operand, int32_t reg) {
    for (size_t i = 0; i < operand->n_elements; i++)
        if (names(&operand->elements[i], reg))
            return true;
    return operand->reg == reg;
}

/* True where an instruction reads what an atomic gave: not all that count something ask for it. */
static bool is_asked_for(const struct ptx_function *function, const struct ptx_insn *atomic) {
    const int32_t result = atomic->opcode == ISA_ATOM ? atomic->operands[0].reg : -1;
    for (size_t i = 0; result >= 0 && i < function->n_insns; i++) {
        const struct ptx_insn *insn = &function->insns[i];
        if (insn == atomic)
            continue;
        if (insn->guard == result)
            return true;
        for (unsigned k = 0; k < insn->n_operands; k++)
            if (names(&insn->operands[k], result))
                return true;
    }
    return false;
}

/* What gives a lock back, or tells others by its value: a strong store, an exchange, or an atomic
 * whose result is asked for; in a kernel with a lock each, but for the one that takes it. One that
 * only adds something tells nobody of anything. */
static bool tells_others(const struct ptx_function *function, const struct ptx_insn *insn) {
    struct lock lock;
    return !find_lock(function, insn, &lock) &&
           (ptx_has(insn, ISA_DOT_EXCH) || edit_has_lock(function) || is_asked_for(function, insn));
}

static bool is_release(const struct ptx_function *function, const struct ptx_insn *insn) {
    const enum isa_memory memory = isa_opcodes[insn->opcode].memory;
    if (!edit_is_access(insn) || ptx_has(insn, ISA_DOT_SHARED))
        return false;
    return memory == ISA_MEMORY_ATOMIC
               ? tells_others(function, insn)
               : memory == ISA_MEMORY_STORE && (ptx_modifier_traits(insn) & ISA_STRONG);
}

void edit_fence(struct edit_body *body, size_t index) {
    static const enum isa_modifier device[4] = {ISA_DOT_GL};
    if (is_release(body->function, &body->function->insns[index]) &&
        !edit_is_put(body, index, false))
        edit_put_before(body, index, edit_insn(body, ISA_MEMBAR, device, NULL, 0));
}

/* Whether a branch goes back to the lock: at once where it is taken, or by another one on the way
 * that it does not jump over. */
enum ways { NO_LOOP, WAITS_IF_TAKEN, WAITS_IF_NOT };
static enum ways find_ways(const struct ptx_function *function, size_t lock, size_t branch) {
    const struct ptx_insn *insn = &function->insns[branch];
    const uint32_t target = flow_n_targets(insn) == 1 ? flow_target(insn, 0) : 0;
    if (flow_n_targets(insn) != 1)
        return NO_LOOP;
    if (target <= lock)
        return WAITS_IF_TAKEN;
    for (size_t i = branch + 1; i < target && i < function->n_insns; i++)
        for (uint32_t k = 0; k < flow_n_targets(&function->insns[i]); k++)
            if (flow_target(&function->insns[i], k) <= lock)
                return WAITS_IF_NOT;
    return NO_LOOP;
}

/* True for a comparison of what the swap gave with one of its two numbers that keeps waiting just
 * those who did not get the lock. */
static bool waits_rightly(const struct ptx_function *function, size_t swap, size_t test,
                          const struct lock *lock) {
    enum { NEAR = 4 };
    const struct ptx_insn *insns = function->insns, *setp = &insns[test];
    const bool is_equal = ptx_has(setp, ISA_DOT_EQ);
    int64_t number;
    if (setp->operands[0].kind != PTX_OP_REG || (!is_equal && !ptx_has(setp, ISA_DOT_NE)) ||
        !find_number(function, &setp->operands[2], &number) ||
        (number != lock->is_free && number != lock->is_held))
        return false;
    for (size_t i = test + 1; i < function->n_insns && i <= test + NEAR; i++) {
        if (insns[i].opcode != ISA_BRA || insns[i].guard != setp->operands[0].reg)
            continue;
        const enum ways ways = find_ways(function, swap, i);
        const bool is_taken_if_equal = is_equal != insns[i].guard_negated;
        const bool waits_if_equal = is_taken_if_equal == (ways == WAITS_IF_TAKEN);
        return ways != NO_LOOP && waits_if_equal == (number == lock->is_held);
    }
    return false;
}

/* The comparison of what the swap at an index gave, in a loop that is right. */
static bool find_wait(const struct ptx_function *function, size_t swap, size_t *test) {
    enum { NEAR = 8 };
    const struct ptx_insn *insns = function->insns;
    struct lock lock;
    if (!find_lock(function, &insns[swap], &lock))
        return false;
    for (*test = swap + 1; *test < function->n_insns && *test <= swap + NEAR; ++*test)
        if (insns[*test].opcode == ISA_SETP && insns[*test].n_operands == 3 &&
            insns[*test].operands[1].kind == PTX_OP_REG &&
            insns[*test].operands[1].reg == insns[swap].operands[0].reg)
            return waits_rightly(function, swap, *test, &lock);
    return false;
}

bool edit_is_wait(const struct edit_asked *asked) {
    const struct ptx_function *function = asked->function;
    size_t test;
    for (size_t i = 0; asked->has_lock && i < function->n_insns; i++) {
        if (!find_wait(function, i, &test))
            continue;
        const struct ptx_insn *own[] = {&function->insns[i], &function->insns[test]};
        for (int k = 0; k < 2; k++)
            if (own[k]->line == asked->insn->line && own[k]->file == asked->insn->file)
                return true;
    }
    return false;
}

void edit_ask_locks(struct edit_asked *asked) {
    if (is_narrow(asked->insn))
        edit_propose(asked, SIMT_EDIT_SCOPE, 0, 0);
    if (is_release(asked->function, asked->insn))
        edit_propose(asked, SIMT_EDIT_FENCE, 0, 0);
}

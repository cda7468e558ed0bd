/*
 * Edits of what a line computes: another operation, other operands, one operation less, a quotient
 * that is rounded up.
 */
#include "common/simt/program/edit/rewrite.h"

static const enum isa_opcode operations[SIMT_EDIT_N_OPERATIONS] = {
    [SIMT_EDIT_ADD] = ISA_ADD, [SIMT_EDIT_SUB] = ISA_SUB, [SIMT_EDIT_MUL] = ISA_MUL,
    [SIMT_EDIT_DIV] = ISA_DIV, [SIMT_EDIT_REM] = ISA_REM, [SIMT_EDIT_SHL] = ISA_SHL,
    [SIMT_EDIT_SHR] = ISA_SHR, [SIMT_EDIT_MIN] = ISA_MIN, [SIMT_EDIT_MAX] = ISA_MAX,
    [SIMT_EDIT_AND] = ISA_AND, [SIMT_EDIT_OR] = ISA_OR,
};

/* The operation of an instruction (enum simt_edit_operation); -1: none. */
static int64_t operation_of(const struct ptx_insn *insn) {
    for (int64_t i = 0; i < SIMT_EDIT_N_OPERATIONS; i++)
        if (operations[i] == insn->opcode && insn->n_operands == 3)
            return i;
    return -1;
}

static const enum isa_modifier bits[EDIT_N_SIGNS] = {ISA_DOT_B16, ISA_DOT_B32, ISA_DOT_B64};

/* A left shift is of bits, a right shift of numbers. */
static void exchange_shift_type(struct edit_body *body, struct ptx_insn *insn) {
    static const enum isa_modifier types[][2] = {
        {ISA_DOT_B16, ISA_DOT_U16}, {ISA_DOT_B32, ISA_DOT_U32}, {ISA_DOT_B64, ISA_DOT_U64}};
    for (int i = 0; i < 3; i++) {
        if (insn->opcode == ISA_SHR && edit_exchange(body, insn, types[i][0], types[i][1]))
            return;
        if (insn->opcode == ISA_SHL && (edit_exchange(body, insn, types[i][1], types[i][0]) ||
                                        edit_exchange(body, insn, edit_signs[i][1], types[i][0])))
            return;
    }
}

/* How far a power of two shifts, for the lower bits that a number masks (0x1f: 5); 0: it is no such
 * mask. */
static int64_t shift_of_mask(int64_t mask) {
    for (int64_t shift = 1; shift < 32; shift++)
        if (mask == ((int64_t)1 << shift) - 1)
            return shift;
    return 0;
}

/* A quotient by a power of two is a shift, its remainder a mask: the one becomes the other. */
static bool is_power(const struct ptx_insn *insn) {
    const struct ptx_operand *by = &insn->operands[2];
    if (by->kind != PTX_OP_INT)
        return false;
    return insn->opcode == ISA_SHR ? by->integer >= 1 && by->integer < 32
                                   : shift_of_mask(by->integer) > 0;
}

/* A sum of two indices or sizes: what may have been meant is a product, blockIdx.x * blockDim.x. */
static bool is_sum_of_specials(const struct ptx_function *function, const struct ptx_insn *insn) {
    if (insn->opcode != ISA_ADD || insn->n_operands != 3)
        return false;
    const struct edit_read one = {.function = function, .operand = &insn->operands[1]},
                           two = {.function = function, .operand = &insn->operands[2]};
    return edit_special_of(&one) >= 0 && edit_special_of(&two) >= 0;
}

/* Such a sum becomes a product, and then no other sum of its line. A sum of 64 bits that is none is
 * an address, as a rule. */
static bool may_be_product(const struct ptx_function *function, const struct ptx_insn *insn) {
    if (is_sum_of_specials(function, insn))
        return true;
    for (size_t i = 0; i < function->n_insns; i++) {
        const struct ptx_insn *other = &function->insns[i];
        if (other->line == insn->line && other->file == insn->file &&
            is_sum_of_specials(function, other))
            return false;
    }
    return ptx_type_bytes(ptx_insn_type(insn, 0)) == 4;
}

static bool names(const struct ptx_operand *operand, int32_t reg) {
    for (size_t i = 0; i < operand->n_elements; i++)
        if (names(&operand->elements[i], reg))
            return true;
    return operand->reg == reg;
}

/* True for a sum that is an access's address: the compiler adds an array's beginning to an index.
 */
static bool is_address(const struct ptx_function *function, const struct ptx_insn *insn) {
    const int32_t reg = insn->operands[0].reg;
    for (size_t i = 0; insn->opcode == ISA_ADD && reg >= 0 && i < function->n_insns; i++)
        for (unsigned k = 0; k < function->insns[i].n_operands; k++) {
            const struct ptx_operand *operand = &function->insns[i].operands[k];
            if (operand->kind == PTX_OP_ADDRESS && operand->reg == reg)
                return true;
        }
    return false;
}

/* True for an address's sum beside others in the same line: those are what somebody has written. */
static bool is_beside_the_point(const struct ptx_function *function, const struct ptx_insn *insn) {
    if (!is_address(function, insn))
        return false;
    for (size_t i = 0; i < function->n_insns; i++) {
        const struct ptx_insn *other = &function->insns[i];
        if (other->line == insn->line && other->file == insn->file && other->opcode == ISA_ADD &&
            !is_address(function, other))
            return true;
    }
    return false;
}

/* Whether edit_operation can make an instruction another operation. */
static bool may_become(const struct ptx_function *function, const struct ptx_insn *insn,
                       int64_t operation) {
    const int64_t from = operation_of(insn);
    const bool is_wide = ptx_has(insn, ISA_DOT_WIDE) || ptx_has(insn, ISA_DOT_HI);
    const bool is_float = ptx_has(insn, ISA_DOT_F32) || ptx_has(insn, ISA_DOT_F64);
    if ((from == SIMT_EDIT_SHR && operation == SIMT_EDIT_AND) ||
        (from == SIMT_EDIT_AND && operation == SIMT_EDIT_SHR))
        return is_power(insn);
    if (from == SIMT_EDIT_ADD && operation == SIMT_EDIT_MUL)
        return !is_float && may_be_product(function, insn);
    /* The others are of integers: products have a modifier of their own, quotients of floats, too.
     */
    const bool is_new = from == SIMT_EDIT_MUL || operation == SIMT_EDIT_MUL ||
                        operation == SIMT_EDIT_REM || operation == SIMT_EDIT_DIV;
    return !is_new || (!is_wide && !is_float);
}

/* Between the lower bits of a number and what stands above them. */
static void exchange_power(struct edit_body *body, struct ptx_insn *insn) {
    struct ptx_operand *by = &insn->operands[2];
    const bool is_mask = insn->opcode == ISA_AND;
    by->integer = is_mask ? shift_of_mask(by->integer) : ((int64_t)1 << by->integer) - 1;
    insn->opcode = is_mask ? ISA_SHR : ISA_AND;
    for (int i = 0; i < EDIT_N_SIGNS && !is_mask; i++)
        if (edit_exchange(body, insn, edit_signs[i][0], bits[i]) ||
            edit_exchange(body, insn, edit_signs[i][1], bits[i]))
            return;
    for (int i = 0; i < EDIT_N_SIGNS && is_mask; i++)
        if (edit_exchange(body, insn, bits[i], edit_signs[i][0]))
            return;
}

/* A product of integers says which half of it counts; nothing else does. */
static void exchange_half(struct edit_body *body, struct ptx_insn *insn) {
    unsigned n = 0;
    enum isa_modifier modifiers[4] = {ISA_DOT_LO};
    for (unsigned i = 0; i < insn->n_modifiers && n < 3; i++)
        if (insn->modifiers[i] != ISA_DOT_LO)
            modifiers[1 + n++] = insn->modifiers[i];
    const bool is_product = insn->opcode == ISA_MUL;
    const struct ptx_insn made = edit_insn(body, insn->opcode, modifiers + !is_product, NULL, 0);
    insn->modifiers = made.modifiers;
    insn->n_modifiers = made.n_modifiers;
}

void edit_operation(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const int64_t from = body->edit->from, to = body->edit->to;
    if (operation_of(insn) != from || to < 0 || to >= SIMT_EDIT_N_OPERATIONS ||
        !may_become(body->function, insn, to) || is_beside_the_point(body->function, insn))
        return;
    if (insn->opcode == ISA_AND || (insn->opcode == ISA_SHR && to == SIMT_EDIT_AND)) {
        if (to == SIMT_EDIT_OR)
            insn->opcode = ISA_OR;
        else
            exchange_power(body, insn);
        return;
    }
    insn->opcode = operations[to];
    if (from == SIMT_EDIT_MUL || to == SIMT_EDIT_MUL)
        exchange_half(body, insn);
    exchange_shift_type(body, insn);
}

void edit_operands(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    if (operation_of(insn) != body->edit->from)
        return;
    const struct ptx_operand first = insn->operands[1];
    insn->operands[1] = insn->operands[2];
    insn->operands[2] = first;
}

/* The type without a sign that has an instruction's width, as a modifier. */
static enum isa_modifier bits_of(const struct ptx_insn *insn) {
    const enum ptx_type type = ptx_insn_type(insn, 0);
    const unsigned bytes = ptx_type_bytes(type);
    return type == PTX_PRED ? ISA_DOT_PRED
           : bytes == 8     ? ISA_DOT_B64
           : bytes == 4     ? ISA_DOT_B32
                            : ISA_DOT_B16;
}

/* Whether an operation can be left out, so that its operand `operand` (1 or 2) is the result. */
static bool is_superfluous(const struct ptx_insn *insn, unsigned operand) {
    const int64_t operation = operation_of(insn);
    const bool is_one_way =
        operation == SIMT_EDIT_SUB || (operation >= SIMT_EDIT_DIV && operation <= SIMT_EDIT_SHR);
    return operation >= 0 && !ptx_has(insn, ISA_DOT_WIDE) && operand >= 1 &&
           operand <= (is_one_way ? 1u : 2u);
}

/* A load for this operation alone is left out, too: else what was never written is read all the
 * same. */
static void drop_load(struct edit_body *body, size_t index, const struct ptx_operand *operand) {
    const struct ptx_function *function = body->function;
    size_t load = 0, n_others = 0;
    if (operand->kind != PTX_OP_REG)
        return;
    for (size_t i = 0; i < function->n_insns; i++) {
        const struct ptx_insn *insn = &function->insns[i];
        const bool is_load = isa_opcodes[insn->opcode].memory == ISA_MEMORY_LOAD &&
                             insn->operands[0].reg == operand->reg && insn->guard < 0;
        bool is_named = insn->guard == operand->reg;
        for (unsigned k = 0; k < insn->n_operands; k++)
            is_named |= names(&insn->operands[k], operand->reg);
        if (is_load && i < index && body->graph->block_of[i] == body->graph->block_of[index])
            load = i + 1;
        else
            n_others += is_named && i != index;
    }
    if (load > 0 && n_others == 0)
        body->is_dropped[load - 1] = true;
}

void edit_left_out(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const unsigned stays = body->edit->to == 2 ? 2 : 1;
    if (operation_of(insn) != body->edit->from || !is_superfluous(insn, stays) ||
        is_beside_the_point(body->function, insn))
        return;
    const enum isa_modifier type[4] = {bits_of(insn)};
    const struct ptx_operand operands[] = {insn->operands[0], insn->operands[stays]};
    struct ptx_insn move = edit_insn(body, ISA_MOV, type, operands, 2);
    move.guard = insn->guard;
    move.guard_negated = insn->guard_negated;
    edit_put_before(body, index, move);
    drop_load(body, index, &insn->operands[3 - stays]);
    body->is_dropped[index] = true;
}

/* A shift to the right by so many bits divides by a number that somebody wrote; by more, it takes
 * the sign or the upper half. */
enum { MOST_SHIFTED = 10 };

/* Whether an instruction is a quotient of integers. */
static bool is_quotient(const struct ptx_insn *insn) {
    const struct ptx_operand *by = &insn->operands[2];
    bool is_integer = false;
    for (int i = 0; i < EDIT_N_SIGNS; i++)
        is_integer |= ptx_has(insn, edit_signs[i][0]) || ptx_has(insn, edit_signs[i][1]);
    if (insn->n_operands != 3 || !is_integer)
        return false;
    return insn->opcode == ISA_DIV || (insn->opcode == ISA_SHR && by->kind == PTX_OP_INT &&
                                       by->integer >= 1 && by->integer <= MOST_SHIFTED);
}

/* Whether a / 2 goes on above c is compiled as a > 2 c + 1, and with the quotient rounded up it is
 * a > 2 c: tests of loops that stand for the quotient are to follow it. */
static void follow_quotient(struct edit_body *body, int32_t a, int64_t divisor) {
    struct ptx_insn *insns = body->function->insns;
    for (size_t i = 0; i < body->function->n_insns; i++) {
        struct ptx_operand *operands = insns[i].operands;
        if (insns[i].opcode != ISA_SETP || insns[i].n_operands != 3 ||
            operands[1].kind != PTX_OP_REG || operands[1].reg != a ||
            operands[2].kind != PTX_OP_INT || !ptx_has(&insns[i], ISA_DOT_GT) ||
            (operands[2].integer + 1) % divisor != 0 ||
            edit_test_of(body->function, i) != SIMT_EDIT_LOOPS)
            continue;
        operands[2].integer -= divisor - 1;
    }
}

/* (a + b - 1) / b */
void edit_rounded(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    if (!is_quotient(insn))
        return;
    const bool is_long = ptx_type_bytes(ptx_insn_type(insn, 0)) == 8;
    const enum isa_modifier type[4] = {is_long ? ISA_DOT_U64 : ISA_DOT_U32};
    const struct ptx_operand raised =
        edit_register(body, edit_new_register(body, is_long ? PTX_B64 : PTX_B32));
    const struct ptx_operand by = insn->operands[2];
    const int64_t divisor = insn->opcode == ISA_SHR ? (int64_t)1 << by.integer : by.integer;
    const bool is_number = by.kind == PTX_OP_INT;
    const struct ptx_operand add[] = {raised, insn->operands[1],
                                      is_number ? edit_integer(divisor - 1) : by};
    const struct ptx_operand subtract[] = {raised, raised, edit_integer(1)};
    edit_put_before(body, index, edit_insn(body, ISA_ADD, type, add, 3));
    if (!is_number)
        edit_put_before(body, index, edit_insn(body, ISA_SUB, type, subtract, 3));
    if (insn->opcode == ISA_SHR && insn->operands[1].kind == PTX_OP_REG)
        follow_quotient(body, insn->operands[1].reg, divisor);
    insn->operands[1] = raised;
}

/* What is taken for what. */
void edit_ask_arithmetic(struct edit_asked *asked) {
    enum { MOST = 3 };
    static const int8_t others[SIMT_EDIT_N_OPERATIONS][MOST] = {
        [SIMT_EDIT_ADD] = {SIMT_EDIT_SUB, SIMT_EDIT_MUL, -1},
        [SIMT_EDIT_SUB] = {SIMT_EDIT_ADD, -1},
        [SIMT_EDIT_MUL] = {SIMT_EDIT_ADD, SIMT_EDIT_DIV, -1},
        [SIMT_EDIT_DIV] = {SIMT_EDIT_MUL, SIMT_EDIT_REM, -1},
        [SIMT_EDIT_REM] = {SIMT_EDIT_DIV, -1},
        [SIMT_EDIT_SHL] = {SIMT_EDIT_SHR, -1},
        [SIMT_EDIT_SHR] = {SIMT_EDIT_SHL, SIMT_EDIT_AND, -1},
        [SIMT_EDIT_MIN] = {SIMT_EDIT_MAX, -1},
        [SIMT_EDIT_MAX] = {SIMT_EDIT_MIN, -1},
        [SIMT_EDIT_AND] = {SIMT_EDIT_OR, SIMT_EDIT_SHR, -1},
        [SIMT_EDIT_OR] = {SIMT_EDIT_AND, -1},
    };
    const int64_t operation = operation_of(asked->insn);
    if (operation < 0)
        return;
    for (int i = 0; i < MOST && others[operation][i] >= 0; i++)
        if (may_become(asked->function, asked->insn, others[operation][i]))
            edit_propose(asked, SIMT_EDIT_OPERATION, operation, others[operation][i]);
    if (operation == SIMT_EDIT_SUB || (operation >= SIMT_EDIT_DIV && operation <= SIMT_EDIT_SHR))
        edit_propose(asked, SIMT_EDIT_OPERANDS, operation, 0);
    for (unsigned stays = 1; stays <= 2; stays++)
        if (is_superfluous(asked->insn, stays))
            edit_propose(asked, SIMT_EDIT_LEFT_OUT, operation, stays);
    if (is_quotient(asked->insn))
        edit_propose(asked, SIMT_EDIT_ROUNDED, 0, 0);
}

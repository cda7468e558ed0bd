/*
 * Edits of what a line compares and computes: comparisons, numbers, special registers, operations.
 */
#include <string.h>

#include "common/simt/edit/rewrite.h"

/* Comparisons in families: of numbers, of unsigned ones by their older words, of floats that hold
 * also where one is NaN. */
static const enum isa_modifier comparisons[][SIMT_EDIT_N_COMPARISONS] = {
    {ISA_DOT_EQ, ISA_DOT_NE, ISA_DOT_LT, ISA_DOT_LE, ISA_DOT_GT, ISA_DOT_GE},
    {ISA_NO_MODIFIER, ISA_NO_MODIFIER, ISA_DOT_LO, ISA_DOT_LS, ISA_DOT_HI, ISA_DOT_HS},
    {ISA_DOT_EQU, ISA_DOT_NEU, ISA_DOT_LTU, ISA_DOT_LEU, ISA_DOT_GTU, ISA_DOT_GEU},
};
enum { N_FAMILIES = sizeof comparisons / sizeof *comparisons };

/* The family of an instruction's comparison, and which one it is; -1: it compares nothing. */
static int find_comparison(const struct ptx_insn *insn, int64_t *which) {
    if (insn->opcode != ISA_SETP && insn->opcode != ISA_SET)
        return -1;
    for (int family = 0; family < N_FAMILIES; family++)
        for (*which = 0; *which < SIMT_EDIT_N_COMPARISONS; ++*which)
            if (comparisons[family][*which] != ISA_NO_MODIFIER &&
                ptx_has(insn, comparisons[family][*which]))
                return family;
    return -1;
}

int64_t edit_comparison_of(const struct ptx_insn *insn) {
    int64_t which;
    return find_comparison(insn, &which) < 0 ? -1 : which;
}

enum simt_edit_tests edit_test_of(const struct ptx_function *function, size_t index) {
    const struct ptx_insn *insns = function->insns;
    const struct ptx_operand *d = &insns[index].operands[0];
    for (size_t i = index + 1; i < function->n_insns; i++) {
        if (isa_opcodes[insns[i].opcode].flow != ISA_FLOW_BRANCH)
            continue;
        const bool is_its = d->kind == PTX_OP_REG && insns[i].guard == d->reg;
        return is_its && flow_target(&insns[i], 0) <= i ? SIMT_EDIT_LOOPS : SIMT_EDIT_OTHERS;
    }
    return SIMT_EDIT_OTHERS;
}

void edit_comparison(struct edit_body *body, size_t index) {
    static const uint8_t results[][SIMT_EDIT_N_COMPARISONS] = {
        [SIMT_EDIT_EQUALITY] = {SIMT_EDIT_EQ, SIMT_EDIT_NE, SIMT_EDIT_LE, SIMT_EDIT_LT,
                                SIMT_EDIT_GE, SIMT_EDIT_GT},
        [SIMT_EDIT_NEGATION] = {SIMT_EDIT_NE, SIMT_EDIT_EQ, SIMT_EDIT_GE, SIMT_EDIT_GT,
                                SIMT_EDIT_LE, SIMT_EDIT_LT},
        [SIMT_EDIT_DIRECTION] = {SIMT_EDIT_EQ, SIMT_EDIT_NE, SIMT_EDIT_GT, SIMT_EDIT_GE,
                                 SIMT_EDIT_LT, SIMT_EDIT_LE},
    };
    struct ptx_insn *insn = &body->function->insns[index];
    int64_t which;
    const int family = find_comparison(insn, &which);
    const bool is_meant = body->edit->to == SIMT_EDIT_ALL_TESTS ||
                          body->edit->to == edit_test_of(body->function, index);
    if (family >= 0 && which == body->edit->from && is_meant)
        edit_exchange(body, insn, comparisons[family][which],
                      comparisons[family][results[body->edit->kind][which]]);
}

static const enum isa_modifier signs[][2] = {
    {ISA_DOT_U16, ISA_DOT_S16}, {ISA_DOT_U32, ISA_DOT_S32}, {ISA_DOT_U64, ISA_DOT_S64}};
enum { N_SIGNS = sizeof signs / sizeof *signs };

bool edit_has_sign(const struct ptx_insn *insn) {
    const int64_t comparison = edit_comparison_of(insn);
    const bool is_ordered = comparison > SIMT_EDIT_NE && find_comparison(insn, &(int64_t){0}) == 0;
    const bool is_operation = insn->opcode == ISA_SHR || insn->opcode == ISA_DIV ||
                              insn->opcode == ISA_REM || insn->opcode == ISA_MIN ||
                              insn->opcode == ISA_MAX;
    if (is_ordered || is_operation)
        for (int i = 0; i < N_SIGNS; i++)
            if (ptx_has(insn, signs[i][0]) || ptx_has(insn, signs[i][1]))
                return true;
    return false;
}

void edit_signedness(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    for (int i = 0; i < N_SIGNS && edit_has_sign(insn); i++)
        if (edit_exchange(body, insn, signs[i][0], signs[i][1]) ||
            edit_exchange(body, insn, signs[i][1], signs[i][0]))
            return;
}

bool edit_is_integer(const struct ptx_insn *insn, unsigned operand) {
    const struct isa_opcode_facts *facts = &isa_opcodes[insn->opcode];
    if (insn->operands[operand].kind != PTX_OP_INT || facts->flow == ISA_FLOW_BARRIER ||
        facts->flow == ISA_FLOW_VOTE || facts->flow == ISA_FLOW_WARP)
        return false;
    /* Of a shuffle, the lane or the distance: d, a, b, c, mask. */
    return facts->flow != ISA_FLOW_SHUFFLE || operand + 3 == insn->n_operands;
}

void edit_constant(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    for (unsigned i = 0; i < insn->n_operands; i++)
        if (edit_is_integer(insn, i) && insn->operands[i].integer == body->edit->from)
            insn->operands[i].integer = body->edit->to;
}

bool edit_is_access(const struct ptx_insn *insn) {
    switch (isa_opcodes[insn->opcode].memory) {
    case ISA_MEMORY_LOAD:
    case ISA_MEMORY_STORE:
    case ISA_MEMORY_ATOMIC:
    case ISA_MEMORY_REDUCTION:
        break;
    default:
        return false;
    }
    for (unsigned i = 0; i < insn->n_modifiers; i++) {
        const uint8_t space = isa_modifiers[insn->modifiers[i]].space;
        if (space == PTX_PARAM || space == PTX_LOCAL || space == PTX_CONST)
            return false;
    }
    return true;
}

void edit_offset(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    for (unsigned i = 0; edit_is_access(insn) && i < insn->n_operands; i++) {
        struct ptx_operand *operand = &insn->operands[i];
        if (operand->kind == PTX_OP_ADDRESS && operand->integer == body->edit->from)
            operand->integer = body->edit->to;
    }
}

static const char *const specials[] = {
#define SIMT_EDIT_SPECIAL_WORD(name, word, text) word,
    SIMT_EDIT_SPECIALS(SIMT_EDIT_SPECIAL_WORD)
#undef SIMT_EDIT_SPECIAL_WORD
};

const char *edit_special_word(int64_t special) {
    return special >= 0 && special < SIMT_EDIT_N_SPECIALS ? specials[special] : NULL;
}

static int64_t special_of_word(const char *word) {
    for (int64_t i = 0; i < SIMT_EDIT_N_SPECIALS; i++)
        if (*specials[i] && strcmp(specials[i], word) == 0)
            return i;
    return -1;
}

static bool writes(const struct ptx_insn *insn, int32_t reg) {
    for (unsigned i = 0; i < insn->n_operands && i < 1u + insn->paired; i++) {
        const struct ptx_operand *d = &insn->operands[i];
        if (d->kind == PTX_OP_REG && d->reg == reg)
            return true;
        for (size_t e = 0; e < d->n_elements; e++)
            if (d->elements[e].reg == reg)
                return true;
    }
    return false;
}

/* The instruction that alone sets a register; NULL where there are several, or none. */
static const struct ptx_insn *find_setter(const struct ptx_function *function, int32_t reg) {
    const struct ptx_insn *only = NULL;
    for (size_t i = 0; i < function->n_insns; i++) {
        if (!writes(&function->insns[i], reg))
            continue;
        if (only)
            return NULL;
        only = &function->insns[i];
    }
    return only;
}

const struct ptx_operand *edit_value_of(const struct ptx_function *function,
                                        const struct ptx_operand *operand) {
    const struct ptx_insn *setter =
        operand->kind == PTX_OP_REG ? find_setter(function, operand->reg) : NULL;
    const bool is_copy = setter && setter->opcode == ISA_MOV && setter->n_operands == 2;
    return is_copy ? &setter->operands[1] : operand;
}

/* The operand of 32 bits that was widened to this one; itself where none was. */
static const struct ptx_operand *narrow(const struct ptx_function *function,
                                        const struct ptx_operand *operand) {
    const struct ptx_insn *setter =
        operand->kind == PTX_OP_REG ? find_setter(function, operand->reg) : NULL;
    const bool is_wider = setter && setter->opcode == ISA_CVT && setter->n_operands == 2 &&
                          ptx_has(setter, ISA_DOT_U64) && ptx_has(setter, ISA_DOT_U32);
    return is_wider ? &setter->operands[1] : operand;
}

int64_t edit_special_of(const struct ptx_function *function, const struct ptx_operand *operand) {
    const struct ptx_operand *value = edit_value_of(function, narrow(function, operand));
    return value->kind == PTX_OP_SPECIAL ? special_of_word(value->symbol) : -1;
}

/* A register that holds a special value where instruction `index` begins. */
static int32_t put_special(struct edit_body *body, size_t index, int64_t special) {
    static const enum isa_modifier word[4] = {ISA_DOT_U32}, low[4] = {ISA_DOT_LO, ISA_DOT_U32};
    const bool is_global = special == SIMT_EDIT_GLOBAL_X;
    const int32_t d = edit_new_register(body, PTX_B32);
    const struct ptx_operand result = edit_register(body, d);
    if (!is_global && special != SIMT_EDIT_THREADS_X) {
        const struct ptx_operand move[] = {result, edit_special(specials[special])};
        edit_put_before(body, index, edit_insn(body, ISA_MOV, word, move, 2));
        return d;
    }
    const int32_t blocks =
        put_special(body, index, is_global ? SIMT_EDIT_CTAID_X : SIMT_EDIT_NCTAID_X);
    const struct ptx_operand product[] = {
        result, edit_register(body, blocks),
        edit_register(body, put_special(body, index, SIMT_EDIT_NTID_X))};
    edit_put_before(body, index, edit_insn(body, ISA_MUL, low, product, 3));
    if (!is_global)
        return d;
    const struct ptx_operand sum[] = {
        result, result, edit_register(body, put_special(body, index, SIMT_EDIT_TID_X))};
    edit_put_before(body, index, edit_insn(body, ISA_ADD, word, sum, 3));
    return d;
}

/* The register of 64 bits with the value of another one. */
static int32_t put_wide(struct edit_body *body, size_t index, int32_t reg) {
    static const enum isa_modifier widen[4] = {ISA_DOT_U64, ISA_DOT_U32};
    const int32_t d = edit_new_register(body, PTX_B64);
    const struct ptx_operand operands[] = {edit_register(body, d), edit_register(body, reg)};
    edit_put_before(body, index, edit_insn(body, ISA_CVT, widen, operands, 2));
    return d;
}

static bool is_wide(const struct ptx_function *function, const struct ptx_operand *operand) {
    return operand->kind == PTX_OP_REG && ptx_type_bytes(function->regs[operand->reg].type) == 8;
}

void edit_special_register(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const int64_t to = body->edit->to;
    for (unsigned i = 1; edit_special_word(to) && i < insn->n_operands; i++) {
        struct ptx_operand *operand = &insn->operands[i];
        if (edit_special_of(body->function, operand) != body->edit->from)
            continue;
        const bool is_long = is_wide(body->function, operand);
        const int32_t reg = put_special(body, index, to);
        *operand = edit_register(body, is_long ? put_wide(body, index, reg) : reg);
    }
}

static const enum isa_opcode operations[SIMT_EDIT_N_OPERATIONS] = {
    [SIMT_EDIT_ADD] = ISA_ADD, [SIMT_EDIT_SUB] = ISA_SUB, [SIMT_EDIT_MUL] = ISA_MUL,
    [SIMT_EDIT_DIV] = ISA_DIV, [SIMT_EDIT_REM] = ISA_REM, [SIMT_EDIT_SHL] = ISA_SHL,
    [SIMT_EDIT_SHR] = ISA_SHR, [SIMT_EDIT_MIN] = ISA_MIN, [SIMT_EDIT_MAX] = ISA_MAX,
    [SIMT_EDIT_AND] = ISA_AND, [SIMT_EDIT_OR] = ISA_OR,
};

int64_t edit_operation_of(const struct ptx_insn *insn) {
    for (int64_t i = 0; i < SIMT_EDIT_N_OPERATIONS; i++)
        if (operations[i] == insn->opcode && insn->n_operands == 3)
            return i;
    return -1;
}

/* A left shift is of bits, a right shift of numbers. */
static void exchange_shift_type(struct edit_body *body, struct ptx_insn *insn) {
    static const enum isa_modifier types[][2] = {
        {ISA_DOT_B16, ISA_DOT_U16}, {ISA_DOT_B32, ISA_DOT_U32}, {ISA_DOT_B64, ISA_DOT_U64}};
    for (int i = 0; i < 3; i++) {
        if (insn->opcode == ISA_SHR && edit_exchange(body, insn, types[i][0], types[i][1]))
            return;
        if (insn->opcode == ISA_SHL && (edit_exchange(body, insn, types[i][1], types[i][0]) ||
                                        edit_exchange(body, insn, signs[i][1], types[i][0])))
            return;
    }
}

void edit_operation(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const int64_t to = body->edit->to;
    if (edit_operation_of(insn) != body->edit->from || to < 0 || to >= SIMT_EDIT_N_OPERATIONS)
        return;
    insn->opcode = operations[to];
    exchange_shift_type(body, insn);
}

void edit_operands(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    if (edit_operation_of(insn) != body->edit->from)
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

bool edit_is_superfluous(const struct ptx_insn *insn, unsigned operand) {
    const int64_t operation = edit_operation_of(insn);
    const bool is_one_way =
        operation == SIMT_EDIT_SUB || (operation >= SIMT_EDIT_DIV && operation <= SIMT_EDIT_SHR);
    return operation >= 0 && !ptx_has(insn, ISA_DOT_WIDE) && operand >= 1 &&
           operand <= (is_one_way ? 1u : 2u);
}

void edit_left_out(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const unsigned stays = body->edit->to == 2 ? 2 : 1;
    if (edit_operation_of(insn) != body->edit->from || !edit_is_superfluous(insn, stays))
        return;
    const enum isa_modifier type[4] = {bits_of(insn)};
    const struct ptx_operand operands[] = {insn->operands[0], insn->operands[stays]};
    struct ptx_insn move = edit_insn(body, ISA_MOV, type, operands, 2);
    move.guard = insn->guard;
    move.guard_negated = insn->guard_negated;
    edit_put_before(body, index, move);
    body->is_dropped[index] = true;
}

/* A shift to the right by so many bits divides by a number that somebody wrote; by more, it takes
 * the sign or the upper half. */
enum { MOST_SHIFTED = 10 };

bool edit_is_quotient(const struct ptx_insn *insn) {
    const struct ptx_operand *by = &insn->operands[2];
    bool is_integer = false;
    for (int i = 0; i < N_SIGNS; i++)
        is_integer |= ptx_has(insn, signs[i][0]) || ptx_has(insn, signs[i][1]);
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
    if (!edit_is_quotient(insn))
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

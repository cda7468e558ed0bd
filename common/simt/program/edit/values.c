/*
 * Edits of what a line compares and computes: comparisons, numbers, special registers.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "common/simt/program/edit/rewrite.h"

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

/* The comparison of an instruction (enum simt_edit_comparison); -1: none. */
static int64_t comparison_of(const struct ptx_insn *insn) {
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

const enum isa_modifier edit_signs[EDIT_N_SIGNS][2] = {
    {ISA_DOT_U16, ISA_DOT_S16}, {ISA_DOT_U32, ISA_DOT_S32}, {ISA_DOT_U64, ISA_DOT_S64}};

/* True where signed and unsigned numbers give different results. */
static bool has_sign(const struct ptx_insn *insn) {
    const int64_t comparison = comparison_of(insn);
    const bool is_ordered = comparison > SIMT_EDIT_NE && find_comparison(insn, &(int64_t){0}) == 0;
    const bool is_operation = insn->opcode == ISA_SHR || insn->opcode == ISA_DIV ||
                              insn->opcode == ISA_REM || insn->opcode == ISA_MIN ||
                              insn->opcode == ISA_MAX;
    if (is_ordered || is_operation)
        for (int i = 0; i < EDIT_N_SIGNS; i++)
            if (ptx_has(insn, edit_signs[i][0]) || ptx_has(insn, edit_signs[i][1]))
                return true;
    return false;
}

void edit_signedness(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    for (int i = 0; i < EDIT_N_SIGNS && has_sign(insn); i++)
        if (edit_exchange(body, insn, edit_signs[i][0], edit_signs[i][1]) ||
            edit_exchange(body, insn, edit_signs[i][1], edit_signs[i][0]))
            return;
}

/* Whether an operand is a floating-point number, and which. */
static bool is_real(const struct ptx_operand *operand, double *real) {
    if (operand->kind != PTX_OP_FLOAT)
        return false;
    float narrow;
    memcpy(&narrow, &operand->integer, sizeof narrow);
    memcpy(real, &operand->integer, sizeof *real);
    if (operand->type == PTX_F32)
        *real = narrow;
    return true;
}

void edit_real(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    double real, to;
    memcpy(&to, &body->edit->to, sizeof to);
    const float narrow = (float)to;
    for (unsigned i = 0; i < insn->n_operands; i++) {
        struct ptx_operand *operand = &insn->operands[i];
        if (!is_real(operand, &real) || simt_edit_bits(real) != body->edit->from)
            continue;
        if (operand->type == PTX_F32)
            memcpy(&operand->integer, &narrow, sizeof narrow);
        else
            operand->integer = body->edit->to;
    }
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

/* The instruction that sets what an operand reads: the only one that sets its register, or the last
 * one before it in the same basic block, for the compiler uses registers again. NULL where that is
 * not known. */
static const struct ptx_insn *find_setter(const struct edit_read *read) {
    const struct ptx_insn *insns = read->function->insns, *writer, *any = NULL, *last = NULL;
    const uint32_t *block_of = read->graph ? read->graph->block_of : NULL;
    size_t at = 0, n = 0;
    if (read->operand->kind != PTX_OP_REG)
        return NULL;
    while ((writer = ptx_next_writer(read->function, read->operand->reg, &at))) {
        const size_t i = (size_t)(writer - insns);
        any = writer;
        n++;
        if (block_of && i < read->index && block_of[i] == block_of[read->index])
            last = writer;
    }
    return n == 1 ? any : last;
}

/* What an instruction of the same function reads as its operand `i`. */
static struct edit_read read_by(const struct edit_read *read, const struct ptx_insn *insn,
                                unsigned i) {
    return (struct edit_read){read->function, read->graph, (size_t)(insn - read->function->insns),
                              &insn->operands[i]};
}

/* What was moved to where it is read; itself where nothing was. */
static struct edit_read before_move(const struct edit_read *read) {
    const struct ptx_insn *setter = find_setter(read);
    const bool is_copy = setter && setter->opcode == ISA_MOV && setter->n_operands == 2;
    return is_copy ? read_by(read, setter, 1) : *read;
}

const struct ptx_operand *edit_value_of(const struct ptx_function *function,
                                        const struct ptx_operand *operand) {
    const struct edit_read read = {.function = function, .operand = operand};
    return before_move(&read).operand;
}

static bool reads(const struct ptx_insn *insn, int32_t reg) {
    for (unsigned i = 1; i < insn->n_operands; i++)
        if (insn->operands[i].kind == PTX_OP_REG && insn->operands[i].reg == reg)
            return true;
    return false;
}

const struct ptx_insn *edit_counter_of(const struct ptx_function *function,
                                       const struct ptx_insn *insn) {
    const struct ptx_insn *counter;
    size_t at = 0;
    if (insn->opcode != ISA_MOV || insn->n_operands != 2 || insn->operands[0].kind != PTX_OP_REG)
        return NULL;
    while ((counter = ptx_next_writer(function, insn->operands[0].reg, &at)))
        if (reads(counter, insn->operands[0].reg))
            return counter;
    return NULL;
}

/* Whether an instruction's operand is an integer that an edit may change, and which. One that the
 * compiler has put into a register once, for several lines, is each line's own. */
static bool is_integer(const struct ptx_function *function, const struct ptx_insn *insn,
                       unsigned index, int64_t *integer) {
    const struct isa_opcode_facts *facts = &isa_opcodes[insn->opcode];
    const struct edit_read read = {.function = function, .operand = &insn->operands[index]};
    const struct ptx_insn *setter = index > 0 ? find_setter(&read) : NULL;
    const bool is_kept = setter && setter->opcode == ISA_MOV && setter->line != insn->line &&
                         setter->n_operands == 2;
    const struct ptx_operand *operand = is_kept ? &setter->operands[1] : read.operand;
    *integer = operand->integer;
    if (operand->kind != PTX_OP_INT || facts->flow == ISA_FLOW_BARRIER ||
        facts->flow == ISA_FLOW_VOTE || facts->flow == ISA_FLOW_WARP)
        return false;
    /* Of a shuffle, the lane or the distance: d, a, b, c, mask. */
    return facts->flow != ISA_FLOW_SHUFFLE || index + 3 == insn->n_operands;
}

/* Whether a loop whose counter goes on at an instruction's line begins with a number. */
static bool is_first_of_loop(const struct ptx_function *function, const struct ptx_insn *insn,
                             int64_t first) {
    int64_t integer;
    for (size_t i = 0; i < function->n_insns; i++) {
        const struct ptx_insn *move = &function->insns[i];
        const struct ptx_insn *counter = edit_counter_of(function, move);
        if (counter && counter->line == insn->line && counter->file == insn->file &&
            is_integer(function, move, 1, &integer) && integer == first)
            return true;
    }
    return false;
}

/* Before a loop whose counter goes from a to below n, it is asked whether n is less than a + 1. */
void edit_constant(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const int64_t from = body->edit->from, to = body->edit->to;
    int64_t integer;
    for (unsigned i = 0; i < insn->n_operands; i++) {
        if (!is_integer(body->function, insn, i, &integer))
            continue;
        if (integer == from)
            insn->operands[i] = edit_integer(to);
        else if (insn->opcode == ISA_SETP && integer == from + 1 &&
                 is_first_of_loop(body->function, insn, from))
            insn->operands[i] = edit_integer(to + 1);
    }
}

/* What was widened to 64 bits and moved to where it is read. */
static struct edit_read before_both(const struct edit_read *read) {
    const struct ptx_insn *setter = find_setter(read);
    const bool is_wider = setter && setter->opcode == ISA_CVT && setter->n_operands == 2 &&
                          ptx_has(setter, ISA_DOT_U64) && ptx_has(setter, ISA_DOT_U32);
    const struct edit_read narrow = is_wider ? read_by(read, setter, 1) : *read;
    return before_move(&narrow);
}

static int64_t plain_special_of(const struct edit_read *read) {
    const struct ptx_operand *value = before_both(read).operand;
    return value->kind == PTX_OP_SPECIAL ? special_of_word(value->symbol) : -1;
}

/* True where operands 1 and 2 are blockIdx.x and blockDim.x. */
static bool are_factors(const struct edit_read *read, const struct ptx_insn *insn) {
    const struct edit_read one = read_by(read, insn, 1), two = read_by(read, insn, 2);
    const int64_t a = plain_special_of(&one), b = plain_special_of(&two);
    return (a == SIMT_EDIT_CTAID_X && b == SIMT_EDIT_NTID_X) ||
           (a == SIMT_EDIT_NTID_X && b == SIMT_EDIT_CTAID_X);
}

static bool is_first_of_block(const struct edit_read *read) {
    const struct ptx_insn *setter = find_setter(read);
    return setter && setter->opcode == ISA_MUL && setter->n_operands == 3 &&
           are_factors(read, setter);
}

/* True for blockIdx.x * blockDim.x + threadIdx.x, in 32 bits or in 64. */
static bool is_global(const struct edit_read *read) {
    const struct edit_read value = before_both(read);
    const struct ptx_insn *setter = find_setter(&value);
    if (setter && setter->opcode == ISA_MAD && setter->n_operands == 4) {
        const struct edit_read last = read_by(read, setter, 3);
        return are_factors(read, setter) && plain_special_of(&last) == SIMT_EDIT_TID_X;
    }
    if (!setter || setter->opcode != ISA_ADD || setter->n_operands != 3)
        return false;
    for (unsigned i = 1; i <= 2; i++) {
        const struct edit_read first = read_by(read, setter, i),
                               thread = read_by(read, setter, 3 - i);
        if (is_first_of_block(&first) && plain_special_of(&thread) == SIMT_EDIT_TID_X)
            return true;
    }
    return false;
}

int64_t edit_special_of(const struct edit_read *read) {
    const int64_t special = plain_special_of(read);
    return special < 0 && is_global(read) ? SIMT_EDIT_GLOBAL_X : special;
}

/* `d` becomes an operation of two operands. */
static void put_operation(struct edit_body *body, size_t index, enum isa_opcode opcode,
                          const enum isa_modifier modifiers[4], int32_t d, int32_t a,
                          struct ptx_operand b) {
    const struct ptx_operand operands[] = {edit_register(body, d), edit_register(body, a), b};
    edit_put_before(body, index, edit_insn(body, opcode, modifiers, operands, 3));
}

/* A register that holds a special value where instruction `index` begins. */
static int32_t put_special(struct edit_body *body, size_t index, int64_t special) {
    static const enum isa_modifier word[4] = {ISA_DOT_U32}, low[4] = {ISA_DOT_LO, ISA_DOT_U32};
    enum { LOG2_LANES = 5 };
    const int32_t d = edit_new_register(body, PTX_B32);
    if (*specials[special]) {
        const struct ptx_operand move[] = {edit_register(body, d), edit_special(specials[special])};
        edit_put_before(body, index, edit_insn(body, ISA_MOV, word, move, 2));
        return d;
    }
    const int64_t factor = special == SIMT_EDIT_WARP_X     ? SIMT_EDIT_TID_X
                           : special == SIMT_EDIT_GLOBAL_X ? SIMT_EDIT_CTAID_X
                                                           : SIMT_EDIT_NCTAID_X;
    const int32_t first = put_special(body, index, factor);
    if (special == SIMT_EDIT_WARP_X) {
        put_operation(body, index, ISA_SHR, word, d, first, edit_integer(LOG2_LANES));
        return d;
    }
    const int32_t threads = put_special(body, index, SIMT_EDIT_NTID_X);
    put_operation(body, index, ISA_MUL, low, d, first, edit_register(body, threads));
    if (special == SIMT_EDIT_GLOBAL_X) {
        const int32_t thread = put_special(body, index, SIMT_EDIT_TID_X);
        put_operation(body, index, ISA_ADD, word, d, d, edit_register(body, thread));
    }
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
        const struct edit_read read = {body->function, body->graph, index, operand};
        if (edit_special_of(&read) != body->edit->from)
            continue;
        const bool is_long = is_wide(body->function, operand);
        const int32_t reg = put_special(body, index, to);
        *operand = edit_register(body, is_long ? put_wide(body, index, reg) : reg);
    }
}

static void ask_comparison(struct edit_asked *asked) {
    const int64_t comparison = comparison_of(asked->insn);
    if (has_sign(asked->insn))
        edit_propose(asked, SIMT_EDIT_SIGNEDNESS, 0, 0);
    if (comparison < 0)
        return;
    const enum simt_edit_tests test = edit_test_of(asked->function, asked->index);
    for (int64_t which = SIMT_EDIT_ALL_TESTS; which <= SIMT_EDIT_OTHERS; which++) {
        if (which != SIMT_EDIT_ALL_TESTS && which != (int64_t)test)
            continue;
        edit_propose(asked, SIMT_EDIT_NEGATION, comparison, which);
        if (comparison <= SIMT_EDIT_NE)
            continue;
        edit_propose(asked, SIMT_EDIT_EQUALITY, comparison, which);
        edit_propose(asked, SIMT_EDIT_DIRECTION, comparison, which);
    }
}

/* Numbers near to one that may be wrong. */
static void ask_number(struct edit_asked *asked, enum simt_edit_kind kind, int64_t from,
                       int64_t step) {
    const int64_t numbers[] = {from + step,     from - step, from * 2,        from / 2,
                               from - 2 * step, 0,           from + 2 * step, step};
    if (from > INT32_MAX || from < INT32_MIN)
        return;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != from)
            edit_propose(asked, kind, from, numbers[i]);
}

/* 0 is where a sum begins: with another number there, what is missing may be made good. */
static void ask_real(struct edit_asked *asked, const struct ptx_operand *operand) {
    double from;
    if (!is_real(operand, &from) || from == 0)
        return;
    /* Twice the largest float is none. */
    const double twice = fabs(from) == FLT_MAX ? copysign(INFINITY, from) : from * 2;
    const double numbers[] = {twice, from / 2, from - 1, from + 1, 1, -from};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != from)
            edit_propose(asked, SIMT_EDIT_REAL, simt_edit_bits(from), simt_edit_bits(numbers[i]));
}

/* True for the words of indices and sizes in direction y. */
static bool is_of_rows(const char *word) {
    const size_t length = word ? strlen(word) : 0;
    return length > 2 && strcmp(word + length - 2, ".y") == 0;
}

bool edit_has_rows(const struct ptx_function *function) {
    for (size_t i = 0; i < function->n_insns; i++)
        for (unsigned k = 1; k < function->insns[i].n_operands; k++) {
            const struct ptx_operand *operand = &function->insns[i].operands[k];
            if (operand->kind == PTX_OP_SPECIAL && is_of_rows(operand->symbol))
                return true;
        }
    return false;
}

/* What is taken for what, the most likely first: the index within the block for that within the
 * grid, an index for another one, a size for another one, one direction for the other. */
static void ask_special(struct edit_asked *asked, int64_t special) {
    enum { MOST = 4 };
    static const int8_t others[SIMT_EDIT_N_SPECIALS][MOST] = {
        [SIMT_EDIT_TID_X] = {SIMT_EDIT_GLOBAL_X, SIMT_EDIT_CTAID_X, SIMT_EDIT_LANEID,
                             SIMT_EDIT_TID_Y},
        [SIMT_EDIT_TID_Y] = {SIMT_EDIT_TID_X, SIMT_EDIT_CTAID_Y, -1},
        [SIMT_EDIT_CTAID_X] = {SIMT_EDIT_TID_X, SIMT_EDIT_GLOBAL_X, SIMT_EDIT_CTAID_Y, -1},
        [SIMT_EDIT_CTAID_Y] = {SIMT_EDIT_CTAID_X, SIMT_EDIT_TID_Y, -1},
        [SIMT_EDIT_NTID_X] = {SIMT_EDIT_THREADS_X, SIMT_EDIT_NCTAID_X, SIMT_EDIT_NTID_Y, -1},
        [SIMT_EDIT_NTID_Y] = {SIMT_EDIT_NTID_X, SIMT_EDIT_NCTAID_Y, -1},
        [SIMT_EDIT_NCTAID_X] = {SIMT_EDIT_NTID_X, SIMT_EDIT_THREADS_X, SIMT_EDIT_NCTAID_Y, -1},
        [SIMT_EDIT_NCTAID_Y] = {SIMT_EDIT_NCTAID_X, SIMT_EDIT_NTID_Y, -1},
        [SIMT_EDIT_LANEID] = {SIMT_EDIT_TID_X, -1},
        [SIMT_EDIT_GLOBAL_X] = {SIMT_EDIT_TID_X, SIMT_EDIT_CTAID_X, -1},
        [SIMT_EDIT_WARPID] = {SIMT_EDIT_WARP_X, -1},
        [SIMT_EDIT_THREADS_X] = {-1},
        [SIMT_EDIT_WARP_X] = {-1},
    };
    for (int i = 0; i < MOST && others[special][i] >= 0; i++)
        if (asked->has_rows || !is_of_rows(edit_special_word(others[special][i])))
            edit_propose(asked, SIMT_EDIT_SPECIAL, special, others[special][i]);
}

static void ask_operands(struct edit_asked *asked, bool is_wait) {
    const struct ptx_insn *insn = asked->insn;
    int64_t integer;
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct ptx_operand *operand = &insn->operands[i];
        if (!is_wait && is_integer(asked->function, insn, i, &integer))
            ask_number(asked, SIMT_EDIT_CONSTANT, integer, 1);
        if (edit_is_access(insn) && operand->kind == PTX_OP_ADDRESS)
            ask_number(asked, SIMT_EDIT_OFFSET, operand->integer,
                       ptx_type_bytes(ptx_insn_type(insn, 0)));
        ask_real(asked, operand);
        const struct edit_read read = {asked->function, asked->graph, asked->index, operand};
        const int64_t special = i > 0 ? edit_special_of(&read) : -1;
        if (special >= 0)
            ask_special(asked, special);
    }
}

void edit_ask_values(struct edit_asked *asked) {
    const bool is_wait = edit_is_wait(asked);
    if (!is_wait)
        ask_comparison(asked);
    ask_operands(asked, is_wait);
}

/*
 * The edits that make sense for a function: each instruction with a line is asked what could be
 * wrong with it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/edit/rewrite.h"

/* Functions of libraries, which hold no student's mistake and would take long. */
enum { MAX_INSNS = 1 << 13 };

static bool is_same(const struct simt_edit *a, const struct simt_edit *b) {
    return a->kind == b->kind && a->line == b->line && a->from == b->from && a->to == b->to &&
           strcmp(a->place, b->place) == 0;
}

bool edit_list_add(struct edit_list *list, const struct simt_edit *edit) {
    for (size_t i = list->n; i-- > 0;)
        if (is_same(&list->edits[i], edit))
            return true;
    if (list->n == SIMT_MAX_CANDIDATES)
        return true;
    if (list->n == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        struct simt_edit *grown = realloc(list->edits, room * sizeof *grown);
        if (!grown)
            return false;
        list->edits = grown;
        list->room = room;
    }
    list->edits[list->n++] = *edit;
    return true;
}

/* The instruction that is asked. */
struct asked {
    const struct ptx_function *function;
    const struct flow_graph *graph;
    size_t index;
    const struct ptx_insn *insn;
    struct simt_edit edit; /* its line; the rest is each edit's own */
    struct edit_list *list;
    bool has_rows; /* the function has an index in direction y */
    bool ok;
};

static void propose(struct asked *asked, enum simt_edit_kind kind, int64_t from, int64_t to) {
    asked->edit.kind = kind;
    asked->edit.from = from;
    asked->edit.to = to;
    asked->ok &= edit_list_add(asked->list, &asked->edit);
}

static void ask_comparison(struct asked *asked) {
    const int64_t comparison = edit_comparison_of(asked->insn);
    if (edit_has_sign(asked->insn))
        propose(asked, SIMT_EDIT_SIGNEDNESS, 0, 0);
    if (comparison < 0)
        return;
    const enum simt_edit_tests test = edit_test_of(asked->function, asked->index);
    for (int64_t which = SIMT_EDIT_ALL_TESTS; which <= SIMT_EDIT_OTHERS; which++) {
        if (which != SIMT_EDIT_ALL_TESTS && which != (int64_t)test)
            continue;
        propose(asked, SIMT_EDIT_NEGATION, comparison, which);
        if (comparison <= SIMT_EDIT_NE)
            continue;
        propose(asked, SIMT_EDIT_EQUALITY, comparison, which);
        propose(asked, SIMT_EDIT_DIRECTION, comparison, which);
    }
}

/* Numbers near to one that may be wrong. */
static void ask_number(struct asked *asked, enum simt_edit_kind kind, int64_t from, int64_t step) {
    const int64_t numbers[] = {from + step,     from - step, from * 2,        from / 2,
                               from - 2 * step, 0,           from + 2 * step, step};
    if (from > INT32_MAX || from < INT32_MIN)
        return;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != from)
            propose(asked, kind, from, numbers[i]);
}

/* True for the words of indices and sizes in direction y. */
static bool is_of_rows(const char *word) {
    const size_t length = word ? strlen(word) : 0;
    return length > 2 && strcmp(word + length - 2, ".y") == 0;
}

/* Whether a function asks for any of them; where it does not, there is one row. */
static bool has_rows(const struct ptx_function *function) {
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
static void ask_special(struct asked *asked, int64_t special) {
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
    };
    for (int i = 0; i < MOST && others[special][i] >= 0; i++)
        if (asked->has_rows || !is_of_rows(edit_special_word(others[special][i])))
            propose(asked, SIMT_EDIT_SPECIAL, special, others[special][i]);
}

static void ask_operands(struct asked *asked) {
    const struct ptx_insn *insn = asked->insn;
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct ptx_operand *operand = &insn->operands[i];
        if (edit_is_integer(insn, i))
            ask_number(asked, SIMT_EDIT_CONSTANT, operand->integer, 1);
        if (edit_is_access(insn) && operand->kind == PTX_OP_ADDRESS)
            ask_number(asked, SIMT_EDIT_OFFSET, operand->integer,
                       ptx_type_bytes(ptx_insn_type(insn, 0)));
        const int64_t special = i > 0 ? edit_special_of(asked->function, operand) : -1;
        if (special >= 0)
            ask_special(asked, special);
    }
}

/* What is taken for what. */
static void ask_operation(struct asked *asked) {
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
    const int64_t operation = edit_operation_of(asked->insn);
    if (operation < 0)
        return;
    for (int i = 0; i < MOST && others[operation][i] >= 0; i++)
        if (edit_may_become(asked->function, asked->insn, others[operation][i]))
            propose(asked, SIMT_EDIT_OPERATION, operation, others[operation][i]);
    if (operation == SIMT_EDIT_SUB || (operation >= SIMT_EDIT_DIV && operation <= SIMT_EDIT_SHR))
        propose(asked, SIMT_EDIT_OPERANDS, operation, 0);
    for (unsigned stays = 1; stays <= 2; stays++)
        if (edit_is_superfluous(asked->insn, stays))
            propose(asked, SIMT_EDIT_LEFT_OUT, operation, stays);
    if (edit_is_quotient(asked->insn))
        propose(asked, SIMT_EDIT_ROUNDED, 0, 0);
}

static void ask_lanes(struct asked *asked) {
    const int64_t shuffle = edit_shuffle_of(asked->insn);
    for (int64_t to = 0; shuffle >= 0 && to < SIMT_EDIT_N_SHUFFLES; to++)
        if (to != shuffle)
            propose(asked, SIMT_EDIT_SHUFFLE, shuffle, to);
    if (shuffle >= 0)
        propose(asked, SIMT_EDIT_SHUFFLE_WIDTH, 0, 0);
    if (edit_has_mask(asked->insn)) {
        propose(asked, SIMT_EDIT_MASK_FULL, 0, 0);
        propose(asked, SIMT_EDIT_MASK_ACTIVE, 0, 0);
    }
}

static void ask_barriers(struct asked *asked) {
    size_t at;
    if (isa_opcodes[asked->insn->opcode].flow == ISA_FLOW_BARRIER) {
        propose(asked, SIMT_EDIT_BARRIER_OUT, 0, 0);
        if (edit_barrier_place(asked->graph, asked->index, true, 1, &at))
            propose(asked, SIMT_EDIT_BARRIER_MOVED, 0, 0);
    }
    if (edit_leaves(asked->function, asked->index)) {
        propose(asked, SIMT_EDIT_STAY, 0, 0);
        propose(asked, SIMT_EDIT_STAY, 1, 0);
    }
    if (!edit_is_shared_access(asked->insn))
        return;
    for (int64_t level = 0; level <= 1; level++) {
        if (!edit_barrier_place(asked->graph, asked->index, true, level, &at))
            continue;
        for (int64_t scope = 0; scope <= 1; scope++) {
            propose(asked, SIMT_EDIT_BARRIER_AFTER, level, scope);
            propose(asked, SIMT_EDIT_BARRIER_BEFORE, level, scope);
        }
    }
}

/* Any parameter of a kernel may be a pointer to elements, any other one their number. */
static void ask_limits(struct asked *asked) {
    const struct ptx_function *function = asked->function;
    const size_t n = function->is_entry && function->n_params <= 8 ? function->n_params : 0;
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < n && function->params[p].bytes == 8; i++)
            if (i != p && (function->params[i].bytes == 4 || function->params[i].bytes == 8))
                propose(asked, SIMT_EDIT_BELOW, (int64_t)p, (int64_t)i);
}

static void ask_accesses(struct asked *asked) {
    size_t load, operation;
    const uint8_t memory = isa_opcodes[asked->insn->opcode].memory;
    if (!edit_is_access(asked->insn))
        return;
    propose(asked, SIMT_EDIT_INSIDE, 0, 0);
    if (ptx_has(asked->insn, ISA_DOT_GLOBAL))
        ask_limits(asked);
    if (memory != ISA_MEMORY_STORE)
        propose(asked, SIMT_EDIT_WRITTEN, 0, 0);
    if (memory == ISA_MEMORY_LOAD && ptx_has(asked->insn, ISA_DOT_GLOBAL))
        propose(asked, SIMT_EDIT_SNAPSHOT, 0, 0);
    if (memory == ISA_MEMORY_LOAD)
        return;
    if (edit_find_update(asked->function, asked->index, &load, &operation))
        propose(asked, SIMT_EDIT_ATOMIC, 0, 0);
    propose(asked, SIMT_EDIT_ONLY_FIRST, 0, SIMT_EDIT_TID_X);
    propose(asked, SIMT_EDIT_ONLY_FIRST, 0, SIMT_EDIT_LANEID);
    propose(asked, SIMT_EDIT_ONLY_FIRST, 0, SIMT_EDIT_CTAID_X);
}

bool edit_find_candidates(const struct ptx_module *module, const struct ptx_function *function,
                          struct edit_list *list) {
    if (function->n_insns == 0 || function->n_insns > MAX_INSNS)
        return true;
    struct flow_graph *graph = flow_build(function);
    struct asked asked = {.function = function,
                          .graph = graph,
                          .list = list,
                          .has_rows = has_rows(function),
                          .ok = graph};
    for (size_t i = 0; asked.ok && i < function->n_insns; i++) {
        const char *path = ptx_file_path(module, function->insns[i].file);
        asked.index = i;
        asked.insn = &function->insns[i];
        asked.edit = (struct simt_edit){.line = asked.insn->line};
        if (!path || asked.insn->line == 0)
            continue;
        strncpy(asked.edit.place, path, sizeof asked.edit.place - 1);
        ask_comparison(&asked);
        ask_operands(&asked);
        ask_operation(&asked);
        ask_lanes(&asked);
        ask_barriers(&asked);
        ask_accesses(&asked);
    }
    flow_free(graph);
    return asked.ok;
}

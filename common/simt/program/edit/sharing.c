/*
 * Edits of who does what, and in which order: barriers, atomics, stores by one thread.
 */
#include "common/simt/program/edit/rewrite.h"

bool edit_is_shared_access(const struct ptx_insn *insn) {
    if (!edit_is_access(insn))
        return false;
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (isa_modifiers[insn->modifiers[i]].space == PTX_GLOBAL)
            return false;
    return true; /* shared, or generic */
}

/* The innermost branch around an instruction: lanes may part there and meet behind it. */
static bool find_branch(const struct flow_graph *graph, size_t index, size_t *branch) {
    for (size_t i = index; i-- > 0;) {
        const uint32_t meet = graph->reconverge[i];
        if (meet != FLOW_EXIT && meet > index && !graph->is_back_edge[i] && meet > i + 1) {
            *branch = i;
            return true;
        }
    }
    return false;
}

/* The instruction before or behind which a barrier beside `index` goes, see BARRIER_BEFORE in
 * edits.def. False: there is no such place. */
static bool barrier_place(const struct flow_graph *graph, size_t index, bool is_behind,
                          int64_t level, size_t *at) {
    *at = index;
    if (level == 0)
        return true;
    if (!find_branch(graph, index, at))
        return false;
    if (is_behind)
        *at = graph->reconverge[*at];
    return true;
}

/* True where another access of the same line lies nearer to the barrier: in the same basic block,
 * with no access and no barrier of another line between. */
static bool is_covered(const struct edit_body *body, size_t index, bool is_behind) {
    const uint32_t block = body->graph->block_of[index];
    const size_t first = is_behind ? index + 1 : body->graph->first[block];
    const size_t end = is_behind ? body->graph->end[block] : index;
    for (size_t k = 0; k < end - first; k++) {
        const struct ptx_insn *insn = &body->function->insns[is_behind ? first + k : end - 1 - k];
        const bool is_barrier = isa_opcodes[insn->opcode].flow == ISA_FLOW_BARRIER;
        if (is_barrier || edit_is_shared_access(insn))
            return !is_barrier && edit_is_at(body->module, insn, body->edit);
    }
    return false;
}

static struct ptx_insn make_barrier(struct edit_body *body, bool is_warp) {
    static const enum isa_modifier warp[4] = {ISA_DOT_WARP, ISA_DOT_SYNC};
    static const enum isa_modifier cta[4] = {ISA_DOT_SYNC};
    const struct ptx_operand operand = edit_integer(is_warp ? -1 : 0);
    return edit_insn(body, ISA_BAR, is_warp ? warp : cta, &operand, 1);
}

void edit_barrier(struct edit_body *body, size_t index) {
    const struct simt_edit *edit = body->edit;
    const bool is_behind = edit->kind == SIMT_EDIT_BARRIER_AFTER;
    size_t at;
    if (!edit_is_shared_access(&body->function->insns[index]) ||
        is_covered(body, index, is_behind) ||
        !barrier_place(body->graph, index, is_behind, edit->from, &at))
        return;
    const bool is_beside = is_behind && edit->from == 0;
    if (!edit_is_put(body, at, is_beside))
        (is_beside ? edit_put_behind : edit_put_before)(body, at,
                                                        make_barrier(body, edit->to == 1));
}

/* True for a store before which, in its basic block and at its line, a load stands that no barrier
 * parts from it. */
static bool is_behind_load(const struct flow_graph *graph, const struct ptx_function *function,
                           size_t index) {
    const struct ptx_insn *store = &function->insns[index];
    if (!edit_is_shared_access(store) || isa_opcodes[store->opcode].memory != ISA_MEMORY_STORE)
        return false;
    for (size_t i = index; i-- > graph->first[graph->block_of[index]];) {
        const struct ptx_insn *insn = &function->insns[i];
        if (isa_opcodes[insn->opcode].flow == ISA_FLOW_BARRIER)
            return false;
        if (edit_is_shared_access(insn))
            return isa_opcodes[insn->opcode].memory == ISA_MEMORY_LOAD &&
                   insn->line == store->line && insn->file == store->file;
    }
    return false;
}

void edit_barrier_between(struct edit_body *body, size_t index) {
    if (!is_behind_load(body->graph, body->function, index) || edit_is_put(body, index, false))
        return;
    edit_put_before(body, index, make_barrier(body, body->edit->to == 1));
    edit_put_behind(body, index, make_barrier(body, body->edit->to == 1));
}

void edit_barrier_out(struct edit_body *body, size_t index) {
    const uint8_t flow = isa_opcodes[body->function->insns[index].opcode].flow;
    body->is_dropped[index] |= flow == ISA_FLOW_BARRIER;
}

void edit_barrier_moved(struct edit_body *body, size_t index) {
    const uint8_t flow = isa_opcodes[body->function->insns[index].opcode].flow;
    size_t at;
    if (flow != ISA_FLOW_BARRIER || !barrier_place(body->graph, index, true, 1, &at))
        return;
    body->is_dropped[index] = true;
    if (!edit_is_put(body, at, false))
        edit_put_before(body, at, body->function->insns[index]);
}

/* The operand that is the address of an access. */
static const struct ptx_operand *address_of(const struct ptx_insn *insn) {
    for (unsigned i = 0; i < insn->n_operands; i++)
        if (insn->operands[i].kind == PTX_OP_ADDRESS)
            return &insn->operands[i];
    return NULL;
}

static bool is_same_place(const struct ptx_operand *a, const struct ptx_operand *b) {
    return a && b && a->reg == b->reg && a->symbol == b->symbol && a->integer == b->integer;
}

/* The last instruction before `index` that writes a register as its first operand. */
static bool find_writer(const struct ptx_function *function, size_t index, int32_t reg,
                        size_t *writer) {
    for (size_t i = index; i-- > 0;) {
        const struct ptx_insn *insn = &function->insns[i];
        if (insn->n_operands && insn->operands[0].kind == PTX_OP_REG &&
            insn->operands[0].reg == reg) {
            *writer = i;
            return true;
        }
    }
    return false;
}

/* What an atomic of this operation is called; ISA_NO_MODIFIER: there is none. */
static enum isa_modifier atomic_of(const struct ptx_insn *insn) {
    switch (insn->opcode) {
    case ISA_ADD:
        return ISA_DOT_ADD;
    case ISA_MIN:
        return ISA_DOT_MIN;
    case ISA_MAX:
        return ISA_DOT_MAX;
    case ISA_AND:
        return ISA_DOT_AND;
    case ISA_OR:
        return ISA_DOT_OR;
    case ISA_XOR:
        return ISA_DOT_XOR;
    default:
        return ISA_NO_MODIFIER;
    }
}

/* Which operand of the operation a load of the same place gives: 1 or 2; 0: none does. */
static unsigned find_loaded(const struct ptx_function *function, size_t store, size_t operation,
                            size_t *load) {
    const struct ptx_insn *insn = &function->insns[operation];
    const struct ptx_operand *place = address_of(&function->insns[store]);
    for (unsigned i = 1; i <= 2; i++) {
        if (insn->operands[i].kind != PTX_OP_REG ||
            !find_writer(function, operation, insn->operands[i].reg, load))
            continue;
        const struct ptx_insn *from = &function->insns[*load];
        if (isa_opcodes[from->opcode].memory == ISA_MEMORY_LOAD &&
            is_same_place(place, address_of(from)))
            return i;
    }
    return 0;
}

/* The operand that is added to the loaded one; NULL where the store belongs to no update. */
static const struct ptx_operand *find_operand(const struct ptx_function *function, size_t store,
                                              size_t *load, size_t *operation) {
    const struct ptx_insn *insn = &function->insns[store];
    const bool is_store = isa_opcodes[insn->opcode].memory == ISA_MEMORY_STORE &&
                          edit_is_access(insn) && insn->n_operands == 2 &&
                          insn->operands[1].kind == PTX_OP_REG;
    if (!is_store || !find_writer(function, store, insn->operands[1].reg, operation))
        return NULL;
    const struct ptx_insn *made = &function->insns[*operation];
    if (atomic_of(made) == ISA_NO_MODIFIER || made->n_operands != 3)
        return NULL;
    const unsigned loaded = find_loaded(function, store, *operation, load);
    return loaded ? &made->operands[3 - loaded] : NULL;
}

/* The load and the operation that a store belongs to, for one atomic of the three. */
static bool find_update(const struct ptx_function *function, size_t store, size_t *load,
                        size_t *operation) {
    return find_operand(function, store, load, operation) != NULL;
}

/* The state space of an access; ISA_NO_MODIFIER: generic. */
static enum isa_modifier space_of(const struct ptx_insn *insn) {
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (isa_modifiers[insn->modifiers[i]].space != PTX_REG)
            return insn->modifiers[i];
    return ISA_NO_MODIFIER;
}

/* The atomic stands where the store did; the operation comes behind it, for who needs its result.
 */
void edit_atomic(struct edit_body *body, size_t index) {
    size_t load, operation;
    const struct ptx_operand *operand = find_operand(body->function, index, &load, &operation);
    if (!operand)
        return;
    struct ptx_insn *insns = body->function->insns, *store = &insns[index];
    const enum ptx_type type = ptx_insn_type(&insns[operation], 0);
    enum isa_modifier modifiers[4] = {0};
    unsigned n = 0;
    if (space_of(store) != ISA_NO_MODIFIER)
        modifiers[n++] = space_of(store);
    modifiers[n++] = atomic_of(&insns[operation]);
    modifiers[n] = (enum isa_modifier)type;
    const struct ptx_operand operands[] = {insns[load].operands[0], *address_of(store), *operand};
    struct ptx_insn atomic = edit_insn(body, ISA_ATOM, modifiers, operands, 3);
    atomic.guard = store->guard;
    atomic.guard_negated = store->guard_negated;
    edit_put_before(body, index, atomic);
    edit_put_behind(body, index, insns[operation]);
    body->is_dropped[index] = body->is_dropped[load] = body->is_dropped[operation] = true;
}

void edit_only_first(struct edit_body *body, size_t index) {
    static const enum isa_modifier word[4] = {ISA_DOT_U32}, equal[4] = {ISA_DOT_EQ, ISA_DOT_U32};
    static const enum isa_modifier both[4] = {ISA_DOT_EQ, ISA_DOT_AND, ISA_DOT_U32};
    struct ptx_insn *insn = &body->function->insns[index];
    const uint8_t memory = isa_opcodes[insn->opcode].memory;
    const char *special = edit_special_word(body->edit->to);
    if (!edit_is_access(insn) || memory == ISA_MEMORY_LOAD || !special)
        return;
    const int32_t value = edit_new_register(body, PTX_B32),
                  pred = edit_new_register(body, PTX_PRED);
    const struct ptx_operand move[] = {edit_register(body, value), edit_special(special)};
    struct ptx_operand test[] = {
        edit_register(body, pred), edit_register(body, value), edit_integer(0), {0}};
    if (insn->guard >= 0) {
        test[3] = edit_register(body, insn->guard);
        test[3].negated = insn->guard_negated;
    }
    edit_put_before(body, index, edit_insn(body, ISA_MOV, word, move, 2));
    edit_put_before(
        body, index,
        edit_insn(body, ISA_SETP, insn->guard >= 0 ? both : equal, test, insn->guard >= 0 ? 4 : 3));
    insn->guard = pred;
    insn->guard_negated = false;
}

static void ask_barriers(struct edit_asked *asked) {
    size_t at;
    if (isa_opcodes[asked->insn->opcode].flow == ISA_FLOW_BARRIER) {
        edit_propose(asked, SIMT_EDIT_BARRIER_OUT, 0, 0);
        if (barrier_place(asked->graph, asked->index, true, 1, &at))
            edit_propose(asked, SIMT_EDIT_BARRIER_MOVED, 0, 0);
    }
    if (!edit_is_shared_access(asked->insn))
        return;
    for (int64_t scope = 0; scope <= 1; scope++)
        if (is_behind_load(asked->graph, asked->function, asked->index))
            edit_propose(asked, SIMT_EDIT_BARRIER_BETWEEN, 0, scope);
    for (int64_t level = 0; level <= 1; level++) {
        if (!barrier_place(asked->graph, asked->index, true, level, &at))
            continue;
        for (int64_t scope = 0; scope <= 1; scope++) {
            edit_propose(asked, SIMT_EDIT_BARRIER_AFTER, level, scope);
            edit_propose(asked, SIMT_EDIT_BARRIER_BEFORE, level, scope);
        }
    }
}

/* Any parameter of a kernel may be a pointer to elements, any other one their number. */
static void ask_limits(struct edit_asked *asked) {
    const struct ptx_function *function = asked->function;
    const size_t n = function->is_entry && function->n_params <= 8 ? function->n_params : 0;
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < n && function->params[p].bytes == 8; i++)
            if (i != p && (function->params[i].bytes == 4 || function->params[i].bytes == 8))
                edit_propose(asked, SIMT_EDIT_BELOW, (int64_t)p, (int64_t)i);
}

/* How a stored number is added to another one; ISA_NO_MODIFIER: it is no number of 32 or 64 bits.
 */
static enum isa_modifier sum_of(const struct ptx_insn *store, enum ptx_type *type) {
    static const struct {
        enum isa_modifier stored, added;
        enum ptx_type type;
    } numbers[] = {
        {ISA_DOT_U32, ISA_DOT_U32, PTX_B32}, {ISA_DOT_S32, ISA_DOT_U32, PTX_B32},
        {ISA_DOT_B32, ISA_DOT_U32, PTX_B32}, {ISA_DOT_U64, ISA_DOT_U64, PTX_B64},
        {ISA_DOT_S64, ISA_DOT_U64, PTX_B64}, {ISA_DOT_B64, ISA_DOT_U64, PTX_B64},
        {ISA_DOT_F32, ISA_DOT_F32, PTX_F32}, {ISA_DOT_F64, ISA_DOT_F64, PTX_F64},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (ptx_has(store, numbers[i].stored)) {
            *type = numbers[i].type;
            return numbers[i].added;
        }
    return ISA_NO_MODIFIER;
}

/* True for the store of one number. */
static bool is_number_store(const struct ptx_insn *insn) {
    enum ptx_type type;
    return edit_is_access(insn) && isa_opcodes[insn->opcode].memory == ISA_MEMORY_STORE &&
           insn->n_operands == 2 && insn->operands[1].n_elements == 0 &&
           sum_of(insn, &type) != ISA_NO_MODIFIER;
}

void edit_added(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    enum ptx_type type = PTX_B32;
    if (!is_number_store(insn))
        return;
    const enum isa_modifier number = sum_of(insn, &type), space = space_of(insn);
    const bool is_generic = space == ISA_NO_MODIFIER;
    const enum isa_modifier from[4] = {is_generic ? number : space,
                                       is_generic ? ISA_NO_MODIFIER : number};
    const enum isa_modifier add[4] = {number};
    const struct ptx_operand sum = edit_register(body, edit_new_register(body, type));
    const struct ptx_operand loaded[] = {sum, insn->operands[0]};
    const struct ptx_operand summands[] = {sum, sum, insn->operands[1]};
    struct ptx_insn load = edit_insn(body, ISA_LD, from, loaded, 2);
    load.guard = insn->guard;
    load.guard_negated = insn->guard_negated;
    edit_put_before(body, index, load);
    edit_put_before(body, index, edit_insn(body, ISA_ADD, add, summands, 3));
    insn->operands[1] = sum;
}

static void ask_accesses(struct edit_asked *asked) {
    size_t load, operation;
    const uint8_t memory = isa_opcodes[asked->insn->opcode].memory;
    if (!edit_is_access(asked->insn))
        return;
    edit_propose(asked, SIMT_EDIT_INSIDE, 0, 0);
    if (ptx_has(asked->insn, ISA_DOT_GLOBAL))
        ask_limits(asked);
    if (memory != ISA_MEMORY_STORE)
        edit_propose(asked, SIMT_EDIT_WRITTEN, 0, 0);
    if (memory == ISA_MEMORY_LOAD && ptx_has(asked->insn, ISA_DOT_GLOBAL)) {
        edit_propose(asked, SIMT_EDIT_SNAPSHOT, 0, 0);
        if (ptx_modifier_traits(asked->insn) & ISA_STRONG)
            edit_propose(asked, SIMT_EDIT_AGAIN, 0, 0);
    }
    if (memory == ISA_MEMORY_LOAD)
        return;
    /* Who takes a lock has no need of an atomic: with one, nobody would notice what is wrong with
     * the lock. */
    if (!asked->has_lock && find_update(asked->function, asked->index, &load, &operation))
        edit_propose(asked, SIMT_EDIT_ATOMIC, 0, 0);
    if (is_number_store(asked->insn))
        edit_propose(asked, SIMT_EDIT_ADDED, 0, 0);
    edit_propose(asked, SIMT_EDIT_ONLY_FIRST, 0, SIMT_EDIT_TID_X);
    edit_propose(asked, SIMT_EDIT_ONLY_FIRST, 0, SIMT_EDIT_LANEID);
    edit_propose(asked, SIMT_EDIT_ONLY_FIRST, 0, SIMT_EDIT_CTAID_X);
}

void edit_ask_sharing(struct edit_asked *asked) {
    ask_barriers(asked);
    ask_accesses(asked);
}

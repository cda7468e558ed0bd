/*
 * Copies a module and makes edits in its functions, one after the other.
 */
#include "common/simt/program/edit/rewrite.h"

#include <string.h>

#include "common/simt/program/ptx/parser.h"

/* One that is put in: before or behind `index`. */
struct edit_added {
    struct edit_added *next;
    size_t index;
    bool is_behind;
    struct ptx_insn insn;
};

bool edit_is_at(const struct ptx_module *module, const struct ptx_insn *insn,
                const struct simt_edit *edit) {
    if (insn->line != edit->line || insn->line == 0)
        return false;
    const char *path = ptx_file_path(module, insn->file);
    return strncmp(path ? path : "", edit->place, sizeof edit->place - 1) == 0;
}

static void *allocate(struct edit_body *body, size_t n, size_t bytes) {
    void *memory = ptx_arena_alloc(body->arena, n * bytes + 1);
    body->failed |= !memory;
    return memory;
}

static void *copy(struct edit_body *body, const void *from, size_t n, size_t bytes) {
    void *memory = allocate(body, n, bytes);
    if (memory && n)
        memcpy(memory, from, n * bytes);
    return memory;
}

static void add(struct edit_body *body, size_t index, bool is_behind, struct ptx_insn insn) {
    struct edit_added *added = allocate(body, 1, sizeof *added);
    if (!added)
        return;
    const struct ptx_insn *beside = &body->function->insns[index];
    insn.file = beside->file;
    insn.line = beside->line;
    insn.ptx_line = beside->ptx_line;
    *added = (struct edit_added){NULL, index, is_behind, insn};
    *body->last = added;
    body->last = &added->next;
}

void edit_put_before(struct edit_body *body, size_t index, struct ptx_insn insn) {
    add(body, index, false, insn);
}

void edit_put_behind(struct edit_body *body, size_t index, struct ptx_insn insn) {
    add(body, index, true, insn);
}

bool edit_is_put(const struct edit_body *body, size_t index, bool is_behind) {
    for (const struct edit_added *added = body->added; added; added = added->next)
        if (added->index == index && added->is_behind == is_behind)
            return true;
    return false;
}

int32_t edit_new_register(struct edit_body *body, enum ptx_type type) {
    struct ptx_function *function = body->function;
    if (function->n_regs == body->n_regs_room) {
        const size_t room = function->n_regs + 64;
        struct ptx_reg *grown = allocate(body, room, sizeof *grown);
        if (!grown)
            return 0;
        if (function->n_regs)
            memcpy(grown, function->regs, function->n_regs * sizeof *grown);
        function->regs = grown;
        body->n_regs_room = room;
    }
    function->regs[function->n_regs] = (struct ptx_reg){(char *)"%edit", type};
    return (int32_t)function->n_regs++;
}

struct ptx_operand edit_register(const struct edit_body *body, int32_t reg) {
    return (struct ptx_operand){
        .kind = PTX_OP_REG, .type = body->function->regs[reg].type, .reg = reg};
}

struct ptx_operand edit_integer(int64_t value) {
    return (struct ptx_operand){.kind = PTX_OP_INT, .reg = -1, .integer = value};
}

struct ptx_operand edit_special(const char *word) {
    return (struct ptx_operand){.kind = PTX_OP_SPECIAL, .reg = -1, .symbol = (char *)word};
}

struct ptx_insn edit_insn(struct edit_body *body, enum isa_opcode opcode,
                          const enum isa_modifier modifiers[4], const struct ptx_operand *operands,
                          unsigned n_operands) {
    unsigned n_modifiers = 0;
    while (n_modifiers < 4 && modifiers[n_modifiers] != ISA_NO_MODIFIER)
        n_modifiers++;
    return (struct ptx_insn){
        .opcode = opcode,
        .modifiers = copy(body, modifiers, n_modifiers, sizeof *modifiers),
        .n_modifiers = n_modifiers,
        .guard = -1,
        .operands = copy(body, operands, n_operands, sizeof *operands),
        .n_operands = n_operands,
        .text = isa_opcodes[opcode].word,
    };
}

bool edit_exchange(struct edit_body *body, struct ptx_insn *insn, enum isa_modifier from,
                   enum isa_modifier to) {
    for (unsigned i = 0; i < insn->n_modifiers; i++) {
        if (insn->modifiers[i] != from)
            continue;
        enum isa_modifier *modifiers =
            copy(body, insn->modifiers, insn->n_modifiers, sizeof *modifiers);
        if (modifiers) {
            modifiers[i] = to;
            insn->modifiers = modifiers;
        }
        return true;
    }
    return false;
}

/* A body whose instructions and operands may be changed. */
static void copy_body(struct edit_body *body) {
    struct ptx_function *function = body->function;
    const size_t n = function->n_insns;
    function->insns = copy(body, function->insns, n, sizeof *function->insns);
    body->n_regs_room = function->n_regs;
    body->is_dropped = allocate(body, n, sizeof *body->is_dropped);
    for (size_t i = 0; i < n && !body->failed; i++) {
        struct ptx_insn *insn = &function->insns[i];
        insn->operands = copy(body, insn->operands, insn->n_operands, sizeof *insn->operands);
        for (unsigned k = 0; k < insn->n_operands && !body->failed; k++) {
            struct ptx_operand *operand = &insn->operands[k];
            if (operand->n_elements)
                operand->elements =
                    copy(body, operand->elements, operand->n_elements, sizeof *operand->elements);
        }
    }
}

/* Labels go to where their instructions are now. */
static void move_labels(struct ptx_insn *insns, size_t n, const uint32_t *label_at) {
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < insns[i].n_operands; k++) {
            struct ptx_operand *operand = &insns[i].operands[k];
            if (operand->kind == PTX_OP_LABEL)
                operand->integer = label_at[operand->integer];
            for (size_t e = 0; e < operand->n_elements; e++)
                if (operand->elements[e].kind == PTX_OP_LABEL)
                    operand->elements[e].integer = label_at[operand->elements[e].integer];
        }
    }
}

static size_t take_added(const struct edit_body *body, size_t index, bool is_behind,
                         struct ptx_insn *to) {
    size_t n = 0;
    for (const struct edit_added *added = body->added; added; added = added->next)
        if (added->index == index && added->is_behind == is_behind)
            to[n++] = added->insn;
    return n;
}

/* The body with what was put in and without what was dropped. */
static void assemble(struct edit_body *body) {
    struct ptx_function *function = body->function;
    const size_t n = function->n_insns;
    size_t most = n, at = 0;
    for (const struct edit_added *added = body->added; added; added = added->next)
        most++;
    struct ptx_insn *insns = allocate(body, most, sizeof *insns);
    uint32_t *label_at = allocate(body, n + 1, sizeof *label_at);
    if (body->failed)
        return;
    for (size_t i = 0; i < n; i++) {
        label_at[i] = (uint32_t)at;
        at += take_added(body, i, false, insns + at);
        if (!body->is_dropped[i])
            insns[at++] = function->insns[i];
        at += take_added(body, i, true, insns + at);
    }
    move_labels(insns, at, label_at);
    function->insns = insns;
    function->n_insns = at;
}

void edit_elsewhere(struct edit_body *body, size_t index) {
    (void)body, (void)index;
}

/* The changes that are made to a line's instructions one by one. */
static edit_change *const changes[SIMT_N_EDITS] = {
    edit_elsewhere, /* SIMT_EDIT_NONE */
#define EDIT(name, word, scope, is, change, hope, specificity, does, proves) change,
#include "common/simt/program/edit/edits.def"
#undef EDIT
};

/* True where an instruction, or the counter that it begins, is at the edit's line. */
static bool counts_at(const struct ptx_module *module, const struct ptx_function *function,
                      size_t index, const struct simt_edit *edit) {
    const struct ptx_insn *insn = &function->insns[index];
    const struct ptx_insn *counter = edit_counter_of(function, insn);
    return edit_is_at(module, insn, edit) || (counter && edit_is_at(module, counter, edit));
}

static void change_function(struct edit_body *body) {
    edit_change *const change = changes[body->edit->kind];
    const size_t n = body->function->n_insns;
    const bool is_line = simt_edit_scope_of(body->edit->kind) == SIMT_SCOPE_LINE;
    copy_body(body);
    for (size_t i = 0; i < n && !body->failed; i++)
        if (!is_line || counts_at(body->module, body->function, i, body->edit))
            change(body, i);
    if (!body->failed)
        assemble(body);
}

/* True where something of a function is at the edit's place. */
static bool concerns(const struct ptx_module *module, const struct ptx_function *function,
                     const struct simt_edit *edit) {
    if (simt_edit_scope_of(edit->kind) != SIMT_SCOPE_LINE)
        return function->n_insns > 0;
    for (size_t i = 0; i < function->n_insns; i++)
        if (counts_at(module, function, i, edit))
            return true;
    return false;
}

static bool make_edit(struct ptx_module *module, const struct simt_edit *edit) {
    if (edit->kind >= SIMT_N_EDITS || changes[edit->kind] == edit_elsewhere)
        return true;
    for (size_t i = 0; i < module->n_functions; i++) {
        struct edit_body body = {
            .arena = module->arena,
            .module = module,
            .function = &module->functions[i],
            .edit = edit,
            .gone = -1,
        };
        if (!concerns(module, body.function, edit))
            continue;
        struct flow_graph *graph = flow_build(body.function);
        body.graph = graph;
        body.last = &body.added;
        if (graph)
            change_function(&body);
        flow_free(graph);
        if (!graph || body.failed)
            return false;
    }
    return true;
}

/* The module's tables, whose functions are its own: the first step. */
static struct ptx_module *copy_module(const struct ptx_module *module, struct ptx_arena *arena) {
    struct edit_body body = {.arena = arena};
    struct ptx_module *made = copy(&body, module, 1, sizeof *module);
    if (!made)
        return NULL;
    made->arena = arena;
    made->functions = copy(&body, module->functions, module->n_functions, sizeof *made->functions);
    made->function_names =
        copy(&body, module->function_names, module->n_functions, sizeof *made->function_names);
    for (size_t i = 0; i < module->n_functions && !body.failed; i++) {
        const struct ptx_function *function = module->function_names[i].item;
        made->function_names[i].item = &made->functions[function - module->functions];
    }
    return body.failed ? NULL : made;
}

struct ptx_module *edit_module(const struct ptx_module *module, const struct simt_edit *edits,
                               size_t n) {
    struct ptx_arena *arena = ptx_arena_create();
    struct ptx_module *made = arena ? copy_module(module, arena) : NULL;
    bool ok = made != NULL;
    for (size_t i = 0; i < n && ok; i++)
        ok = make_edit(made, &edits[i]);
    if (!ok)
        ptx_arena_destroy(arena);
    return ok ? made : NULL;
}

unsigned edit_flags(const struct ptx_module *module, const struct ptx_insn *insn,
                    const struct simt_edit *edits, size_t n) {
    static const uint8_t flags[SIMT_N_EDITS] = {
        [SIMT_EDIT_INSIDE] = SIMT_EDITED_INSIDE,     [SIMT_EDIT_WRITTEN] = SIMT_EDITED_WRITTEN,
        [SIMT_EDIT_SNAPSHOT] = SIMT_EDITED_SNAPSHOT, [SIMT_EDIT_BELOW] = SIMT_EDITED_BELOW,
        [SIMT_EDIT_AGAIN] = SIMT_EDITED_AGAIN,
    };
    unsigned all = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_there = edit_is_at(module, insn, &edits[i]);
        if (edits[i].kind < SIMT_N_EDITS && is_there)
            all |= flags[edits[i].kind];
        if (edits[i].kind == SIMT_EDIT_AGAIN && !is_there)
            all |= SIMT_EDITED_NOTED;
    }
    return all;
}

/*
 * The edits that make sense for a function: each instruction with a line is asked what could be
 * wrong with it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/program/edit/rewrite.h"

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
    struct simt_edit *edits = grow_room(list->edits, list->n, &list->room, 64, sizeof *edits);
    if (!edits)
        return false;
    list->edits = edits;
    list->edits[list->n++] = *edit;
    return true;
}

void edit_propose(struct edit_asked *asked, enum simt_edit_kind kind, int64_t from, int64_t to) {
    asked->edit.kind = kind;
    asked->edit.from = from;
    asked->edit.to = to;
    asked->ok &= edit_list_add(asked->list, &asked->edit);
}

/* Asks what could be wrong with an instruction at a line: its own, or that of the counter. */
static void ask(struct edit_asked *asked, const struct ptx_module *module,
                const struct ptx_insn *at) {
    static edit_ask *const asks[] = {edit_ask_values, edit_ask_arithmetic, edit_ask_lanes,
                                     edit_ask_leave,  edit_ask_locks,      edit_ask_sharing};
    const char *path = at ? ptx_file_path(module, at->file) : NULL;
    if (!path || at->line == 0)
        return;
    asked->edit = (struct simt_edit){.line = at->line};
    strncpy(asked->edit.place, path, sizeof asked->edit.place - 1);
    for (size_t k = 0; k < sizeof asks / sizeof *asks; k++)
        asks[k](asked);
}

bool edit_find_candidates(const struct ptx_module *module, const struct ptx_function *function,
                          struct edit_list *list) {
    if (function->n_insns == 0 || function->n_insns > MAX_INSNS)
        return true;
    struct flow_graph *graph = flow_build(function);
    struct ptx_writers writers;
    struct ptx_function indexed = *function;
    const bool is_indexed = ptx_writers_init(&writers, function);
    indexed.writers = &writers;
    struct edit_asked asked = {.function = &indexed, .graph = graph, .list = list};
    asked.ok = graph && is_indexed;
    asked.has_rows = asked.ok && edit_has_rows(&indexed);
    asked.has_lock = asked.ok && edit_has_lock(&indexed);
    for (size_t i = 0; asked.ok && i < function->n_insns; i++) {
        asked.index = i;
        asked.insn = &function->insns[i];
        ask(&asked, module, asked.insn);
        ask(&asked, module, edit_counter_of(&indexed, asked.insn));
    }
    ptx_writers_finish(&writers);
    flow_free(graph);
    return asked.ok;
}

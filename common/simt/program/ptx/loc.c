/*
 * Source positions: `.file` and `.loc`, and which line of the student's an instruction counts for.
 */
#include "common/simt/program/ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* nvcc writes the positions of one call chain behind each other; longer ones are cut. */
enum { MAX_CHAIN = 64 };

void ptx_parse_file(struct ptx_parser *p) {
    struct ptx_file *file = ptx_list_add(p, &p->files, sizeof *file);
    file->index = (unsigned)ptx_expect_int(p, "a file's number");
    if (p->token.kind != PTX_TOKEN_STRING)
        ptx_unexpected(p, "a file's name");
    struct ptx_token path = ptx_next(p);
    file->path = ptx_intern_token(p, &path);
    while (ptx_accept(p, ',')) /* time stamp and size */
        ptx_expect_int(p, "a number");
}

static void parse_position(struct ptx_parser *p, struct ptx_loc *loc) {
    loc->file = (unsigned)ptx_expect_int(p, "a file's number");
    loc->line = (unsigned)ptx_expect_int(p, "a line");
    loc->column = (unsigned)ptx_expect_int(p, "a column");
}

/* The record that `inlined_at` names; a record of its own where there is none. */
static uint32_t find_parent(struct ptx_parser *p, const struct ptx_loc *wanted) {
    struct ptx_loc *locs = p->locs.items;
    size_t first = p->chain == PTX_NO_LOC ? p->locs.n : p->chain;
    if (p->locs.n - first > MAX_CHAIN)
        first = p->locs.n - MAX_CHAIN;
    for (size_t i = p->locs.n; i-- > first;)
        if (locs[i].file == wanted->file && locs[i].line == wanted->line &&
            locs[i].column == wanted->column)
            return (uint32_t)i;
    struct ptx_loc *parent = ptx_list_add(p, &p->locs, sizeof *parent);
    *parent = *wanted;
    parent->parent = PTX_NO_LOC;
    return (uint32_t)p->locs.n - 1;
}

void ptx_parse_loc(struct ptx_parser *p) {
    struct ptx_loc loc = {.parent = PTX_NO_LOC};
    parse_position(p, &loc);
    while (ptx_accept(p, ',')) {
        struct ptx_token attribute = ptx_expect_word(p, "an attribute of .loc");
        if (ptx_token_is(&attribute, "function_name")) {
            if (p->token.kind != PTX_TOKEN_WORD && p->token.kind != PTX_TOKEN_DOTTED)
                ptx_unexpected(p, "a label");
            ptx_next(p);
            ptx_parse_offset(p);
        } else if (ptx_token_is(&attribute, "inlined_at")) {
            struct ptx_loc call = {.parent = PTX_NO_LOC};
            parse_position(p, &call);
            loc.parent = find_parent(p, &call);
        } else {
            ptx_fail(p, attribute.line, "unknown attribute of .loc: '%.*s'",
                     (int)(attribute.length > 80 ? 80 : attribute.length), attribute.start);
        }
    }
    *(struct ptx_loc *)ptx_list_add(p, &p->locs, sizeof loc) = loc;
    p->loc = (uint32_t)p->locs.n - 1;
    if (loc.parent == PTX_NO_LOC)
        p->chain = p->loc;
}

static int compare_files(const void *a, const void *b) {
    unsigned left = ((const struct ptx_file *)a)->index;
    unsigned right = ((const struct ptx_file *)b)->index;
    return (left > right) - (left < right);
}

/* nvcc reaches its own headers from the folder of its program, and libcu++ and CUB (CCCL) by their
 * real path; the host compiler's have functions, too, that run on the device. */
static bool is_toolkit(const struct ptx_module *module, unsigned index) {
    static const char *const parts[] = {"/bin/../", "/include/crt/", "/include/cccl/"};
    static const char *const starts[] = {"/usr/include/", "/usr/lib/gcc/"};
    const char *path = ptx_file_path(module, index);
    bool found = false;
    for (size_t i = 0; path && i < sizeof parts / sizeof *parts; i++)
        found |= strstr(path, parts[i]) != NULL;
    for (size_t i = 0; path && i < sizeof starts / sizeof *starts; i++)
        found |= !strncmp(path, starts[i], strlen(starts[i]));
    return found;
}

/* The position that each record counts for, once all files are known. */
static void resolve_records(struct ptx_parser *p) {
    struct ptx_loc *locs = p->locs.items;
    struct ptx_module *module = p->module;
    for (size_t i = 0; i < p->locs.n; i++) {
        struct ptx_loc *loc = &locs[i];
        bool is_resolvable = loc->parent != PTX_NO_LOC && loc->parent < i;
        if (is_resolvable && is_toolkit(module, loc->file))
            *loc = locs[loc->parent];
    }
}

void ptx_resolve_locs(struct ptx_parser *p) {
    p->module->n_files = p->files.n;
    p->module->files = ptx_list_keep(p, &p->files, 0, sizeof(struct ptx_file));
    if (p->files.n)
        qsort(p->module->files, p->files.n, sizeof(struct ptx_file), compare_files);
    resolve_records(p);
    const struct ptx_loc *locs = p->locs.items;
    struct ptx_function *functions = p->functions.items;
    for (size_t f = 0; f < p->functions.n; f++) {
        const struct ptx_loc *last = NULL;
        for (size_t i = 0; i < functions[f].n_insns; i++) {
            struct ptx_insn *insn = &functions[f].insns[i];
            /* The body's parser left the record's index, counted from 1. */
            if (insn->file && locs[insn->file - 1].line)
                last = &locs[insn->file - 1];
            insn->file = last ? last->file : 0;
            insn->line = last ? last->line : 0;
        }
    }
}

const char *ptx_file_path(const struct ptx_module *module, unsigned index) {
    struct ptx_file wanted = {index, NULL};
    if (!module->n_files)
        return NULL;
    const struct ptx_file *file =
        bsearch(&wanted, module->files, module->n_files, sizeof wanted, compare_files);
    return file ? file->path : NULL;
}

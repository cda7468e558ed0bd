/*
 * The edits that are set: the kernels that run in place of the program's own, the shapes of
 * launches, and which edits may be tried.
 */
#include "common/simt/state/edits.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/owned.h"
#include "common/simt/program/edit/rewrite.h"
#include "common/simt/report/report.h"

int simt_set_edits(struct simt *simt, const struct simt_edit *edits, size_t n) {
    if (n > SIMT_MAX_EDITS)
        return false;
    for (size_t i = 0; i < n; i++) {
        simt->edits[i] = edits[i];
        simt->edits[i].place[SIMT_EDIT_PLACE - 1] = '\0';
    }
    simt->n_edits = n;
    for (struct simt_module *module = simt->modules; module; module = module->next)
        for (size_t i = 0; i < module->n_kernels; i++) {
            module->kernels[i].edited = NULL; /* what was made stays in the module's list */
            module->kernels[i].n_launched = 0;
        }
    return true;
}

const struct simt_edit *simt_find_edit(const struct simt *simt, uint32_t kind, const char *kernel) {
    for (size_t i = 0; i < simt->n_edits; i++) {
        const struct simt_edit *edit = &simt->edits[i];
        if (edit->kind == kind &&
            (!kernel || strncmp(kernel, edit->place, SIMT_EDIT_PLACE - 1) == 0))
            return edit;
    }
    return NULL;
}

void simt_edited_free(struct simt_edited_kernel *edited) {
    while (edited) {
        struct simt_edited_kernel *next = edited->next;
        if (edited->kernel.program)
            simt_program_free(edited->kernel.program);
        ptx_free(edited->ptx);
        free(edited);
        edited = next;
    }
}

struct simt_kernel *simt_kernel_to_run(struct simt *simt, struct simt_kernel *kernel) {
    if (simt->n_edits == 0 || kernel->edited)
        return simt->n_edits ? kernel->edited : kernel;
    struct simt_module *module = kernel->module;
    struct simt_edited_kernel *edited = calloc(1, sizeof *edited);
    if (!edited)
        return NULL;
    edited->ptx = edit_module(module->ptx, simt->edits, simt->n_edits);
    if (!edited->ptx) {
        free(edited);
        return NULL;
    }
    edited->kernel = (struct simt_kernel){
        .module = module,
        .ptx = edited->ptx,
        .function = &edited->ptx->functions[kernel->function - module->ptx->functions],
        .plain_name = kernel->plain_name,
        .told_name = kernel->told_name,
    };
    edited->next = module->edited;
    module->edited = edited;
    return kernel->edited = &edited->kernel;
}

static uint32_t threads_of(const struct simt_dim3 *block) {
    return block->x * block->y * block->z;
}

/* The value of a parameter of 4 or 8 bytes; 0 where the kernel has none of this index. */
static uint64_t param_at(const struct ptx_function *function, int64_t index, const void *params) {
    uint64_t value = 0;
    if (index >= 0 && (uint64_t)index < function->n_params &&
        function->params[index].bytes <= sizeof value)
        memcpy(&value, (const char *)params + function->params[index].offset,
               function->params[index].bytes);
    return value;
}

/* A grid of at least a thread for each `to` elements. */
static void enlarge(const struct simt_kernel *kernel, const struct simt_edit *edit,
                    const void *params, uint32_t n_threads, struct simt_dim3 *grid) {
    enum { MOST_BLOCKS = 1 << 20 };
    const uint64_t n_elements = param_at(kernel->function, edit->from, params);
    const uint64_t a_block = (uint64_t)n_threads * (edit->to > 0 ? (uint64_t)edit->to : 1);
    const uint64_t wanted = a_block ? n_elements / a_block + (n_elements % a_block > 0) : 0;
    if (wanted > grid->x && wanted <= MOST_BLOCKS)
        grid->x = (uint32_t)wanted;
}

static void turn(struct simt_dim3 *shape) {
    const uint32_t x = shape->x;
    shape->x = shape->y;
    shape->y = x;
}

void simt_edit_launch(const struct simt *simt, const struct simt_kernel *kernel, const void *params,
                      struct simt_dim3 *grid, struct simt_dim3 *block, uint32_t *dynamic_bytes) {
    const char *name = kernel->plain_name.text;
    const struct simt_edit *edit;
    if ((edit = simt_find_edit(simt, SIMT_EDIT_BLOCK, name)) && edit->to > 0) {
        const uint64_t n = (uint64_t)grid->x * block->x, to = (uint64_t)edit->to;
        block->x = (uint32_t)to;
        grid->x = (uint32_t)((n + to - 1) / to);
    }
    if ((edit = simt_find_edit(simt, SIMT_EDIT_BLOCK_WARPS, name))) {
        const uint32_t least = edit->from > block->x ? (uint32_t)edit->from : block->x;
        block->x = (least + SIMT_LANES - 1) / SIMT_LANES * SIMT_LANES;
    }
    if ((edit = simt_find_edit(simt, SIMT_EDIT_GRID_MORE, name)))
        grid->x += (uint32_t)edit->to;
    if (params && (edit = simt_find_edit(simt, SIMT_EDIT_GRID, name)))
        enlarge(kernel, edit, params, threads_of(block), grid);
    if ((edit = simt_find_edit(simt, SIMT_EDIT_TURNED, name)))
        turn(edit->to ? block : grid);
    if ((edit = simt_find_edit(simt, SIMT_EDIT_SHARED, name))) {
        const uint64_t bytes = (uint64_t)edit->to * threads_of(block);
        if (bytes > *dynamic_bytes && bytes <= UINT32_MAX)
            *dynamic_bytes = (uint32_t)bytes;
    }
}

bool simt_skips_launch(const struct simt *simt, struct simt_kernel *kernel) {
    const struct simt_edit *edit = simt_find_edit(simt, SIMT_EDIT_SKIPPED, kernel->plain_name.text);
    return edit && (int64_t)kernel->n_launched++ == edit->to;
}

/* The kernel's and its callees' own: all functions of its module that were decoded for it. */
static bool list_lines(const struct simt_kernel *kernel, struct edit_list *list) {
    const struct simt_program *program = kernel->program;
    bool ok = edit_find_candidates(kernel->module->ptx, program->function, list);
    for (uint32_t i = 0; i < program->n_callees && ok; i++)
        ok = edit_find_candidates(kernel->module->ptx, program->callees[i]->function, list);
    return ok;
}

static bool list_launches(const struct simt_kernel *kernel, uint64_t n_launches,
                          struct edit_list *list) {
    static const struct {
        enum simt_edit_kind kind;
        int64_t to;
    } tries[] = {{SIMT_EDIT_GRID_MORE, 1}, {SIMT_EDIT_BLOCK_WARPS, 0}, {SIMT_EDIT_SHARED, 4},
                 {SIMT_EDIT_SHARED, 8},    {SIMT_EDIT_SHARED, 16},     {SIMT_EDIT_SKIPPED, 0},
                 {SIMT_EDIT_SKIPPED, 1}};
    bool ok = true;
    for (size_t i = 0; i < sizeof tries / sizeof *tries && ok; i++) {
        struct simt_edit edit = {.kind = tries[i].kind, .to = tries[i].to};
        if (edit.kind == SIMT_EDIT_SHARED && !simt_has_dynamic_array(kernel->program))
            continue;
        if (edit.kind == SIMT_EDIT_SKIPPED && (uint64_t)edit.to >= n_launches)
            continue;
        strncpy(edit.place, kernel->plain_name.text, sizeof edit.place - 1);
        ok = edit_list_add(list, &edit);
    }
    return ok;
}

/* Where a launch has rows, of blocks or of threads, x and y may be meant the other way round. */
static bool list_turns(const struct simt_report *report, const struct simt_kernel *kernel,
                       struct edit_list *list) {
    bool may_turn[2] = {false, false};
    for (size_t i = 0; i < report->n_launches; i++) {
        const struct simt_launch_report *launch = &report->launches[i];
        const bool has_rows = launch->grid.y > 1 || launch->block.y > 1;
        if (!has_rows || strcmp(launch->kernel, kernel->plain_name.text) != 0)
            continue;
        may_turn[0] |= launch->grid.x != launch->grid.y;
        may_turn[1] |= launch->block.x != launch->block.y;
    }
    bool ok = true;
    for (int to = 0; to < 2 && ok; to++) {
        struct simt_edit edit = {.kind = SIMT_EDIT_TURNED, .to = to};
        strncpy(edit.place, kernel->plain_name.text, sizeof edit.place - 1);
        ok = !may_turn[to] || edit_list_add(list, &edit);
    }
    return ok;
}

/* Any number among the parameters may be that of the elements. */
static bool list_grids(const struct simt_kernel *kernel, struct edit_list *list) {
    enum { MOST_PARAMS = 8 };
    static const int64_t items[] = {1, 2, 4, 8, 16};
    const struct ptx_function *function = kernel->function;
    bool ok = true;
    for (size_t p = 0; function->n_params <= MOST_PARAMS && p < function->n_params; p++) {
        const struct ptx_var *param = &function->params[p];
        for (size_t i = 0; i < sizeof items / sizeof *items && ok; i++) {
            struct simt_edit edit = {.kind = SIMT_EDIT_GRID, .from = (int64_t)p, .to = items[i]};
            strncpy(edit.place, kernel->plain_name.text, sizeof edit.place - 1);
            if (!param->is_pointer && (param->bytes == 4 || param->bytes == 8))
                ok = edit_list_add(list, &edit);
        }
    }
    return ok;
}

static bool list_runs(struct edit_list *list) {
    bool ok = true;
    for (uint32_t kind = SIMT_EDIT_NONE + 1; kind < SIMT_N_EDITS && ok; kind++)
        if (simt_edit_scope_of(kind) == SIMT_SCOPE_RUN)
            ok = edit_list_add(list, &(struct simt_edit){.kind = kind});
    return ok;
}

/* How often a kernel was launched since the report's last reset. */
static uint64_t count_launches(const struct simt_report *report, const struct simt_kernel *kernel) {
    for (size_t i = 0; i < report->n_kernels; i++)
        if (strcmp(report->kernels[i].kernel, kernel->plain_name.text) == 0)
            return report->kernels[i].n_launches;
    return 0;
}

size_t simt_edit_candidates(const struct simt *simt, struct simt_edit **candidates) {
    struct edit_list list = {0};
    struct simt_report report;
    bool ok = true;
    simt_record_view(simt->record, &report);
    for (const struct simt_module *module = simt->modules; module; module = module->next)
        for (size_t i = 0; i < module->n_kernels && ok; i++) {
            const struct simt_kernel *kernel = &module->kernels[i];
            const uint64_t n = kernel->program ? count_launches(&report, kernel) : 0;
            ok = n == 0 || (list_lines(kernel, &list) && list_launches(kernel, n, &list) &&
                            list_grids(kernel, &list) && list_turns(&report, kernel, &list));
        }
    if (!ok || !list_runs(&list)) {
        free(list.edits);
        list = (struct edit_list){0};
    }
    *candidates = list.edits;
    return list.n;
}

char *simt_edit_candidates_json(const struct simt *simt) {
    OWNED struct simt_edit *edits = NULL;
    const size_t n = simt_edit_candidates(simt, &edits);
    json_auto_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:i, s:s%, s:I, s:I}", "kind",
                            simt_edit_kind_word(edits[i].kind), "line", (int)edits[i].line, "place",
                            edits[i].place, strnlen(edits[i].place, SIMT_EDIT_PLACE), "from",
                            (json_int_t)edits[i].from, "to", (json_int_t)edits[i].to));
    return json_dumps(list, JSON_COMPACT);
}

char *simt_report_edits_json(const struct simt *simt) {
    char *report = simt_report_json(simt);
    OWNED char *candidates = simt_edit_candidates_json(simt);
    const size_t length = report ? strlen(report) : 0;
    char *joined = NULL;
    if (candidates && length > 0 &&
        asprintf(&joined, "%.*s,\"candidates\":%s}", (int)length - 1, report, candidates) < 0)
        joined = NULL;
    if (!joined)
        return report;
    free(report);
    return joined;
}

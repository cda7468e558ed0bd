/*
 * Which edit to try first: by what failed and where.
 */
#include <stdlib.h>
#include <string.h>

#include "common/harness/experiment/experiment.h"

/* What a failure looks like. */
enum sort { RACE, BOUNDS, UNWRITTEN, BARRIER, LANES, ENDLESS, WRONG, ERROR, N_SORTS };

/* How promising an edit is for each sort of failure, and how much it says. */
static const struct {
    uint8_t hope[N_SORTS], specificity;
} kinds[SIMT_N_EDITS] = {
#define HOPE(race, bounds, unwritten, barrier, lanes, endless, wrong, error)                       \
    { race, bounds, unwritten, barrier, lanes, endless, wrong, error }
#define EDIT(name, word, scope, is, change, hope, specificity, does, proves)                       \
    [SIMT_EDIT_##name] = {hope, specificity},
#include "common/simt/program/edit/edits.def"
#undef EDIT
#undef HOPE
};

unsigned lab_specificity(uint32_t kind) {
    return kind < SIMT_N_EDITS ? kinds[kind].specificity : 0;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static enum sort sort_of_finding(const char *kind) {
    static const struct {
        const char *kind;
        enum sort sort;
    } sorts[] = {
#define FINDING(name, word, by, failure, what) {word, failure},
#include "common/simt/findings.def"
#undef FINDING
    };

    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (strcmp(kind, sorts[i].kind) == 0)
            return sorts[i].sort;
    return WRONG;
}

/* What failed, for which a finding that the reason speaks of says more than the verdict. */
static enum sort sort_of(const json_t *document) {
    const json_t *findings = json_object_get(document, "findings"), *finding;
    const char *reason = text_of(document, "reason");
    size_t i;

    json_array_foreach(findings, i, finding) {
        if (strstr(reason, text_of(finding, "message")))
            return sort_of_finding(text_of(finding, "kind"));
    }
    if (json_array_size(findings) > 0)
        return sort_of_finding(text_of(json_array_get(findings, 0), "kind"));
    /* Right in the usual order, wrong in another one: as races are. */
    if (strcmp(text_of(document, "diagnosis"), "depends_on_order") == 0)
        return RACE;
    return strcmp(text_of(document, "verdict"), "cuda_error") == 0 ? ERROR : WRONG;
}

static bool is_at(const json_t *place, const struct simt_edit *edit) {
    return json_integer_value(json_object_get(place, "line")) == edit->line &&
           strncmp(text_of(place, "file"), edit->place, sizeof edit->place - 1) == 0;
}

static bool is_found_at(const json_t *document, const struct simt_edit *edit) {
    const json_t *findings = json_object_get(document, "findings"), *finding;
    size_t i;

    json_array_foreach(findings, i, finding) {
        if (is_at(json_object_get(finding, "here"), edit) ||
            is_at(json_object_get(finding, "other"), edit))
            return true;
    }
    return false;
}

/* Whether the line ran in one of the launches that the document has. */
static bool has_run(const json_t *document, const struct simt_edit *edit) {
    const json_t *launches = json_object_get(document, "launches"), *launch, *line;
    size_t i, k;

    json_array_foreach(launches, i, launch) {
        json_array_foreach(json_object_get(launch, "lines"), k, line) {
            if (is_at(line, edit))
                return true;
        }
    }
    return false;
}

bool lab_edit_concerns(const json_t *document, const struct simt_edit *edit) {
    const json_t *launches = json_object_get(document, "launches"), *launch;
    const enum simt_edit_scope scope = simt_edit_scope_of(edit->kind);
    size_t i;

    if (scope == SIMT_SCOPE_LINE)
        return has_run(document, edit);
    json_array_foreach(launches, i, launch) {
        if (scope == SIMT_SCOPE_RUN ||
            strncmp(text_of(launch, "kernel"), edit->place, sizeof edit->place - 1) == 0)
            return true;
    }
    return false;
}

/* A line with a finding counts twice, one that did not run a quarter. */
static unsigned score_of(const json_t *document, enum sort sort, const struct simt_edit *edit) {
    const unsigned hope = 4 * kinds[edit->kind].hope[sort];

    /* With the first block alone, a wrong share of each block may come to the right whole. */
    if (sort == WRONG && edit->kind == SIMT_EDIT_ONLY_FIRST && edit->to == SIMT_EDIT_CTAID_X)
        return 0;
    if (simt_edit_scope_of(edit->kind) != SIMT_SCOPE_LINE)
        return hope + hope / 4;
    if (is_found_at(document, edit))
        return 2 * hope;
    return has_run(document, edit) ? hope : hope / 4;
}

static int compare(const void *a, const void *b) {
    const struct lab_suspect *p = a, *q = b;

    if (p->score != q->score)
        return p->score < q->score ? 1 : -1;
    return p->order < q->order ? -1 : 1;
}

/* Of the edits that put something else for the same thing in the same line, each is tried behind
 * more of what is elsewhere: the nearest numbers come first, and most mistakes are near. */
static unsigned discount(const struct lab_suspect *list, size_t n, const struct simt_edit *edit) {
    unsigned n_before = 0;

    for (size_t i = 0; i < n; i++)
        n_before += list[i].edit.kind == edit->kind && list[i].edit.line == edit->line &&
                    list[i].edit.from == edit->from && strcmp(list[i].edit.place, edit->place) == 0;
    return n_before;
}

struct suspects {
    const json_t *document;
    enum sort sort;
    struct lab_suspect *list;
    size_t n;
};

static void add(struct suspects *suspects, const struct simt_edit *edit) {
    const unsigned score = score_of(suspects->document, suspects->sort, edit);

    if (score == 0)
        return;
    suspects->list[suspects->n] = (struct lab_suspect){
        *edit, score * 8 / (8 + discount(suspects->list, suspects->n, edit)), suspects->n};
    suspects->n++;
}

/* What is offered is read like a stranger's: numbers and texts may be anything. */
static struct simt_edit read_edit(const json_t *item) {
    const json_int_t line = json_integer_value(json_object_get(item, "line"));
    struct simt_edit edit = {
        .kind = simt_edit_kind_of(text_of(item, "kind")),
        .line = line > 0 && line < INT32_MAX ? (uint32_t)line : 0,
        .from = json_integer_value(json_object_get(item, "from")),
        .to = json_integer_value(json_object_get(item, "to")),
    };

    strncpy(edit.place, text_of(item, "place"), sizeof edit.place - 1);
    return edit;
}

/* The block that the case asks for, of the kernel that another edit names. */
static void add_block(struct suspects *suspects, struct simt_edit edit) {
    const json_t *c = json_object_get(suspects->document, "case");

    edit.kind = SIMT_EDIT_BLOCK;
    edit.to = json_integer_value(json_object_get(c, "block"));
    if (edit.to > 0)
        add(suspects, &edit);
}

size_t lab_suspects(const json_t *document, const json_t *candidates, size_t n_calls,
                    struct lab_suspect **list) {
    const size_t n = json_array_size(candidates);
    struct suspects suspects = {.document = document, .sort = sort_of(document)};
    const json_t *item;
    size_t i;

    *list = suspects.list = calloc(2 * n + 1, sizeof *suspects.list);
    if (!suspects.list || n > SIMT_MAX_CANDIDATES)
        return 0;
    json_array_foreach(candidates, i, item) {
        const struct simt_edit edit = read_edit(item);

        if (edit.kind == SIMT_EDIT_GRID_MORE)
            add_block(&suspects, edit);
        if (edit.kind != SIMT_EDIT_NONE && (edit.kind != SIMT_EDIT_FRESH || n_calls > 1))
            add(&suspects, &edit);
    }
    qsort(suspects.list, suspects.n, sizeof *suspects.list, compare);
    return suspects.n;
}

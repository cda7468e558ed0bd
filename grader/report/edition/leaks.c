/* All runs are kept, as hashes; looking one up is a bisection. */
#include "grader/report/edition/leaks.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "grader/alike/tokens.h"

enum { ROOM = 1 << 14 };

/* Whose a source is: of what the students are handed, or an answer. */
enum origin { GIVEN, MODEL, OTHER };

/* A run's hash (FNV-1a over the tokens); 0 where it goes over the border of two functions. */
static uint64_t run_at(const struct token *tokens, size_t width) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < width; i++) {
        if (tokens[i].line == 0)
            return 0;
        hash = (hash ^ tokens[i].what) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return hash;
}

static void add_runs(struct leaks_runs *runs, const struct tokens *tokens, bool is_given) {
    uint64_t **list = is_given ? &runs->given : &runs->answers;
    size_t *n = is_given ? &runs->n_given : &runs->n_answers;
    size_t *room = is_given ? &runs->room_given : &runs->room_answers;
    for (size_t i = 0; i + runs->width <= tokens->n; i++) {
        uint64_t *longer = grow_room(*list, *n, room, ROOM, sizeof **list);
        if (!longer)
            abort();
        *list = longer;
        longer[(*n)++] = run_at(tokens->items + i, runs->width);
    }
}

static enum grader_status add_file(struct leaks *leaks, const char *path, enum origin origin,
                                   struct diag *diag) {
    OWNED char *text = NULL;
    struct tokens tokens;
    size_t n_bytes;
    enum grader_status status = file_read(path, FILE_SOURCE_BYTES, &text, &n_bytes, diag);
    if (status != GRADER_OK)
        return status;
    tokens_read(&tokens, TOKENS_STRUCTURE, text, n_bytes);
    if (origin != OTHER)
        add_runs(&leaks->of_model, &tokens, origin == GIVEN);
    add_runs(&leaks->of_any, &tokens, origin == GIVEN);
    tokens_finish(&tokens);
    return GRADER_OK;
}

static enum origin origin_in(const char *folder, enum origin above) {
    return strcmp(folder, "skeleton") == 0   ? GIVEN
           : strcmp(folder, "variants") == 0 ? MODEL
                                             : (above == MODEL ? OTHER : above);
}

/* Adds the sources of a lab's solution. */
static enum grader_status add_folder(struct leaks *leaks, const char *path, enum origin origin,
                                     struct diag *diag) {
    OWNED_BY(folder_finish) struct folder folder;
    enum grader_status status = GRADER_OK;
    folder_read(&folder, path);
    for (size_t i = 0; i < folder.n && status == GRADER_OK; i++) {
        const char *name = folder.names[i];
        OWNED char *inside = text_format("%s/%s", path, name);
        if (file_is_link(inside))
            continue;
        if (file_is_directory(inside))
            status = add_folder(leaks, inside, origin_in(name, origin), diag);
        else if (text_is_like(name, "*.cu *.cuh *.h"))
            status = add_file(leaks, inside, origin, diag);
    }
    return status;
}

/* What lies beside the lab's own file: into that one somebody may have written an answer. */
static enum grader_status add_headers(struct leaks *leaks, const char *path, struct diag *diag) {
    OWNED_BY(folder_finish) struct folder folder;
    enum grader_status status = GRADER_OK;
    folder_read(&folder, path);
    for (size_t i = 0; i < folder.n && status == GRADER_OK; i++) {
        OWNED char *inside = text_format("%s/%s", path, folder.names[i]);
        if (text_is_like(folder.names[i], "*.cuh *.h") && file_is_regular(inside))
            status = add_file(leaks, inside, GIVEN, diag);
    }
    return status;
}

static int compare(const void *a, const void *b) {
    const uint64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void sort(struct leaks_runs *runs) {
    if (runs->n_answers > 0)
        qsort(runs->answers, runs->n_answers, sizeof *runs->answers, compare);
    if (runs->n_given > 0)
        qsort(runs->given, runs->n_given, sizeof *runs->given, compare);
}

enum grader_status leaks_read(struct leaks *leaks, const struct workbook *book, struct diag *diag) {
    enum grader_status status = GRADER_OK;
    *leaks = (struct leaks){.of_model.width = LEAKS_OF_MODEL, .of_any.width = LEAKS_OF_ANY};
    for (size_t i = 0; i < book->n_labs && status == GRADER_OK; i++) {
        OWNED char *solution = workbook_solution(book, &book->labs[i]);
        status = add_folder(leaks, solution, MODEL, diag);
        if (status == GRADER_OK)
            status = add_headers(leaks, book->labs[i].folder, diag);
    }
    sort(&leaks->of_model);
    sort(&leaks->of_any);
    return status;
}

void leaks_finish(struct leaks *leaks) {
    free(leaks->of_model.answers);
    free(leaks->of_model.given);
    free(leaks->of_any.answers);
    free(leaks->of_any.given);
}

static bool has(const uint64_t *list, size_t n, uint64_t run) {
    size_t at = count_below(run, list, n, sizeof *list);
    return at < n && list[at] == run;
}

static unsigned find(const struct leaks_runs *runs, const struct tokens *tokens) {
    for (size_t i = 0; i + runs->width <= tokens->n; i++) {
        uint64_t run = run_at(tokens->items + i, runs->width);
        if (run != 0 && has(runs->answers, runs->n_answers, run) &&
            !has(runs->given, runs->n_given, run))
            return tokens->items[i].line;
    }
    return 0;
}

unsigned leaks_find(const struct leaks *leaks, const char *text, size_t n_bytes) {
    struct tokens tokens;
    tokens_read(&tokens, TOKENS_STRUCTURE, text, n_bytes);
    unsigned line = find(&leaks->of_model, &tokens);
    if (line == 0)
        line = find(&leaks->of_any, &tokens);
    tokens_finish(&tokens);
    return line;
}

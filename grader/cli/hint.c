/* `hint LAB`: the next of a lab's hints, from a nudge to nearly all. How many were seen is kept in
 * BUILD/state/hints.json: {"01-name": 2}. */
#include "grader/cli/hint.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/file.h"
#include "common/base/text.h"
#include "grader/cli/commands.h"
#include "grader/grade/session.h"
#include "grader/workbook/workbook.h"

/* What is remembered; an empty object where there is nothing, or the file is damaged. */
static json_t *load(const char *path) {
    json_t *state = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(state))
        return state;
    json_decref(state);
    return json_object();
}

static unsigned hints_seen(const char *build, const char *lab) {
    char *path = text_format("%s/state/hints.json", build);
    json_t *state = load(path);
    json_int_t seen = json_integer_value(json_object_get(state, lab));
    json_decref(state);
    free(path);
    return seen > 0 && seen < 1000 ? (unsigned)seen : 0;
}

static enum grader_status remember(const char *build, const char *lab, unsigned n,
                                   struct diag *diag) {
    char *path = text_format("%s/state/hints.json", build);
    json_t *state = load(path);
    json_object_set_new(state, lab, json_integer(n));
    char *text = json_dumps(state, JSON_INDENT(2));
    enum grader_status status = file_write(path, text ? text : "", text ? strlen(text) : 0, diag);
    json_decref(state);
    free(text);
    free(path);
    return status;
}

static void show(const struct options *options, const char *lab, const struct manifest *manifest,
                 unsigned tier) {
    struct page page;
    page_init(&page, stdout, options->colour);
    page_text(&page, 0, PAGE_STRONG, "Hint %u of %u · %s", tier, manifest->n_hints,
              manifest->title);
    page_text(&page, 0, PAGE_PLAIN, "%s", manifest->hints[tier - 1]);
    page_blank(&page);
    if (tier == manifest->n_hints) {
        page_text(&page, 0, PAGE_FAINT, "That is the last one.");
        char *command = text_format("./warpbook hint %.2s --tier 1", lab);
        page_command(&page, 0, "the first", command);
        free(command);
    } else {
        char *command = text_format("./warpbook hint %.2s", lab);
        page_command(&page, 0, "one more", command);
        free(command);
    }
}

static void show_json(const char *lab, const struct manifest *manifest, unsigned tier) {
    json_t *hint = json_pack("{s:s, s:i, s:i, s:s}", "lab", lab, "tier", (int)tier, "tiers",
                             (int)manifest->n_hints, "text", manifest->hints[tier - 1]);
    json_dumpf(hint, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(hint);
}

static unsigned next_tier(const struct workbook *book, const char *lab,
                          const struct manifest *manifest) {
    unsigned seen = hints_seen(book->build, lab);
    return seen < manifest->n_hints ? seen + 1 : manifest->n_hints;
}

unsigned hint_take(const struct workbook *book, const char *lab, const struct manifest *manifest) {
    unsigned tier = next_tier(book, lab, manifest);
    remember(book->build, lab, tier, NULL);
    return tier;
}

/* Chooses the hint, shows it, and remembers that it was seen. */
static int give(const struct options *options, const struct workbook *book, const char *lab,
                const struct manifest *manifest) {
    struct diag diag;
    unsigned seen = hints_seen(book->build, lab);
    unsigned tier = options->tier > 0 ? options->tier : next_tier(book, lab, manifest);
    if (tier > manifest->n_hints) {
        diag_set(&diag, NULL, 0, "lab %.2s has %u hints, and no hint %u", lab, manifest->n_hints,
                 tier);
        return session_fail(GRADER_BAD_INPUT, &diag);
    }
    if (options->is_json)
        show_json(lab, manifest, tier);
    else
        show(options, lab, manifest, tier);
    fflush(stdout);
    if (tier > seen && remember(book->build, lab, tier, &diag) != GRADER_OK)
        return session_fail(GRADER_FAILED, &diag);
    return GRADER_OK;
}

int command_hint(const struct options *options) {
    struct workbook book;
    struct diag diag;
    enum grader_status status = workbook_init(&book, &diag);
    const struct workbook_lab *lab = NULL;
    struct manifest *manifest = NULL;
    if (status == GRADER_OK && !(lab = workbook_find(&book, options->argument, &diag)))
        status = GRADER_BAD_INPUT;
    if (status == GRADER_OK && !(manifest = manifest_load(lab->folder, &diag)))
        status = GRADER_FAILED;
    int code = status == GRADER_OK ? give(options, &book, lab->name, manifest)
                                   : session_fail(status, &diag);
    if (manifest)
        manifest_free(manifest);
    workbook_finish(&book);
    return code;
}

/* `verify`: for authors. Each lab's skeleton, model answer, mistakes and hints are what they claim.
 */
#include "grader/cli/commands.h"
#include "grader/cli/commands/measure.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/parallel.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"
#include "grader/verify/catalogue.h"

enum { MEASURE_SEED = 1 };

static void work(void *context, size_t index) {
    struct catalogue *catalogue = context;
    catalogue_run(catalogue, index);
}

static void show(const struct page *page, const json_t *row, bool is_verbose) {
    bool is_skipped = json_is_true(json_object_get(row, "skipped"));
    bool is_ok = json_is_true(json_object_get(row, "ok"));
    enum verdict_kind kind = is_skipped ? VERDICT_NOTHING : is_ok ? VERDICT_GOOD : VERDICT_BAD;
    const char *got = record_text(row, "got");
    struct page_span left[] = {
        {render_style(kind), render_mark(kind)},
        {PAGE_PLAIN, " "},
        {PAGE_PLAIN, record_text(row, "what")},
    };
    page_row(page, 2, left, sizeof left / sizeof *left, (struct page_span){PAGE_FAINT, got});
    if (!is_ok && !is_skipped)
        page_text(page, 4, PAGE_BAD, "%s", record_text(row, "problem"));
    else if (is_verbose)
        page_text(page, 4, PAGE_FAINT, "%s", record_text(row, "file"));
    if (is_verbose && *record_text(row, "detail"))
        page_text(page, 4, PAGE_FAINT, "%s", record_text(row, "detail"));
}

/* Waits for the rows in order; returns those that were done before the run was interrupted. */
static json_t *collect(struct catalogue *catalogue, struct queue *queue, const struct page *page,
                       bool is_verbose) {
    json_t *rows = json_array();
    const char *lab = "";
    for (size_t i = 0; i < catalogue->n; i++) {
        queue_wait(queue, i);
        const struct catalogue_item *item = &catalogue->items[i];
        if (item->is_interrupted)
            continue;
        json_array_append(rows, item->row);
        if (!page)
            continue;
        if (strcmp(lab, record_text(item->row, "lab")) != 0) {
            lab = record_text(item->row, "lab");
            page_text(page, 0, PAGE_STRONG, "%s", lab);
        }
        show(page, item->row, is_verbose);
        fflush(page->out);
    }
    return rows;
}

/* `n_all`: rows that there are where the run was not interrupted. */
static int finish(const struct session *session, const struct page *page, json_t *rows,
                  size_t n_all, double seconds) {
    size_t index, n_wrong = 0, n_skipped = 0;
    json_t *row;
    json_array_foreach(rows, index, row) {
        bool is_skipped = json_is_true(json_object_get(row, "skipped"));
        n_skipped += is_skipped;
        n_wrong += !is_skipped && !json_is_true(json_object_get(row, "ok"));
    }
    size_t n = json_array_size(rows);
    if (page) {
        OWNED char *device = device_text(&session->device);
        char *more = text_format("%s", "");
        page_blank(page);
        page_text(page, 0, PAGE_FAINT, "%s; %.1f s", device, seconds);
        if (n_skipped > 0)
            text_add(&more, ", %zu skipped", n_skipped);
        if (n < n_all)
            text_add(&more, ", %zu not looked at", n_all - n);
        page_text(page, 0, n_wrong > 0 || n < n_all ? PAGE_BAD : PAGE_GOOD,
                  "%zu of %zu as they should be%s", n - n_wrong - n_skipped, n_all, more);
        free(more);
    } else {
        record_print(json_pack("{s:s, s:i, s:s, s:f, s:b, s:b, s:o}", "schema", "warpbook-verify",
                               "version", 1, "backend", session->device.is_gpu ? "gpu" : "sim",
                               "seconds", seconds, "interrupted", n < n_all, "ok",
                               n_wrong == 0 && n == n_all, "rows", json_incref(rows)));
    }
    if (n < n_all)
        return session_fail(GRADER_INTERRUPTED, NULL);
    return n_wrong > 0 ? GRADER_NOT_PASSED : GRADER_OK;
}

static int verify(const struct session *session, struct catalogue *catalogue) {
    const struct options *options = session->options;
    double start_ms = process_clock_ms();
    struct page page;
    page_init(&page, stdout, options->colour);
    const struct page *shown = options->is_json ? NULL : &page;
    struct queue *queue = queue_start(catalogue->n, options->jobs, work, catalogue);
    json_auto_t *rows = collect(catalogue, queue, shown, options->is_verbose);
    queue_finish(queue);
    return finish(session, shown, rows, catalogue->n, (process_clock_ms() - start_ms) / 1e3);
}

/* The table is written before the page is verified, so that the new page is. */
static enum grader_status write_table(const struct catalogue *catalogue, const char *path,
                                      struct diag *diag) {
    char *text = catalogue_table(catalogue);
    enum grader_status status = file_write(path, text, strlen(text), diag);
    free(text);
    return status;
}

/* Why the options for measuring make no sense together, or NULL. */
static const char *senseless(uint64_t given) {
    bool is_mutants = given & OPTION_MUTANTS, is_strangers = given & OPTION_STRANGERS;
    if (is_mutants == is_strangers)
        return is_mutants ? "--mutants and --strangers are two commands: give one of them"
                          : "--share, --order, --holes and --sealed mean nothing without "
                            "--mutants or --strangers";
    if (is_strangers && given & (OPTION_ORDER | OPTION_HOLES))
        return "--order and --holes mean nothing to --strangers";
    if (given & OPTION_ORDER && given & OPTION_HOLES)
        return "--holes are of one change: leave --order out";
    return is_mutants && given & OPTION_SEALED ? "--sealed means nothing to --mutants" : NULL;
}

/* Mutants and strangers are measured on the simulator, and with the same numbers each time. */
static int measure(const struct options *options) {
    struct options own = *options;
    struct diag diag;
    if (!(own.given & OPTION_BACKEND))
        own.backend = DEVICE_SIM;
    if (!(own.given & OPTION_SEED))
        own.seed = MEASURE_SEED;
    own.given |= OPTION_SEED;
    bool is_strangers = own.given & OPTION_STRANGERS;
    const char *problem = senseless(own.given);
    if (problem) {
        diag_set(&diag, NULL, 0, "%s", problem);
        return session_fail(GRADER_BAD_INPUT, &diag);
    }
    OWNED_BY(session_finish) struct session session;
    enum grader_status status = session_init(&session, &own, &diag);
    return status != GRADER_OK ? session_fail(status, &diag)
           : is_strangers      ? measure_strangers(&session)
                               : measure_mutants(&session);
}

int command_verify(const struct options *options) {
    if (options->given & OPTION_MEASURING)
        return measure(options);
    OWNED_BY(session_finish) struct session session;
    OWNED_BY(catalogue_finish) struct catalogue catalogue = {0};
    struct diag diag;
    enum grader_status status = session_init(&session, options, &diag);
    if (status == GRADER_OK)
        status = catalogue_init(&catalogue, &session, options->argument, &diag);
    if (status == GRADER_OK && options->table)
        status = write_table(&catalogue, options->table, &diag);
    return status == GRADER_OK ? verify(&session, &catalogue) : session_fail(status, &diag);
}

/* `verify --mutants` and `--strangers`: for authors. What do the tests miss, and how well do they
 * tell what is wrong? */
#include "grader/cli/commands/measure.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "grader/grade/record.h"
#include "grader/verify/mutants/campaign.h"
#include "grader/verify/mutants/tally.h"
#include "grader/verify/strangers/counts.h"

enum { STEPS_BETWEEN = 10 };

/* All that was found, lab by lab. */
struct findings {
    json_t *labs; /* [{lab, families, all, problems, rows}] */
    struct tallies all;
    size_t n_problems, n_open; /* survivors of model answers that no list has */
};

static void show_progress(const char *lab, const char *step, size_t done, size_t n) {
    if (done % STEPS_BETWEEN == 0 || done == n)
        fprintf(stderr, "%s: %zu of %zu %s%s", lab, done, n, step,
                isatty(STDERR_FILENO) && done < n ? "\r" : "\n");
}

static void show_lab(const struct page *page, const json_t *lab, const struct tallies *tallies) {
    size_t index;
    json_t *row, *problem;
    page_text(page, 0, PAGE_STRONG, "%s", record_text(lab, "lab"));
    tallies_show(tallies, page);
    json_array_foreach(json_object_get(lab, "rows"), index, row) {
        if (!row_is_survivor(row))
            continue;
        OWNED char *text = row_text(row);
        page_text(page, 2, PAGE_PLAIN, "%s: %s", record_text(row, "end"), text);
    }
    json_array_foreach(json_object_get(lab, "problems"), index, problem)
        page_text(page, 2, PAGE_BAD, "%s", json_string_value(problem));
    page_blank(page);
    fflush(page->out);
}

/* Survivors of the model answer that no list has. */
static size_t count_open(const json_t *rows) {
    size_t index, n = 0;
    json_t *row;
    json_array_foreach(rows, index, row) {
        n += strcmp(record_text(row, "end"), mutant_end_words[MUTANT_SURVIVED]) == 0 &&
             !strchr(record_text(row, "file"), '/');
    }
    return n;
}

static void add_lab(struct findings *findings, const struct page *page, const char *name,
                    const struct campaign_lab *result) {
    struct tallies tallies = {0};
    tallies_add(&tallies, result->rows);
    tallies_add(&findings->all, result->rows);
    json_t *lab = tallies_json(&tallies);
    json_object_update_new(lab, json_pack("{s:s, s:O, s:O}", "lab", name, "problems",
                                          result->problems, "rows", result->rows));
    json_array_append_new(findings->labs, lab);
    findings->n_problems += json_array_size(result->problems);
    findings->n_open += count_open(result->rows);
    if (page)
        show_lab(page, lab, &tallies);
}

static enum grader_status look_at_labs(const struct campaign *campaign, const char *argument,
                                       const struct page *page, struct findings *findings,
                                       struct diag *diag) {
    const struct workbook *book = &campaign->grading->session->book;
    const struct workbook_lab *only = argument ? workbook_find(book, argument, diag) : NULL;
    enum grader_status status = argument && !only ? GRADER_BAD_INPUT : GRADER_OK;
    for (size_t i = 0; i < book->n_labs && status == GRADER_OK; i++) {
        struct campaign_lab result;
        if (only && only != &book->labs[i])
            continue;
        status = campaign_run(campaign, &book->labs[i], &result, diag);
        if (status == GRADER_OK)
            add_lab(findings, page, book->labs[i].name, &result);
        if (status == GRADER_OK && result.is_interrupted)
            status = GRADER_INTERRUPTED;
        campaign_lab_finish(&result);
    }
    return status;
}

static void print_json(const struct findings *findings, double seconds, bool is_interrupted) {
    json_auto_t *record = json_pack("{s:s, s:i, s:f, s:b, s:o, s:O}", "schema", "warpbook-mutants",
                                    "version", 1, "seconds", seconds, "interrupted", is_interrupted,
                                    "all", tallies_json(&findings->all), "labs", findings->labs);
    json_dumpf(record, stdout, JSON_INDENT(1));
    putchar('\n');
}

static void write_survivors(FILE *out, const json_t *rows) {
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) {
        const char *source = record_text(row, "source");
        if (row_is_survivor(row))
            fprintf(out, "- `%s:%d`, %s: `%s` in `%s`\n", record_text(row, "file"),
                    (int)record_count(row, "line"), record_text(row, "end"),
                    record_text(row, "change"), source + strspn(source, " \t"));
    }
}

/* The page solutions/MUTANTS.md. */
static enum grader_status write_page(const struct findings *findings, const struct options *options,
                                     struct diag *diag) {
    char *text = NULL;
    size_t bytes, index;
    json_t *lab;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fprintf(out,
            "# Mutants\n\nWhat came of small changes to the answers: "
            "[what the columns mean](../grader/verify/README.md#mutants). Made by\n"
            "`./warpbook verify --mutants --share %s --order %d --seed %llx --table FILE`.\n\n"
            "## All labs\n\n",
            options->share ? options->share : "100%", options->order,
            (unsigned long long)options->seed);
    tallies_write(&findings->all, out);
    json_array_foreach(findings->labs, index, lab) {
        struct tallies tallies = {0};
        const json_t *rows = json_object_get(lab, "rows");
        tallies_add(&tallies, rows);
        fprintf(out, "\n## %s\n\n", record_text(lab, "lab"));
        tallies_write(&tallies, out);
        fputs("\nSurvivors:\n\n", out);
        write_survivors(out, rows);
    }
    if (fclose(out) != 0)
        abort();
    enum grader_status status = file_write(options->table, text, bytes, diag);
    free(text);
    return status;
}

static int finish(const struct findings *findings, const struct options *options,
                  const struct page *page, double seconds, bool is_interrupted) {
    if (page && json_array_size(findings->labs) > 1) {
        page_text(page, 0, PAGE_STRONG, "all");
        tallies_show(&findings->all, page);
        page_blank(page);
    }
    if (page) {
        page_text(page, 0, PAGE_FAINT, "%.1f s", seconds);
        page_text(page, 0, findings->n_open + findings->n_problems > 0 ? PAGE_BAD : PAGE_GOOD,
                  "%zu of model answers survived and are in no list; %zu problem%s",
                  findings->n_open, findings->n_problems, findings->n_problems == 1 ? "" : "s");
    } else {
        print_json(findings, seconds, is_interrupted);
    }
    struct diag diag = {0};
    if (is_interrupted)
        return session_fail(GRADER_INTERRUPTED, &diag);
    if (options->table && write_page(findings, options, &diag) != GRADER_OK)
        return session_fail(GRADER_FAILED, &diag);
    return findings->n_open + findings->n_problems > 0 ? GRADER_NOT_PASSED : GRADER_OK;
}

static enum grader_status look_at_strangers(const struct strangers *strangers,
                                            const struct page *page, json_t *labs,
                                            struct diag *diag) {
    const struct session *session = strangers->grading->session;
    const char *argument = session->options->argument;
    const struct workbook_lab *only =
        argument ? workbook_find(&session->book, argument, diag) : NULL;
    enum grader_status status = argument && !only ? GRADER_BAD_INPUT : GRADER_OK;
    for (size_t i = 0; i < session->book.n_labs && status == GRADER_OK; i++) {
        struct strangers_lab result;
        struct counts counts = {0};
        if (only && only != &session->book.labs[i])
            continue;
        status = strangers_run(strangers, &session->book.labs[i], &result, diag);
        counts_add(&counts, result.rows);
        json_t *lab =
            json_pack("{s:s, s:o, s:O, s:O}", "lab", session->book.labs[i].name, "counts",
                      counts_json(&counts), "problems", result.problems, "rows", result.rows);
        json_array_append_new(labs, lab);
        if (page && status == GRADER_OK)
            strangers_show(page, lab, session->options->is_verbose);
        if (status == GRADER_OK && result.is_interrupted)
            status = GRADER_INTERRUPTED;
        strangers_lab_finish(&result);
    }
    return status;
}

/* The page solutions/STRANGERS.md. */
static enum grader_status write_strangers(const json_t *labs, const struct options *options,
                                          struct diag *diag) {
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fprintf(out,
            "# Strangers' answers\n\nWhat came of answers by people who saw neither tests nor "
            "catalogue:\n[what the columns mean](../grader/verify/README.md#strangers-answers). "
            "Made by\n`./warpbook verify --strangers%s --share %s --seed %llx --table FILE`.\n\n",
            options->given & OPTION_SEALED ? " --sealed" : "",
            options->share ? options->share : "100%", (unsigned long long)options->seed);
    counts_write(out, labs);
    if (fclose(out) != 0)
        abort();
    enum grader_status status = file_write(options->table, text, bytes, diag);
    free(text);
    return status;
}

/* What is shown at the end; returns the exit code. */
static int finish_strangers(const struct page *page, const json_t *labs,
                            const struct options *options, bool is_interrupted) {
    struct counts all = {0};
    size_t index, n_problems = 0;
    json_t *lab;
    struct diag diag = {0};
    json_array_foreach(labs, index, lab) {
        counts_add(&all, json_object_get(lab, "rows"));
        n_problems += json_array_size(json_object_get(lab, "problems"));
    }
    if (page)
        counts_show(page, labs);
    else
        record_print(json_pack("{s:s, s:i, s:b, s:o, s:O}", "schema", "warpbook-strangers",
                               "version", 1, "interrupted", is_interrupted, "all",
                               counts_json(&all), "labs", labs));
    if (is_interrupted)
        return session_fail(GRADER_INTERRUPTED, &diag);
    if (options->table && write_strangers(labs, options, &diag) != GRADER_OK)
        return session_fail(GRADER_FAILED, &diag);
    return n_problems > 0 ? GRADER_NOT_PASSED : GRADER_OK;
}

int measure_strangers(const struct session *session) {
    const struct options *options = session->options;
    OWNED_BY(grading_finish) struct grading grading;
    struct strangers strangers = {
        .grading = &grading,
        .seed = session->seed,
        .is_sealed = options->given & OPTION_SEALED,
        .progress = show_progress,
    };
    struct page page;
    struct diag diag = {0};
    json_auto_t *labs = json_array();
    share_read(options->share, &strangers.share);
    page_init(&page, stdout, options->colour);
    grading_init(&grading, session);
    const struct page *shown = options->is_json ? NULL : &page;
    enum grader_status status = look_at_strangers(&strangers, shown, labs, &diag);
    bool is_interrupted = status == GRADER_INTERRUPTED;
    return status == GRADER_OK || is_interrupted
               ? finish_strangers(shown, labs, options, is_interrupted)
               : session_fail(status, &diag);
}

int measure_mutants(const struct session *session) {
    const struct options *options = session->options;
    OWNED_BY(grading_finish) struct grading grading;
    struct findings findings = {.labs = json_array()};
    struct campaign campaign = {
        .grading = &grading,
        .order = options->order,
        .holes_alone = options->given & OPTION_HOLES,
        .seed = session->seed,
        .progress = show_progress,
    };
    struct page page;
    struct diag diag = {0};
    double start_ms = process_clock_ms();
    share_read(options->share, &campaign.share);
    page_init(&page, stdout, options->colour);
    grading_init(&grading, session);
    const struct page *shown = options->is_json ? NULL : &page;
    enum grader_status status = look_at_labs(&campaign, options->argument, shown, &findings, &diag);
    bool is_interrupted = status == GRADER_INTERRUPTED;
    double seconds = (process_clock_ms() - start_ms) / 1e3;
    int code = status == GRADER_OK || is_interrupted
                   ? finish(&findings, options, shown, seconds, is_interrupted)
                   : session_fail(status, &diag);
    json_decref(findings.labs);
    return code;
}

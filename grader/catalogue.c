/* Judges what authors claim of their labs, item by item. */
#include "grader/catalogue.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "grader/file.h"
#include "grader/record.h"
#include "grader/regions.h"
#include "grader/text.h"

enum { HINT_TIERS = 3 };

/* Why the tests of a file did not run, or NULL. */
static char *not_run(const json_t *lab) {
    const char *verdict = record_text(lab, "verdict");
    if (strcmp(verdict, "compile_error") == 0)
        return text_format("it does not compile:\n%s",
                           record_text(json_object_get(lab, "compile"), "messages"));
    if (json_array_size(json_object_get(lab, "tests")) == 0)
        return text_format("%s", record_text(lab, "reason"));
    return NULL;
}

/* "name: verdict; name: verdict" of the tests that ended otherwise than wanted. */
static char *tests_unlike(const json_t *lab, const char *wanted) {
    char *text = NULL;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const char *verdict = record_text(test, "verdict");
        if (strcmp(verdict, wanted) == 0 || strcmp(verdict, "skipped") == 0)
            continue;
        char *more = text_format("%s%s%s: %s, %s", text ? text : "", text ? "\n" : "",
                                 record_text(test, "name"), verdict, record_text(test, "reason"));
        free(text);
        text = more;
    }
    return text;
}

static char *judge_skeleton(const struct catalogue_item *item, const struct target *target,
                            const char *model, const json_t *lab, char **got) {
    (void)item;
    (void)target;
    (void)model;
    char *problem = not_run(lab);
    if (!problem)
        problem = tests_unlike(lab, "not_written");
    *got = text_format("not written yet");
    return problem;
}

static char *judge_model(const struct catalogue_item *item, const struct target *target,
                         const char *model, const json_t *lab, char **got) {
    (void)item;
    (void)target;
    (void)model;
    char *problem = not_run(lab);
    if (!problem)
        problem = tests_unlike(lab, "pass");
    *got = text_format("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " points",
                       record_count(lab, "points"), record_count(lab, "max_points"));
    return problem;
}

static char *judge_mistake(const struct catalogue_item *item, const struct target *target,
                           const char *model, const json_t *lab, char **got) {
    (void)model;
    const struct mistake *mistake = item->mistake;
    if (!manifest_diagnosis_find(target->manifest, mistake->diagnosis))
        return text_format("the lab has no diagnosis '%s'", mistake->diagnosis);
    char *problem = not_run(lab);
    if (problem)
        return problem;
    const json_t *test = json_array_get(json_object_get(lab, "tests"), 0);
    const char *id = record_text(json_object_get(test, "diagnosis"), "id");
    const char *verdict = record_text(test, "verdict");
    *got = text_format("%s, %s", verdict, *id ? id : "no diagnosis");
    if (strcmp(verdict, mistake->verdict) == 0 && strcmp(id, mistake->diagnosis) == 0)
        return NULL;
    return text_format("%s should give %s, %s; it gives %s, %s. %s", mistake->test,
                       mistake->verdict, mistake->diagnosis, verdict, *id ? id : "no diagnosis",
                       record_text(test, "reason"));
}

static char *judge_likeness(const struct catalogue_item *item, const struct target *target,
                            const char *model, const json_t *lab, char **got) {
    (void)item;
    (void)lab;
    char *a = NULL, *b = NULL, *problem = NULL;
    size_t n;
    struct diag diag;
    if (file_read_source(target->source, &a, &n, &diag) != GRADER_OK ||
        file_read_source(model, &b, &n, &diag) != GRADER_OK ||
        !regions_agree(target->source, a, model, b, &diag))
        problem = text_format("%s:%u: %s", diag.file, diag.line, diag.message);
    *got = text_format("the same");
    free(a);
    free(b);
    return problem;
}

/* Wrong answers without an entry are not looked at by anything: an oversight. */
static char *unlisted_mistake(const struct mistakes *mistakes, const char *folder) {
    char *problem = NULL;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && !problem && (entry = readdir(entries));) {
        const char *dot = strrchr(entry->d_name, '.');
        bool is_listed = !dot || strcmp(dot, ".cu") != 0;
        for (unsigned i = 0; i < mistakes->n_mistakes && !is_listed; i++)
            is_listed = strcmp(mistakes->mistakes[i].file, entry->d_name) == 0;
        if (!is_listed)
            problem = text_format("%s/%s is not in mistakes.yaml", folder, entry->d_name);
    }
    if (entries)
        closedir(entries);
    return problem;
}

static char *judge_hints(const struct catalogue_item *item, const struct target *target,
                         const char *model, const json_t *lab, char **got) {
    (void)item;
    (void)model;
    (void)lab;
    const struct manifest *manifest = target->manifest;
    *got = text_format("%u hints, %u diagnoses", manifest->n_hints, manifest->n_diagnoses);
    if (manifest->n_hints < HINT_TIERS)
        return text_format("the lab has %u hints, not %d", manifest->n_hints, HINT_TIERS);
    for (unsigned i = 0; i < manifest->n_hints; i++) {
        if (strspn(manifest->hints[i], " \n") == strlen(manifest->hints[i]))
            return text_format("hint %u is empty", i + 1);
    }
    return NULL;
}

static struct catalogue_item *add(struct catalogue *catalogue) {
    struct catalogue_item *items = realloc(catalogue->items, (catalogue->n + 1) * sizeof *items);
    if (!items)
        abort();
    catalogue->items = items;
    memset(&items[catalogue->n], 0, sizeof *items);
    return &items[catalogue->n++];
}

/* Adds a file of a lab, and the item that is about it. */
static struct catalogue_item *add_file(struct catalogue *catalogue, const struct workbook_lab *lab,
                                       char *path, char *what) {
    struct catalogue_item *item = add(catalogue);
    targets_add(&catalogue->targets, lab, file_display(path));
    item->target = catalogue->targets.n - 1;
    item->what = what;
    item->is_graded = true;
    free(path);
    return item;
}

/* The mistakes of a lab; false where their list is broken. */
static bool add_mistakes(struct catalogue *catalogue, const struct workbook_lab *lab,
                         const char *solution, struct diag *diag) {
    struct mistakes *mistakes = mistakes_load(solution, diag);
    if (!mistakes)
        return false;
    catalogue->mistakes =
        realloc(catalogue->mistakes, (catalogue->n_mistakes + 1) * sizeof(struct mistakes *));
    if (!catalogue->mistakes)
        abort();
    catalogue->mistakes[catalogue->n_mistakes++] = mistakes;
    bool is_gpu = catalogue->grading.session->device.is_gpu;
    char *folder = text_format("%s/mistakes", solution);
    char *problem = unlisted_mistake(mistakes, folder);
    for (unsigned i = 0; i < mistakes->n_mistakes; i++) {
        const struct mistake *mistake = &mistakes->mistakes[i];
        struct catalogue_item *item =
            add_file(catalogue, lab, text_format("%s/%s", folder, mistake->file),
                     text_format("mistakes/%s", mistake->file));
        item->mistake = mistake;
        item->judge = judge_mistake;
        item->is_skipped = !mistake_shows_on(mistake, is_gpu ? "gpu" : "sim");
    }
    if (problem)
        diag_set(diag, NULL, 0, "%s", problem);
    free(folder);
    bool ok = problem == NULL;
    free(problem);
    return ok;
}

static bool add_lab(struct catalogue *catalogue, const struct workbook_lab *lab,
                    struct diag *diag) {
    struct manifest *manifest = manifest_load(lab->folder, diag);
    if (!manifest)
        return false;
    char *solution = workbook_solution(&catalogue->grading.session->book, lab);
    char *model = text_format("%s/%s", solution, manifest->source);
    struct catalogue_item *item =
        add_file(catalogue, lab, text_format("%s/%s", lab->folder, manifest->source),
                 text_format("skeleton"));
    item->judge = judge_skeleton;
    size_t skeleton = item->target;
    item = add_file(catalogue, lab, text_format("%s", model), text_format("model answer"));
    item->judge = judge_model;
    item = add(catalogue);
    item->target = skeleton;
    item->what = text_format("skeleton and model answer");
    item->judge = judge_likeness;
    item->model = file_display(model);
    item = add(catalogue);
    item->target = skeleton;
    item->what = text_format("hints");
    item->judge = judge_hints;
    bool ok = add_mistakes(catalogue, lab, solution, diag);
    manifest_free(manifest);
    free(model);
    free(solution);
    return ok;
}

enum grader_status catalogue_init(struct catalogue *catalogue, const struct session *session,
                                  const char *argument, struct diag *diag) {
    memset(catalogue, 0, sizeof *catalogue);
    grading_init(&catalogue->grading, session);
    const struct workbook *book = &session->book;
    const struct workbook_lab *lab = argument ? workbook_find(book, argument, diag) : NULL;
    if (argument && !lab)
        return GRADER_BAD_INPUT;
    for (size_t i = 0; i < book->n_labs; i++) {
        if ((!lab || lab == &book->labs[i]) && !add_lab(catalogue, &book->labs[i], diag))
            return GRADER_FAILED;
    }
    return GRADER_OK;
}

void catalogue_finish(struct catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->n; i++) {
        free(catalogue->items[i].what);
        free(catalogue->items[i].model);
        json_decref(catalogue->items[i].row);
    }
    for (size_t i = 0; i < catalogue->n_mistakes; i++)
        mistakes_free(catalogue->mistakes[i]);
    free(catalogue->mistakes);
    free(catalogue->items);
    targets_finish(&catalogue->targets);
    if (catalogue->grading.session)
        grading_finish(&catalogue->grading);
}

void catalogue_run(struct catalogue *catalogue, size_t index) {
    struct catalogue_item *item = &catalogue->items[index];
    const struct target *target = &catalogue->targets.items[item->target];
    const struct options *options = catalogue->grading.session->options;
    struct grading_job job = {
        .target = target,
        .test = item->mistake ? item->mistake->test : NULL,
        .again = "./warpbook grade",
        .jobs = item->mistake ? 1 : options->jobs,
    };
    char *problem = NULL, *got = NULL;
    if (item->is_graded && !item->is_skipped)
        grading_run(&catalogue->grading, &job);
    item->is_interrupted = job.is_interrupted;
    if (item->is_skipped)
        got = text_format("%s only", item->mistake->backend);
    else if (!job.is_interrupted)
        problem = item->judge(item, target, item->model, job.lab, &got);
    item->row = json_pack("{s:s, s:s, s:s, s:b, s:b, s:s*, s:s*}", "lab", target->lab->name, "what",
                          item->what, "file", target->source, "ok", problem == NULL, "skipped",
                          item->is_skipped, "got", problem ? NULL : got, "problem", problem);
    json_decref(job.lab);
    free(problem);
    free(got);
}

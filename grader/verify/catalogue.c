/* Lists what there is to verify of each lab, has each item graded and judged, and writes the page
 * of mistakes. */
#include "grader/verify/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/verify/belongings.h"
#include "grader/verify/judge.h"
#include "grader/workbook/yaml.h"

/* Wrong answers without an entry are not looked at by anything: an oversight. */
static char *unlisted_mistake(const struct mistakes *mistakes, const char *folder) {
    char *problem = NULL;
    OWNED_BY(folder_finish) struct folder files;
    folder_read(&files, folder);
    for (size_t i = 0; i < files.n && !problem; i++) {
        const char *name = files.names[i], *dot = strrchr(name, '.');
        if (dot && strcmp(dot, ".cu") == 0 &&
            !find_in_list(name, mistakes->mistakes, mistakes->n_mistakes,
                          sizeof *mistakes->mistakes))
            problem = text_format("%s/%s is not in mistakes.yaml", folder, name);
    }
    return problem;
}

static struct catalogue_item *add(struct catalogue *catalogue) {
    catalogue->items = grow_list(catalogue->items, catalogue->n, sizeof *catalogue->items);
    struct catalogue_item *item = &catalogue->items[catalogue->n++];
    *item = (struct catalogue_item){0};
    return item;
}

/* Adds an item that is about a file already there; takes `what` and `model`. */
static void add_about(struct catalogue *catalogue, size_t target, char *what,
                      catalogue_judge *judge, char *model) {
    struct catalogue_item *item = add(catalogue);
    item->target = target;
    item->what = what;
    item->judge = judge;
    item->model = model;
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

/* Right answers of other habits than the model's, where there are any. */
static void add_variants(struct catalogue *catalogue, const struct workbook_lab *lab,
                         const char *solution) {
    char *folder = text_format("%s/variants", solution);
    struct folder files;
    folder_read(&files, folder);
    for (size_t i = 0; i < files.n; i++) {
        struct catalogue_item *item =
            add_file(catalogue, lab, text_format("%s/%s", folder, files.names[i]),
                     text_format("variants/%s", files.names[i]));
        item->judge = judge_model;
    }
    folder_finish(&files);
    free(folder);
}

/* The mistakes of a lab; false where their list is broken. */
static bool add_mistakes(struct catalogue *catalogue, const struct workbook_lab *lab,
                         size_t skeleton, const char *solution, struct diag *diag) {
    struct mistakes *mistakes = mistakes_load(solution, diag);
    if (!mistakes)
        return false;
    catalogue->mistakes =
        grow_list(catalogue->mistakes, catalogue->n_mistakes, sizeof *catalogue->mistakes);
    catalogue->mistakes[catalogue->n_mistakes++] = mistakes;
    bool is_gpu = catalogue->grading.session->device.is_gpu;
    add_about(catalogue, skeleton, text_format("what mistakes show"), judge_reach, NULL);
    catalogue->items[catalogue->n - 1].mistakes = mistakes;
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

/* The handout's numbers, where the workbook knows where they come from and the build can count
 * them. */
static void add_numbers(struct catalogue *catalogue, const struct workbook_lab *lab,
                        size_t target) {
    const struct workbook *book = &catalogue->grading.session->book;
    char *facts = text_format("%s/handouts/facts/lab%.2s.py", book->root, lab->name);
    char *answer = text_format("%s/handouts/facts/answer_%.2s.so", book->build, lab->name);
    OWNED char *handout = text_format("%s/handouts/%s.md", book->root, lab->name);
    if (file_exists(facts) && file_exists(answer) && file_exists(handout))
        add_about(catalogue, target, text_format("handout's numbers"), judge_numbers, NULL);
    free(answer);
    free(facts);
}

/* A lab whose answers somebody has deleted: what is left is named, and the others are verified. */
static bool add_without_answers(struct catalogue *catalogue, const struct workbook_lab *lab) {
    struct catalogue_item *item =
        add_file(catalogue, lab, text_format("%s/lab.yaml", lab->folder), text_format("answers"));
    item->is_graded = false;
    item->judge = judge_rest;
    return true;
}

/* What is left of labs that somebody has deleted. */
static void add_left(struct catalogue *catalogue, const struct workbook *book) {
    OWNED_BY(folder_finish) struct folder names;
    belongings_left(book, &names);
    for (size_t i = 0; i < names.n; i++) {
        struct catalogue_item *item = add(catalogue);
        item->gone = text_format("%s", names.names[i]);
        item->what = text_format("the lab");
        item->judge = judge_rest;
    }
}

static bool add_lab(struct catalogue *catalogue, const struct workbook_lab *lab,
                    struct diag *diag) {
    const struct workbook *book = &catalogue->grading.session->book;
    OWNED char *solution = workbook_solution(book, lab);
    if (!file_is_directory(solution))
        return add_without_answers(catalogue, lab);
    struct manifest *manifest = manifest_load(lab->folder, diag);
    if (!manifest)
        return false;
    char *model = text_format("%s/%s", solution, manifest->source);
    struct catalogue_item *item = add_file(
        catalogue, lab, workbook_skeleton(book, lab, manifest->source), text_format("skeleton"));
    item->judge = judge_skeleton;
    size_t skeleton = item->target;
    item = add_file(catalogue, lab, text_format("%s", model), text_format("model answer"));
    item->judge = judge_answer;
    add_about(catalogue, skeleton, text_format("skeleton and model answer"), judge_likeness,
              file_display(model));
    add_about(catalogue, skeleton, text_format("hints"), judge_hints, NULL);
    add_about(catalogue, skeleton, text_format("tests"), judge_tests, NULL);
    add_about(catalogue, skeleton, text_format("folders"), judge_folder, NULL);
    char *handout = text_format("%s/handouts/%s.md", book->root, lab->name);
    add_about(catalogue, skeleton, text_format("handout"), judge_handout, file_display(handout));
    free(handout);
    add_numbers(catalogue, lab, skeleton);
    add_variants(catalogue, lab, solution);
    bool ok = add_mistakes(catalogue, lab, skeleton, solution, diag);
    manifest_free(manifest);
    free(model);
    return ok;
}

/* The page of all mistakes, where the workbook has one or is to get one. */
static void add_table(struct catalogue *catalogue, const struct workbook *book) {
    OWNED char *path = text_format("%s/solutions/MISTAKES.md", book->root);
    if (file_exists(path) || catalogue->grading.session->options->table) {
        add_about(catalogue, catalogue->items[0].target, text_format("page of mistakes"),
                  judge_table, file_display(path));
    }
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
    if (!lab && catalogue->targets.n > 0)
        add_table(catalogue, book);
    if (!lab)
        add_left(catalogue, book);
    return GRADER_OK;
}

void catalogue_finish(struct catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->n; i++) {
        free(catalogue->items[i].what);
        free(catalogue->items[i].gone);
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

/* Grades where that is asked for, and judges. Returns the problem, or NULL. */
static char *look(struct catalogue *catalogue, struct catalogue_item *item,
                  const struct target *target, char **got) {
    struct grading_job job = {
        .target = target,
        .test = item->mistake ? item->mistake->test : NULL,
        .again = "./warpbook grade",
        .jobs = 1, /* beside the other files, as in a class */
    };
    char *problem = NULL;
    if (item->is_graded)
        grading_run(&catalogue->grading, &job);
    item->is_interrupted = job.is_interrupted;
    if (!job.is_interrupted)
        problem = item->judge(
            &(struct judged){
                .catalogue = catalogue, .item = item, .target = target, .lab = job.lab},
            got);
    json_decref(job.lab);
    return problem;
}

void catalogue_run(struct catalogue *catalogue, size_t index) {
    struct catalogue_item *item = &catalogue->items[index];
    const struct target *target = item->gone ? NULL : &catalogue->targets.items[item->target];
    OWNED char *problem = NULL, *got = NULL;
    char *detail = NULL;
    if (item->is_skipped)
        got = text_format("%s only", item->mistake->backend);
    else
        problem = look(catalogue, item, target, &got);
    if (got && (detail = strchr(got, '\n')))
        *detail++ = '\0';
    item->row = json_pack("{s:s, s:s, s:s, s:b, s:b, s:s*, s:s*, s:s*}", "lab",
                          target ? target->lab->name : item->gone, "what", item->what, "file",
                          target ? target->source : item->gone, "ok", problem == NULL, "skipped",
                          item->is_skipped, "got", problem ? NULL : got, "problem", problem,
                          "detail", detail);
}

#define TEXT(field)                                                                                \
    CYAML_FIELD_STRING_PTR(#field, CYAML_FLAG_POINTER, struct mistake, field, 1, CYAML_UNLIMITED)

static const cyaml_schema_field_t mistake_fields[] = {
    TEXT(file),
    TEXT(verdict),
    TEXT(test),
    CYAML_FIELD_STRING_PTR("diagnosis", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct mistake,
                           diagnosis, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("backend", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct mistake,
                           backend, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t mistake_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct mistake, mistake_fields),
};
static const cyaml_schema_field_t mistakes_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("mistakes", CYAML_FLAG_POINTER, struct mistakes, mistakes,
                               n_mistakes, &mistake_schema, 0, 256),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t mistakes_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct mistakes, mistakes_fields),
};

struct mistakes *mistakes_load(const char *folder, struct diag *diag) {
    OWNED char *path = text_format("%s/mistakes.yaml", folder);
    void *data = NULL;
    if (yaml_load(path, &mistakes_schema, &data, diag) != GRADER_OK)
        data = NULL;
    struct mistakes *mistakes = data;
    for (unsigned i = 0; mistakes && i < mistakes->n_mistakes; i++) {
        const struct mistake *mistake = &mistakes->mistakes[i];
        const char *backend = mistake->backend ? mistake->backend : "any";
        if (strcmp(backend, "any") != 0 && strcmp(backend, "sim") != 0 &&
            strcmp(backend, "gpu") != 0) {
            diag_set(diag, path, yaml_line_of(path, "backend", backend),
                     "the backend of '%s' is '%s', not any, sim or gpu", mistake->file, backend);
            mistakes_free(mistakes);
            mistakes = NULL;
        }
    }
    return mistakes;
}

void mistakes_free(struct mistakes *mistakes) {
    cyaml_free(yaml_config(), &mistakes_schema, mistakes, 0);
}

bool mistake_shows_on(const struct mistake *mistake, const char *backend) {
    return !mistake->backend || strcmp(mistake->backend, "any") == 0 ||
           strcmp(mistake->backend, backend) == 0;
}

/* A cell: one line, and no bar that would end it. */
static void add_cell(char **row, const char *text) {
    OWNED char *line = text_replace(text, "\n", " "), *cell = text_replace(line, "|", "\\|");
    text_add(row, " %s |", cell);
}

static void add_row(char **page, const struct manifest *manifest, const struct mistake *mistake) {
    const struct manifest_diagnosis *diagnosis =
        mistake->diagnosis ? manifest_diagnosis_find(manifest, mistake->diagnosis) : NULL;
    const struct verdict *verdict = verdict_of_test(mistake->verdict);
    bool is_anywhere = mistake_shows_on(mistake, "gpu") && mistake_shows_on(mistake, "sim");
    OWNED char *file = text_format("`%s`", mistake->file);
    OWNED char *test = text_format("`%s`", mistake->test);
    text_add(page, "|");
    add_cell(page, file);
    add_cell(page, test);
    add_cell(page, verdict ? verdict->label : mistake->verdict);
    add_cell(page, is_anywhere ? "both" : mistake->backend);
    add_cell(page, diagnosis            ? diagnosis->text
                   : mistake->diagnosis ? mistake->diagnosis
                                        : "(an experiment looks for the cause)");
    text_add(page, "\n");
}

char *catalogue_table(const struct catalogue *catalogue) {
    char *text = NULL;
    size_t n = 0;
    const char *lab = "";
    for (size_t i = 0; i < catalogue->n; i++)
        n += catalogue->items[i].mistake != NULL;
    text_add(
        &text,
        "# Mistakes\n\n"
        "%zu wrong answers, one mistake each. For each the test that catches it, its verdict,\n"
        "the backend that shows it, and what the learner reads. `./warpbook verify` proves all\n"
        "of it; `./warpbook verify --table solutions/MISTAKES.md` writes this page.\n",
        n);
    for (size_t i = 0; i < catalogue->n; i++) {
        const struct catalogue_item *item = &catalogue->items[i];
        if (!item->mistake)
            continue;
        const struct target *target = &catalogue->targets.items[item->target];
        if (strcmp(lab, target->lab->name) != 0) {
            lab = target->lab->name;
            text_add(&text,
                     "\n## Lab %.2s · %s\n\n"
                     "| mistake | test | verdict | backend | diagnosis |\n|---|---|---|---|---|\n",
                     lab, target->manifest ? target->manifest->title : lab);
        }
        if (target->manifest)
            add_row(&text, target->manifest, item->mistake);
    }
    return text;
}

/* Judges what authors claim of their labs, item by item. */
#include "grader/verify/judge.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/grade/evidence/observe.h"
#include "grader/grade/record.h"
#include "grader/verify/agreement.h"
#include "grader/verify/belongings.h"
#include "grader/verify/catalogue.h"
#include "grader/verify/files.h"
#include "grader/verify/reach.h"

enum { HINT_TIERS = 3, NUMBERS_MS = 120000 };

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
        if (strcmp(verdict, wanted) != 0 && strcmp(verdict, "skipped") != 0)
            text_add(&text, "%s%s: %s, %s", text ? "\n" : "", record_text(test, "name"), verdict,
                     record_text(test, "reason"));
    }
    return text;
}

char *judge_skeleton(const struct judged *judged, char **got) {
    char *problem = not_run(judged->lab);
    if (!problem)
        problem = tests_unlike(judged->lab, "not_written");
    *got = text_format("not written yet");
    return problem;
}

char *judge_model(const struct judged *judged, char **got) {
    char *problem = not_run(judged->lab);
    if (!problem)
        problem = tests_unlike(judged->lab, "pass");
    *got =
        text_format("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " points",
                    record_count(judged->lab, "points"), record_count(judged->lab, "max_points"));
    return problem;
}

/* "predicted_x: 5 predicted, 4 counted" for each prediction that is not right. */
static char *predictions_unlike(const json_t *lab) {
    char *text = NULL;
    size_t index, k;
    json_t *test, *prediction;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_array_foreach(json_object_get(test, "predictions"), k, prediction) {
            if (json_is_true(json_object_get(prediction, "right")))
                continue;
            OWNED char *predicted =
                json_is_true(json_object_get(prediction, "answered"))
                    ? text_format("%" JSON_INTEGER_FORMAT, record_count(prediction, "predicted"))
                    : text_format("nothing");
            text_add(&text, "%s%s: %s predicted, %" JSON_INTEGER_FORMAT " counted",
                     text ? "\n" : "", record_text(prediction, "variable"), predicted,
                     record_count(prediction, "counted"));
        }
    }
    return text;
}

char *judge_answer(const struct judged *judged, char **got) {
    char *problem = judge_model(judged, got);
    return problem ? problem : predictions_unlike(judged->lab);
}

char *judge_mistake(const struct judged *judged, char **got) {
    const struct mistake *mistake = judged->item->mistake;
    const char *wanted = mistake->diagnosis ? mistake->diagnosis : "";
    if (*wanted && !observe_has(wanted) &&
        !manifest_diagnosis_find(judged->target->manifest, wanted))
        return text_format("the lab has no diagnosis '%s'", mistake->diagnosis);
    char *problem = not_run(judged->lab);
    if (problem)
        return problem;
    const json_t *test = json_array_get(json_object_get(judged->lab, "tests"), 0);
    const char *id = record_text(json_object_get(test, "diagnosis"), "id");
    const char *verdict = record_text(test, "verdict");
    *got = text_format("%s, %s", verdict, *id ? id : "no diagnosis");
    if (strcmp(verdict, mistake->verdict) == 0 && strcmp(id, wanted) == 0)
        return NULL;
    return text_format("%s should give %s, %s; it gives %s, %s. %s", mistake->test,
                       mistake->verdict, *wanted ? wanted : "no diagnosis", verdict,
                       *id ? id : "no diagnosis", record_text(test, "reason"));
}

char *judge_likeness(const struct judged *judged, char **got) {
    const char *model = judged->item->model;
    OWNED char *a = NULL;
    OWNED char *b = NULL;
    char *problem = NULL;
    size_t n;
    struct diag diag;
    if (file_read_source(judged->target->source, &a, &n, &diag) != GRADER_OK ||
        file_read_source(model, &b, &n, &diag) != GRADER_OK ||
        !regions_agree(judged->target->source, a, model, b, &diag))
        problem = text_format("%s:%u: %s", diag.file, diag.line, diag.message);
    *got = text_format("the same");
    return problem;
}

/* A hint that has parts for single TODOs has one for each that tests are about: who works at
 * another one would be shown all of them. */
static char *find_hintless(const struct manifest *manifest, unsigned hint) {
    const char *text = manifest->hints[hint];
    size_t bytes;
    if (!manifest_hint_part(text, 0, &bytes))
        return NULL;
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const unsigned todo = manifest->tests[i].todo;
        if (todo > 0 && !manifest_hint_part(text, todo, &bytes))
            return text_format("hint %u has no part that begins with 'TODO %u:'", hint + 1, todo);
    }
    return NULL;
}

char *judge_hints(const struct judged *judged, char **got) {
    const struct manifest *manifest = judged->target->manifest;
    *got = text_format("%u hints, %u diagnoses", manifest->n_hints, manifest->n_diagnoses);
    if (manifest->n_hints < HINT_TIERS)
        return text_format("the lab has %u hints, not %d", manifest->n_hints, HINT_TIERS);
    for (unsigned i = 0; i < manifest->n_hints; i++) {
        if (strspn(manifest->hints[i], " \n") == strlen(manifest->hints[i]))
            return text_format("hint %u is empty", i + 1);
        char *problem = find_hintless(manifest, i);
        if (problem)
            return problem;
    }
    return NULL;
}

char *judge_folder(const struct judged *judged, char **got) {
    const struct workbook *book = &judged->catalogue->grading.session->book;
    char *stranger = files_find_unexpected(book, judged->target);
    OWNED char *place = stranger ? stranger : files_find_blank(book, judged->target);
    *got = text_format("nothing unexpected");
    if (!place)
        return NULL;
    OWNED char *shown = file_display(place);
    return text_format(stranger ? "%s does not belong there" : "%s: a BLANK is left", shown);
}

/* True where a file has the block's lines. */
static bool file_has(const char *path, const char *block) {
    OWNED char *bytes = NULL;
    size_t n_bytes;
    return file_read(path, FILE_SOURCE_BYTES, &bytes, &n_bytes, NULL) == GRADER_OK &&
           fragments_has(bytes, block);
}

/* True if the handout's block of code occurs in the lab's skeleton, header or model answer; if a
 * file is named, in that file alone. */
static bool is_current(const struct workbook *book, const struct target *target, const char *block,
                       const char *named) {
    const char *source = target->manifest->source;
    char *solution = workbook_solution(book, target->lab);
    char *paths[] = {
        named ? text_format("%s/%s", book->root, named) : text_format("%s", target->source),
        text_format("%s/%s", target->lab->folder, target->manifest->header),
        text_format("%s/%s", solution, source),
    };
    bool found = false;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        found |= (i == 0 || !named) && file_has(paths[i], block);
        free(paths[i]);
    }
    free(solution);
    return found;
}

char *judge_handout(const struct judged *judged, char **got) {
    struct diag diag;
    char *handout = NULL, *block, *source, *problem = NULL;
    size_t n_bytes;
    unsigned n = 0;
    if (file_read(judged->item->model, FILE_SOURCE_BYTES, &handout, &n_bytes, &diag) != GRADER_OK)
        return text_format("%s: %s", diag.file, diag.message);
    for (unsigned line = 1; !problem && (block = fragments_next(handout, &line, &source)); n++) {
        if (!is_current(&judged->catalogue->grading.session->book, judged->target, block, source))
            problem = text_format("%s:%u: this code is not in %s", judged->item->model, line,
                                  source ? source : "the lab's skeleton, header or model answer");
        free(source);
        free(block);
    }
    *got = text_format("%u piece%s of code", n, n == 1 ? "" : "s");
    free(handout);
    return problem;
}

char *judge_numbers(const struct judged *judged, char **got) {
    const struct session *session = judged->catalogue->grading.session;
    OWNED char *check = text_format("%s/handouts/facts/check", session->book.root);
    OWNED char *number = text_format("%.2s", judged->target->lab->name);
    char *problem = NULL;
    char *const argv[] = {check, session->book.build, number, NULL};
    struct process_result result;
    process_run(&(struct process){.path = check,
                                  .argv = argv,
                                  .timeout_ms = NUMBERS_MS,
                                  .interrupt_fd = session->interrupt_fd},
                &result);
    if (result.how != PROCESS_ENDED || result.exit_status != 0)
        problem = text_format("%s%s", result.output, *result.output ? "" : "the check did not run");
    *got = text_format("current");
    free(result.output);
    return problem;
}

char *judge_tests(const struct judged *judged, char **got) {
    const struct workbook *book = &judged->catalogue->grading.session->book;
    char *problem = reach_tests(book, judged->target);
    *got = text_format("%u, all in lab.yaml", judged->target->manifest->n_tests);
    return problem ? problem : reach_twins(book, judged->target);
}

char *judge_reach(const struct judged *judged, char **got) {
    const struct mistakes *mistakes = judged->item->mistakes;
    *got = reach_mistakes(judged->target, mistakes);
    return reach_diagnoses(&judged->catalogue->grading.session->book, judged->target, mistakes);
}

char *judge_rest(const struct judged *judged, char **got) {
    const struct workbook *book = &judged->catalogue->grading.session->book;
    const char *gone = judged->item->gone, *lab = gone ? gone : judged->target->lab->name;
    OWNED char *left = belongings_text(book, lab);
    (void)got;
    return text_format(
        "%s/%s%s is not there. Left of the lab: %s. './warpbook remove %s' takes that "
        "out, too",
        gone ? "labs" : "solutions", lab, gone ? "/lab.yaml" : "", left, lab);
}

char *judge_table(const struct judged *judged, char **got) {
    OWNED char *wanted = catalogue_table(judged->catalogue);
    OWNED char *there = NULL;
    char *problem = NULL;
    size_t n_bytes;
    if (file_read(judged->item->model, FILE_SOURCE_BYTES, &there, &n_bytes, NULL) != GRADER_OK ||
        strcmp(there, wanted) != 0)
        problem = text_format("%s is out of date; './warpbook verify --table %s' writes it",
                              judged->item->model, judged->item->model);
    *got = text_format("current");
    return problem;
}

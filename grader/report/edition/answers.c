/* Grades each lab's model answer as `grade` does, in two tiers alone: it takes seconds a lab. */
#include "grader/report/edition/answers.h"

#include <string.h>

#include "common/base/system/file.h"
#include "grader/grade/grading.h"
#include "grader/grade/record.h"

/* Takes the predictions of a test over into {variable: {counted, explanation}}. */
static enum grader_status add_test(json_t *answers, const json_t *test, const char *lab,
                                   struct diag *diag) {
    size_t index;
    json_t *prediction;
    const char *verdict = record_text(test, "verdict");
    if (strcmp(verdict, "pass") != 0 && strcmp(verdict, "skipped") != 0) {
        diag_set(diag, NULL, 0,
                 "the model answer of lab %s does not pass %s (%s), and what it does is what "
                 "predictions are held against: ./warpbook verify %s",
                 lab, record_text(test, "name"), verdict, lab);
        return GRADER_FAILED;
    }
    json_array_foreach(json_object_get(test, "predictions"), index, prediction) {
        const char *variable = record_text(prediction, "variable");
        const json_t *before = json_object_get(answers, variable);
        json_t *answer = json_pack("{s:O, s:O}", "counted", json_object_get(prediction, "counted"),
                                   "explanation", json_object_get(prediction, "explanation"));
        bool is_same = !before || json_equal(before, answer);
        json_object_set_new(answers, variable, answer);
        if (!is_same) {
            diag_set(diag, NULL, 0, "lab %s counts '%s' in two ways: a prediction has one answer",
                     lab, variable);
            return GRADER_FAILED;
        }
    }
    return GRADER_OK;
}

static enum grader_status run_tier(struct grading *grading, const struct target *target,
                                   const char *tier, json_t *answers, struct diag *diag) {
    struct grading_job job = {
        .target = target,
        .test = tier,
        .again = "./warpbook grade",
        .jobs = grading->session->options->jobs,
        .is_model = true,
    };
    size_t index;
    json_t *test;
    grading_run(grading, &job);
    enum grader_status status = job.is_interrupted ? GRADER_INTERRUPTED : GRADER_OK;
    if (status == GRADER_OK && json_array_size(json_object_get(job.lab, "tests")) == 0) {
        diag_set(diag, target->source, 0, "the model answer cannot be run: %.600s",
                 record_text(job.lab, "reason"));
        status = GRADER_FAILED;
    }
    json_array_foreach(json_object_get(job.lab, "tests"), index, test) {
        if (status == GRADER_OK)
            status = add_test(answers, test, target->lab->name, diag);
    }
    json_decref(job.lab);
    return status;
}

static bool has_tier(const struct manifest *manifest, const char *tier) {
    for (unsigned i = 0; manifest && i < manifest->n_tests; i++) {
        if (strncmp(manifest->tests[i].name, tier, strlen(tier)) == 0)
            return true;
    }
    return false;
}

static enum grader_status count_lab(struct grading *grading, const struct workbook_lab *lab,
                                    json_t *answers, struct diag *diag) {
    static const char *const tiers[] = {"example", "technique"};
    const struct workbook *book = &grading->session->book;
    OWNED char *solution = workbook_solution(book, lab);
    OWNED_BY(targets_finish) struct targets targets = {0};
    enum grader_status status = GRADER_OK;
    struct target *target = targets_add(&targets, lab, NULL);
    if (!target->manifest) {
        *diag = target->diag;
        return GRADER_FAILED;
    }
    target->source = text_format("%s/%s", solution, target->manifest->source);
    for (size_t i = 0; i < 2 && status == GRADER_OK; i++) {
        if (has_tier(target->manifest, tiers[i]))
            status = run_tier(grading, target, tiers[i], answers, diag);
    }
    return status;
}

enum grader_status answers_count(const struct session *session, json_t **answers,
                                 struct diag *diag) {
    struct grading grading;
    enum grader_status status = GRADER_OK;
    *answers = json_object();
    grading_init(&grading, session);
    for (size_t i = 0; i < session->book.n_labs && status == GRADER_OK; i++) {
        json_t *of_lab = json_object();
        json_object_set_new(*answers, session->book.labs[i].name, of_lab);
        status = count_lab(&grading, &session->book.labs[i], of_lab, diag);
    }
    grading_finish(&grading);
    return status;
}

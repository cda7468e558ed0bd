/* From records to points. */
#include "grader/report/scoring/scored.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/scoring/feedback.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/report/scoring/adjust.h"

static enum scored_outcome outcome_of(const char *word, enum verdict_kind kind) {
    static const char *const broken[] = {
        "crash",       "timeout",  "exited",        "out_of_memory", "cuda_error", "damage",
        "load_failed", "no_entry", "compile_error", "bad_file",      "missing",    "protocol",
    };
    if (find_in_list(word, broken, sizeof broken / sizeof *broken, sizeof *broken))
        return SCORED_BROKEN;
    return kind == VERDICT_GOOD      ? SCORED_PASSED
           : kind == VERDICT_NOTHING ? SCORED_SKIPPED
           : kind == VERDICT_OURS    ? SCORED_OURS
                                     : SCORED_WRONG;
}

static char *copy(const char *text) {
    return text_format("%s", text);
}

static struct scored_test *add_test(struct scored_lab *lab) {
    lab->tests = grow_list(lab->tests, lab->n_tests, sizeof *lab->tests);
    lab->tests[lab->n_tests] = (struct scored_test){0};
    return &lab->tests[lab->n_tests++];
}

void scored_free_test(struct scored_test *test) {
    free(test->name);
    free(test->claim);
    free(test->verdict);
    free(test->message);
    pieces_finish(&test->pieces);
    free(test->expected);
    free(test->actual);
    json_decref(test->diagnosis);
    json_decref(test->bench);
}

/* The points of a test by the course, before the lab's own total is applied. */
static void value(const struct scoring *scoring, const struct course_lab *own, const json_t *record,
                  struct scored_test *test) {
    points_t max_points = record_count(record, "max_points") * POINTS_ONE;
    points_t set = max_points;
    course_test_points(scoring->course, own, test->name, &set);
    test->show = course_test_show(scoring->course, own, test->name);
    if (test->outcome == SCORED_SKIPPED)
        return;
    test->max_points = set;
    if (test->outcome == SCORED_PASSED && max_points == 0)
        test->points = set;
    else
        test->points =
            points_share(set, record_count(record, "points"), record_count(record, "max_points"));
}

/* A new reference to an object or a list with something in it; else NULL. */
static json_t *part_of(const json_t *record, const char *key) {
    json_t *part = json_object_get(record, key);
    return json_object_size(part) > 0 || json_array_size(part) > 0 ? json_incref(part) : NULL;
}

static enum grader_status take_test(const struct scoring *scoring, const struct course_lab *own,
                                    const json_t *record, const json_t *of, struct scored_lab *lab,
                                    struct diag *diag) {
    const struct verdict *verdict = verdict_of_test(record_text(of, "verdict"));
    const char *name = record_text(of, "name");
    if (find_in_list(name, lab->tests, lab->n_tests, sizeof *lab->tests)) {
        diag_set(diag, NULL, 0, "this is no record: %s has the test %s twice", lab->name, name);
        return GRADER_BAD_INPUT;
    }
    if (!verdict || !*name) {
        diag_set(diag, NULL, 0, "this is no record: a test of %s has no name or verdict",
                 lab->name);
        return GRADER_BAD_INPUT;
    }
    struct scored_test *test = add_test(lab);
    *test = (struct scored_test){
        .name = copy(name),
        .claim = copy(record_text(of, "claim")),
        .verdict = copy(verdict->label),
        .outcome = outcome_of(verdict->word, verdict->kind),
        .is_waiting = verdict->kind == VERDICT_WAITING,
        .diagnosis = part_of(of, "diagnosis"),
        .bench = part_of(of, "bench"),
        .seconds = json_number_value(json_object_get(of, "seconds")),
    };
    value(scoring, own, of, test);
    feedback_test(scoring, record, of, test);
    return GRADER_OK;
}

/* Where no test ran, one entry says why. */
static void take_reason(const json_t *record, const struct verdict *verdict,
                        struct scored_lab *lab) {
    struct scored_test *test = add_test(lab);
    bool is_skipped = lab->outcome == SCORED_SKIPPED;
    *test = (struct scored_test){
        .name = copy(strcmp(verdict->word, "compile_error") == 0 ? "compile" : "file"),
        .claim = copy(strcmp(verdict->word, "compile_error") == 0 ? "compiles" : "can be graded"),
        .verdict = copy(verdict->label),
        .outcome = lab->outcome,
        .max_points = is_skipped ? 0 : record_count(record, "max_points") * POINTS_ONE,
    };
    feedback_lab(record, test);
}

/* Scales the tests' points so that their sum is exactly what the lab is worth: each test gets the
 * scaled sum up to it, less what those before it got, so that no hundredth is lost in rounding. */
static void scale(struct scored_lab *lab, points_t worth) {
    points_t sum = 0, all = 0, given = 0;
    for (size_t i = 0; i < lab->n_tests; i++)
        all += lab->tests[i].max_points;
    for (size_t i = 0; i < lab->n_tests; i++) {
        struct scored_test *test = &lab->tests[i];
        points_t old = test->max_points;
        sum += old;
        test->max_points = points_share(worth, sum, all) - given;
        given += test->max_points;
        test->points = points_share(test->max_points, test->points, old);
    }
}

static time_t handed_in(const json_t *handed, const char *lab) {
    const char *text = json_string_value(json_object_get(handed, lab));
    time_t time = text ? handed_in_time(text) : 0;
    return time > 0 ? time : 0;
}

static enum grader_status take_lab(const struct scoring *scoring, const json_t *record,
                                   const json_t *handed, const json_t *late,
                                   struct scored_student *student, struct diag *diag) {
    const char *name = record_text(record, "name");
    const struct verdict *verdict = verdict_of_lab(record_text(record, "verdict"));
    const json_t *tests = json_object_get(record, "tests");
    enum grader_status status = GRADER_OK;
    bool is_counted;
    const struct course_lab *own = course_lab(scoring->course, name, &is_counted);
    if (!*name || !verdict || !json_is_array(tests)) {
        diag_set(diag, NULL, 0, "this is no record: a lab has no name, verdict or tests");
        return GRADER_BAD_INPUT;
    }
    if (scored_lab(student, name)) {
        diag_set(diag, NULL, 0, "%s is there twice", name);
        return GRADER_BAD_INPUT;
    }
    if (!is_counted)
        return GRADER_OK;
    struct scored_lab *lab = &student->labs[student->n_labs++];
    *lab = (struct scored_lab){
        .name = copy(name),
        .title = copy(record_text(record, "title")),
        .source = copy(record_text(record, "source")),
        .column = copy(own && own->column ? own->column : name),
        .verdict = copy(verdict->label),
        .outcome = outcome_of(verdict->word, verdict->kind),
        .is_handed_in = strcmp(verdict->word, "missing") != 0,
        .is_graded = verdict->kind != VERDICT_OURS,
        .has_tests = json_array_size(tests) > 0,
        .record = json_incref((json_t *)record),
    };
    size_t index;
    json_t *test;
    json_array_foreach(tests, index, test) {
        status = take_test(scoring, own, record, test, lab, diag);
        if (status != GRADER_OK)
            return status;
        lab->seconds += lab->tests[index].seconds;
    }
    if (!lab->has_tests)
        take_reason(record, verdict, lab);
    points_t worth;
    if (own && own->points && points_read(*own->points, &worth))
        scale(lab, worth);
    adjust_lab(scoring, own, lab->is_handed_in ? handed_in(handed, name) : 0,
               lab->is_handed_in && record_index(late, name) < json_array_size(late), lab);
    lab->hints = feedback_hints(scoring, lab);
    if (!scoring->is_shown_by_the_format)
        feedback_fold(scoring, own, lab);
    feedback_causes(scoring, record, lab);
    return GRADER_OK;
}

enum grader_status scored_student(const struct scoring *scoring, const char *id, const char *name,
                                  const json_t *records, const json_t *handed, const json_t *late,
                                  struct scored_student *student, struct diag *diag) {
    *student = (struct scored_student){
        .id = copy(id),
        .name = copy(name),
        .labs = make_zeroed(json_array_size(records), sizeof *student->labs),
        .is_graded = true,
    };
    size_t index;
    json_t *record;
    json_array_foreach(records, index, record) {
        enum grader_status status = take_lab(scoring, record, handed, late, student, diag);
        if (status != GRADER_OK)
            return status;
    }
    scored_level(student, 1);
    return GRADER_OK;
}

const struct scored_lab *scored_lab(const struct scored_student *student, const char *name) {
    return find_in_list(name, student->labs, student->n_labs, sizeof *student->labs);
}

static void free_lab(struct scored_lab *lab) {
    for (size_t k = 0; k < lab->n_tests; k++)
        scored_free_test(&lab->tests[k]);
    free(lab->tests);
    free(lab->name);
    free(lab->title);
    free(lab->source);
    free(lab->rules);
    free(lab->column);
    free(lab->hints);
    free(lab->adjusted);
    free(lab->verdict);
    json_decref(lab->record);
}

void scored_finish(struct scored_student *student) {
    for (size_t i = 0; i < student->n_labs; i++)
        free_lab(&student->labs[i]);
    free(student->labs);
    free(student->id);
    free(student->name);
    free(student->number);
    free(student->system);
    json_decref(student->notes);
    json_decref(student->doubts);
}

enum grader_status scored_join(struct scored_student *student, struct scored_student *more,
                               struct diag *diag) {
    for (size_t i = 0; i < more->n_labs; i++) {
        const struct scored_lab *lab = scored_lab(student, more->labs[i].name);
        if (!lab || !lab->is_handed_in || !more->labs[i].is_handed_in)
            continue;
        diag_set(diag, NULL, 0, "%s of %s is in two of the records: give one that has it",
                 more->labs[i].name, student->id);
        return GRADER_BAD_INPUT;
    }
    for (size_t i = 0; i < more->n_labs; i++) {
        struct scored_lab *lab = (struct scored_lab *)scored_lab(student, more->labs[i].name);
        if (!lab) {
            student->labs = grow_list(student->labs, student->n_labs, sizeof *student->labs);
            student->labs[student->n_labs++] = more->labs[i];
        } else if (more->labs[i].is_handed_in) {
            free_lab(lab);
            *lab = more->labs[i];
        } else {
            free_lab(&more->labs[i]);
        }
    }
    more->n_labs = 0;
    if (student->notes && more->notes)
        json_array_extend(student->notes, more->notes);
    if (student->doubts && more->doubts)
        json_array_extend(student->doubts, more->doubts);
    scored_finish(more);
    *more = (struct scored_student){0};
    return GRADER_OK;
}

/* What a lab is worth where its tests ran; -1 where they ran for nobody. */
static points_t worth_of(const struct scored_student *students, size_t n, const char *lab) {
    points_t worth = -1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < students[i].n_labs; k++) {
            const struct scored_lab *one = &students[i].labs[k];
            if (one->has_tests && strcmp(one->name, lab) == 0 && one->max_points > worth)
                worth = one->max_points;
        }
    }
    return worth;
}

void scored_level(struct scored_student *students, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct scored_student *student = &students[i];
        student->points = student->max_points = 0;
        student->is_graded = true;
        for (size_t k = 0; k < student->n_labs; k++) {
            struct scored_lab *lab = &student->labs[k];
            points_t worth = lab->has_tests ? -1 : worth_of(students, n, lab->name);
            if (worth >= 0)
                lab->max_points = lab->tests[0].max_points = worth;
            student->is_graded &= lab->is_graded;
            student->points += lab->is_graded ? lab->points : 0;
            student->max_points += lab->max_points;
        }
    }
}

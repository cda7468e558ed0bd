/* See speeds.h. */
#include "grader/report/html/count/speeds.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "grader/grade/record.h"

static struct speed_test *find(struct speeds *speeds, const char *name) {
    struct speed_test *found = find_in_list(name, speeds->tests, speeds->n, sizeof *speeds->tests);
    if (found)
        return found;
    speeds->tests = grow_list(speeds->tests, speeds->n, sizeof *speeds->tests);
    speeds->tests[speeds->n] = (struct speed_test){.name = name};
    return &speeds->tests[speeds->n++];
}

/* The measurement at the largest size that has such a share, the first of several; or NULL. */
static const json_t *largest(const json_t *test, bool is_of_model, size_t *n_alone) {
    const json_t *found = NULL;
    size_t index;
    json_t *bench;
    json_array_foreach(json_object_get(test, "bench"), index, bench) {
        const char *key = is_of_model ? "share_of_model" : "share_of_copy";
        bool is_bandwidth = strcmp(record_text(bench, "unit"), "bytes") == 0;
        if (is_bandwidth == is_of_model)
            continue;
        if (!(json_number_value(json_object_get(bench, key)) > 0))
            *n_alone += 1;
        else if (!found || record_count(bench, "n") > record_count(found, "n"))
            found = bench;
    }
    return found;
}

/* The share that a test wants, where it wants one: "percent of the copy", at least 75. */
static double asked_by(const json_t *test) {
    double asked = 0;
    size_t index;
    json_t *check;
    json_array_foreach(json_object_get(test, "technique"), index, check) {
        if (strncmp(record_text(check, "what"), "percent of ", 11) == 0 &&
            strcmp(record_text(check, "relation"), ">=") == 0)
            asked = (double)record_count(check, "wanted") / 100;
    }
    return asked;
}

static void take(struct speeds *speeds, bool is_of_model, size_t student, const json_t *of) {
    const char *verdict = record_text(of, "verdict");
    if (strcmp(verdict, "pass") != 0 && strcmp(verdict, "technique") != 0)
        return;
    const json_t *bench = largest(of, is_of_model, &speeds->n_alone);
    if (!bench)
        return;
    struct speed_test *test = find(speeds, record_text(of, "name"));
    double model = json_number_value(json_object_get(bench, "model_gbps"));
    double copy = json_number_value(json_object_get(bench, "copy_gbps"));
    const char *key = is_of_model ? "share_of_model" : "share_of_copy";
    test->list = grow_list(test->list, test->n_students, sizeof *test->list);
    test->list[test->n_students++] = (struct speed_of_student){
        .share = json_number_value(json_object_get(bench, key)), .student = student};
    if (record_count(bench, "n") > test->n)
        test->n = record_count(bench, "n");
    if (asked_by(of) > 0)
        test->asked = asked_by(of);
    if (!is_of_model && model > 0 && copy > 0) {
        test->model_sum += model / copy;
        test->n_models++;
    }
}

static int compare_shares(const void *a, const void *b) {
    const struct speed_of_student *one = a, *other = b;
    if (one->share != other->share)
        return one->share > other->share ? 1 : -1;
    return (one->student > other->student) - (one->student < other->student);
}

void speeds_make(struct speeds *speeds, const char *lab, bool is_of_model,
                 const struct scored_student *students, size_t n) {
    *speeds = (struct speeds){0};
    for (size_t i = 0; i < n; i++) {
        const struct scored_lab *own = scored_lab(&students[i], lab);
        size_t index;
        json_t *test;
        json_array_foreach(json_object_get(own ? own->record : NULL, "tests"), index, test)
            take(speeds, is_of_model, i, test);
    }
    for (size_t i = 0; i < speeds->n; i++) {
        struct speed_test *test = &speeds->tests[i];
        qsort(test->list, test->n_students, sizeof *test->list, compare_shares);
        /* The copy is another in each run. */
        test->model = test->n_models > 0 ? test->model_sum / (double)test->n_models : 0;
    }
}

void speeds_finish(struct speeds *speeds) {
    for (size_t i = 0; i < speeds->n; i++)
        free(speeds->tests[i].list);
    free(speeds->tests);
}

double speeds_median(const struct speed_test *test) {
    size_t n = test->n_students;
    return (test->list[(n - 1) / 2].share + test->list[n / 2].share) / 2;
}

double speeds_of(const struct speed_test *test, size_t student) {
    for (size_t i = 0; i < test->n_students; i++) {
        if (test->list[i].student == student)
            return test->list[i].share;
    }
    return 0;
}

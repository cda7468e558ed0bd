/* Goes through all students once, then sorts. */
#include "grader/report/html/count/insight.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "grader/grade/record.h"

static void add_number(struct insight_numbers *numbers, double number) {
    numbers->items = grow_list(numbers->items, numbers->n, sizeof *numbers->items);
    numbers->items[numbers->n++] = number;
}

static int compare_numbers(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static int compare_labs(const void *a, const void *b) {
    return strcmp(((const struct insight_lab *)a)->name, ((const struct insight_lab *)b)->name);
}

static size_t lab_of(struct insight *insight, const char *name) {
    for (size_t i = 0; i < insight->n_labs; i++) {
        if (strcmp(insight->labs[i].name, name) == 0)
            return i;
    }
    return insight->n_labs;
}

static void list_labs(struct insight *insight, const struct scored_student *students, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < students[i].n_labs; k++) {
            const struct scored_lab *lab = &students[i].labs[k];
            size_t index = lab_of(insight, lab->name);
            if (index == insight->n_labs) {
                insight->labs = grow_list(insight->labs, index, sizeof *insight->labs);
                insight->labs[insight->n_labs++] =
                    (struct insight_lab){.name = lab->name, .title = lab->title};
            }
            if (lab->max_points > insight->labs[index].max_points)
                insight->labs[index].max_points = lab->max_points;
        }
    }
    if (insight->n_labs > 0)
        qsort(insight->labs, insight->n_labs, sizeof *insight->labs, compare_labs);
}

static void note_mistake(struct insight *insight, size_t lab, const char *text, size_t student) {
    struct insight_mistake *mistake = NULL;
    for (size_t i = 0; i < insight->n_mistakes && !mistake; i++) {
        if (insight->mistakes[i].lab == lab && strcmp(insight->mistakes[i].text, text) == 0)
            mistake = &insight->mistakes[i];
    }
    if (!mistake) {
        insight->mistakes =
            grow_list(insight->mistakes, insight->n_mistakes, sizeof *insight->mistakes);
        mistake = &insight->mistakes[insight->n_mistakes++];
        *mistake = (struct insight_mistake){.lab = lab, .text = text};
    }
    if (mistake->n > 0 && mistake->students[mistake->n - 1] == student)
        return; /* several tests show it */
    mistake->students = grow_list(mistake->students, mistake->n, sizeof *mistake->students);
    mistake->students[mistake->n++] = student;
}

static void note_test(struct insight *insight, size_t lab, const struct scored_test *test) {
    struct insight_test *found = NULL;
    for (size_t i = 0; i < insight->n_tests && !found; i++) {
        if (insight->tests[i].lab == lab && strcmp(insight->tests[i].name, test->name) == 0)
            found = &insight->tests[i];
    }
    if (!found) {
        insight->tests = grow_list(insight->tests, insight->n_tests, sizeof *insight->tests);
        found = &insight->tests[insight->n_tests++];
        *found = (struct insight_test){.lab = lab, .name = test->name, .claim = test->claim};
    }
    found->n_run += test->outcome != SCORED_SKIPPED && test->outcome != SCORED_OURS;
    found->n_failed += (test->outcome == SCORED_WRONG || test->outcome == SCORED_BROKEN) &&
                       (test->cause == 0 || test->tells);
}

static void note_lab(struct insight *insight, size_t student, const struct scored_lab *lab) {
    size_t index = lab_of(insight, lab->name);
    struct insight_lab *all = &insight->labs[index];
    all->n_missing += !lab->is_handed_in;
    all->n_ungraded += !lab->is_graded;
    all->n_passed += lab->outcome == SCORED_PASSED;
    all->n_wrong += lab->is_handed_in && lab->is_graded && lab->outcome != SCORED_PASSED;
    if (lab->is_handed_in && lab->is_graded && lab->max_points > 0)
        add_number(&all->shares, (double)lab->points / (double)lab->max_points);
    for (size_t i = 0; i < lab->n_tests && lab->has_tests; i++) {
        const char *cause = record_text(lab->tests[i].diagnosis, "text");
        note_test(insight, index, &lab->tests[i]);
        if (*cause)
            note_mistake(insight, index, cause, student);
    }
}

static int compare_mistakes(const void *a, const void *b) {
    const struct insight_mistake *one = a, *other = b;
    if (one->n != other->n)
        return one->n > other->n ? -1 : 1;
    if (one->lab != other->lab)
        return one->lab < other->lab ? -1 : 1;
    return strcmp(one->text, other->text);
}

static int compare_tests(const void *a, const void *b) {
    const struct insight_test *one = a, *other = b;
    if (one->n_failed != other->n_failed)
        return one->n_failed > other->n_failed ? -1 : 1;
    if (one->lab != other->lab)
        return one->lab < other->lab ? -1 : 1;
    return strcmp(one->name, other->name);
}

static void sort_numbers(struct insight_numbers *numbers) {
    if (numbers->n > 0)
        qsort(numbers->items, numbers->n, sizeof *numbers->items, compare_numbers);
}

void insight_make(struct insight *insight, const struct scored_student *students, size_t n) {
    *insight = (struct insight){0};
    list_labs(insight, students, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < students[i].n_labs; k++)
            note_lab(insight, i, &students[i].labs[k]);
        if (students[i].is_graded && students[i].max_points > 0)
            add_number(&insight->shares,
                       (double)students[i].points / (double)students[i].max_points);
    }
    sort_numbers(&insight->shares);
    for (size_t i = 0; i < insight->n_labs; i++) {
        sort_numbers(&insight->labs[i].shares);
    }
    if (insight->n_mistakes > 0)
        qsort(insight->mistakes, insight->n_mistakes, sizeof *insight->mistakes, compare_mistakes);
    if (insight->n_tests > 0)
        qsort(insight->tests, insight->n_tests, sizeof *insight->tests, compare_tests);
    while (insight->n_tests > 0 && insight->tests[insight->n_tests - 1].n_failed == 0)
        insight->n_tests--;
}

void insight_finish(struct insight *insight) {
    for (size_t i = 0; i < insight->n_labs; i++) {
        free(insight->labs[i].shares.items);
    }
    for (size_t i = 0; i < insight->n_mistakes; i++)
        free(insight->mistakes[i].students);
    free(insight->labs);
    free(insight->mistakes);
    free(insight->tests);
    free(insight->shares.items);
}

double insight_quantile(const struct insight_numbers *numbers, double part) {
    if (numbers->n == 0)
        return 0;
    double at = part * (double)(numbers->n - 1);
    size_t below = (size_t)at, above = below + 1 < numbers->n ? below + 1 : below;
    return numbers->items[below] +
           (at - (double)below) * (numbers->items[above] - numbers->items[below]);
}

double insight_mean(const struct insight_numbers *numbers) {
    double sum = 0;
    for (size_t i = 0; i < numbers->n; i++)
        sum += numbers->items[i];
    return numbers->n > 0 ? sum / (double)numbers->n : 0;
}

/* See needs.h. */
#include "grader/report/html/count/needs.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "grader/grade/record.h"
#include "grader/report/html/count/states.h"

bool needs_is_begun(const struct scored_student *student, const char *lab) {
    enum state state = state_of_student(student, lab);
    return state == STATE_PASSED || state == STATE_WRONG || state == STATE_BROKEN ||
           (state == STATE_WAITING && scored_lab(student, lab)->points > 0);
}

bool needs_is_untouched(const struct scored_student *student, const char *lab) {
    enum state state = state_of_student(student, lab);
    return state == STATE_MISSING || (state == STATE_WAITING && !needs_is_begun(student, lab));
}

const char *needs_mistake(const struct scored_lab *lab, const char *id) {
    for (size_t i = 0; lab && i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        bool has_failed = test->outcome == SCORED_WRONG || test->outcome == SCORED_BROKEN;
        if (has_failed && !test->is_waiting && strcmp(record_text(test->diagnosis, "id"), id) == 0)
            return record_text(test->diagnosis, "text");
    }
    return NULL;
}

bool needs_most_began(const struct needs *needs, size_t lab) {
    return 2 * needs->n_begun[lab] > needs->n_students;
}

static size_t labs_with(const struct scored_student *student, const char *id) {
    size_t n = 0;
    for (size_t i = 0; i < student->n_labs; i++)
        n += needs_mistake(&student->labs[i], id) != NULL;
    return n;
}

static const char *find_same_mistake(const struct scored_student *student) {
    const char *most = NULL;
    size_t n_most = 1;
    for (size_t i = 0; i < student->n_labs; i++) {
        for (size_t k = 0; k < student->labs[i].n_tests; k++) {
            const char *id = record_text(student->labs[i].tests[k].diagnosis, "id");
            size_t n = *id ? labs_with(student, id) : 0;
            if (n > n_most) {
                n_most = n;
                most = id;
            }
        }
    }
    return most;
}

static struct needs_student judge(const struct needs *needs, size_t index) {
    const struct scored_student *student = &needs->students[index];
    size_t n_labs = needs->insight->n_labs, n_begun = 0, n_passed = 0, n_untouched = 0;
    double median = insight_quantile(&needs->insight->shares, 0.5);
    struct needs_student found = {.student = index, .share = 2};
    for (size_t i = 0; i < n_labs; i++) {
        const char *lab = needs->insight->labs[i].name;
        bool is_untouched = needs_is_untouched(student, lab);
        n_begun += needs_is_begun(student, lab);
        n_passed += state_of_student(student, lab) == STATE_PASSED;
        n_untouched += is_untouched;
        found.has[NEED_BEHIND] |= is_untouched && needs_most_began(needs, i);
    }
    if (student->is_graded && student->max_points > 0)
        found.share = (double)student->points / (double)student->max_points;
    found.mistake = find_same_mistake(student);
    found.has[NEED_NOTHING_PASSES] = n_begun > 0 && n_passed == 0;
    found.has[NEED_SAME_MISTAKE] = found.mistake != NULL;
    found.has[NEED_NOTHING_BEGUN] = n_labs > 0 && n_untouched == n_labs;
    found.has[NEED_BEHIND] &= !found.has[NEED_NOTHING_BEGUN];
    found.has[NEED_FEW_POINTS] = found.share < median / 2;
    while (found.first < N_NEEDS && !found.has[found.first])
        found.first++;
    return found;
}

static int compare(const void *a, const void *b) {
    const struct needs_student *one = a, *other = b;
    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    if (one->share < other->share || one->share > other->share)
        return one->share < other->share ? -1 : 1;
    return (one->student > other->student) - (one->student < other->student);
}

void needs_make(struct needs *needs, const struct insight *insight,
                const struct scored_student *students, size_t n) {
    *needs = (struct needs){.students = students, .n_students = n, .insight = insight};
    needs->n_begun = make_zeroed(insight->n_labs, sizeof *needs->n_begun);
    needs->list = make_zeroed(n, sizeof *needs->list);
    for (size_t i = 0; i < insight->n_labs; i++) {
        for (size_t k = 0; k < n; k++)
            needs->n_begun[i] += needs_is_begun(&students[k], insight->labs[i].name);
    }
    for (size_t i = 0; i < n; i++) {
        struct needs_student found = judge(needs, i);
        if (found.first < N_NEEDS)
            needs->list[needs->n++] = found;
    }
    if (needs->n > 0)
        qsort(needs->list, needs->n, sizeof *needs->list, compare);
}

void needs_finish(struct needs *needs) {
    free(needs->n_begun);
    free(needs->list);
}

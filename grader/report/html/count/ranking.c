/* See ranking.h. */
#include "grader/report/html/count/ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "grader/grade/record.h"
#include "grader/report/html/count/pseudonyms.h"
#include "grader/report/html/count/speeds.h"

static const json_t *tests_of(const struct scored_student *student, const char *lab) {
    const struct scored_lab *own = scored_lab(student, lab);
    return json_object_get(own ? own->record : NULL, "tests");
}

static bool is_of_tier(const json_t *test, const char *tier) {
    return strcmp(record_text(test, "tier"), tier) == 0;
}

/* Something passed, and nothing failed but tests of speed. */
static bool is_right(const struct scored_student *student, const char *lab) {
    size_t n_passed = 0, index;
    json_t *test;
    json_array_foreach(tests_of(student, lab), index, test) {
        bool is_passed = strcmp(record_text(test, "verdict"), "pass") == 0;
        n_passed += is_passed;
        if (!is_passed && !is_of_tier(test, "speed") &&
            strcmp(record_text(test, "verdict"), "skipped") != 0)
            return false;
    }
    return n_passed > 0;
}

static bool has_speed(const char *lab, const struct scored_student *students, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t index;
        json_t *test;
        json_array_foreach(tests_of(&students[i], lab), index, test) {
            if (is_of_tier(test, "speed"))
                return true;
        }
    }
    return false;
}

static struct ranking_column *column(struct ranking *ranking, const char *name) {
    struct ranking_column *found =
        find_in_list(name, ranking->columns, ranking->n_columns, sizeof *ranking->columns);
    if (found)
        return found;
    ranking->columns = grow_list(ranking->columns, ranking->n_columns, sizeof *ranking->columns);
    found = &ranking->columns[ranking->n_columns++];
    found->name = name;
    found->values = make_zeroed(ranking->n_students, sizeof *found->values);
    for (size_t i = 0; i < ranking->n_students; i++)
        found->values[i] = -1;
    return found;
}

/* The tests at the largest size, each a column; false where nothing was timed. */
static bool take_speeds(struct ranking *ranking, const char *lab, bool is_of_model,
                        const struct scored_student *students) {
    struct speeds speeds;
    json_int_t most = 0;
    speeds_make(&speeds, lab, is_of_model, students, ranking->n_students);
    for (size_t i = 0; i < speeds.n; i++)
        most = speeds.tests[i].n > most ? speeds.tests[i].n : most;
    for (size_t i = 0; i < speeds.n; i++) {
        const struct speed_test *test = &speeds.tests[i];
        for (size_t k = 0; k < test->n_students && test->n == most; k++)
            column(ranking, test->name)->values[test->list[k].student] = test->list[k].share;
    }
    ranking->by = is_of_model ? RANKING_MODEL : RANKING_COPY;
    bool has_any = speeds.n > 0;
    speeds_finish(&speeds);
    return has_any;
}

/* What tests of technique counted of one thing, and allow at the most, in all tests together; the
 * share, or -1 where none counts it. */
static double share_of_allowed(const json_t *tests, const char *what) {
    double got = 0, allowed = 0;
    size_t index, k;
    json_t *test, *check;
    json_array_foreach(tests, index, test) {
        json_array_foreach(json_object_get(test, "technique"), k, check) {
            if (is_of_tier(test, "technique") &&
                strcmp(record_text(check, "relation"), "<=") == 0 &&
                strcmp(record_text(check, "what"), what) == 0) {
                got += (double)record_count(check, "got");
                allowed += (double)record_count(check, "wanted");
            }
        }
    }
    return allowed > 0 ? got / allowed : -1;
}

static void take_counts(struct ranking *ranking, const char *lab,
                        const struct scored_student *students) {
    ranking->by = RANKING_COUNTS;
    for (size_t i = 0; i < ranking->n_students; i++) {
        const json_t *tests = tests_of(&students[i], lab);
        size_t index, k;
        json_t *test, *check;
        json_array_foreach(tests, index, test) {
            json_array_foreach(json_object_get(test, "technique"), k, check) {
                const char *what = record_text(check, "what");
                double share = share_of_allowed(tests, what);
                if (share >= 0)
                    column(ranking, what)->values[i] = share;
            }
        }
    }
}

/* Leaves the columns that more than half of those who are right have. */
static void choose_columns(struct ranking *ranking, const bool *are_right) {
    size_t n_right = 0, n_kept = 0;
    for (size_t i = 0; i < ranking->n_students; i++)
        n_right += are_right[i];
    for (size_t k = 0; k < ranking->n_columns; k++) {
        size_t n = 0;
        for (size_t i = 0; i < ranking->n_students; i++)
            n += are_right[i] && ranking->columns[k].values[i] >= 0;
        if (2 * n > n_right)
            ranking->columns[n_kept++] = ranking->columns[k];
        else
            free(ranking->columns[k].values);
    }
    ranking->n_columns = n_kept;
}

static double round_score(enum ranking_by by, double percent) {
    return by == RANKING_COUNTS ? round(10 * percent) / 10 : round(percent);
}

static void add_entry(struct ranking *ranking, size_t student, const char *label) {
    double sum = 0;
    for (size_t k = 0; k < ranking->n_columns; k++) {
        if (ranking->columns[k].values[student] < 0)
            return;
        sum += ranking->columns[k].values[student];
    }
    ranking->list = grow_list(ranking->list, ranking->n, sizeof *ranking->list);
    ranking->list[ranking->n++] = (struct ranking_entry){
        .student = student,
        .score = round_score(ranking->by, 100 * sum / (double)ranking->n_columns),
        .label = label,
    };
}

/* The smaller score first. */
static int compare_entries(const void *a, const void *b) {
    const struct ranking_entry *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? 1 : -1;
    return strcmp(one->label, other->label);
}

static int compare_descending(const void *a, const void *b) {
    const struct ranking_entry *one = a, *other = b;
    return one->score == other->score ? compare_entries(a, b) : compare_entries(b, a);
}

static void give_ranks(struct ranking *ranking) {
    if (ranking->n > 0)
        qsort(ranking->list, ranking->n, sizeof *ranking->list,
              ranking->by == RANKING_COUNTS ? compare_entries : compare_descending);
    for (size_t i = 0; i < ranking->n; i++) {
        bool is_alike = i > 0 && ranking->list[i].score == ranking->list[i - 1].score;
        ranking->list[i].rank = is_alike ? ranking->list[i - 1].rank : i + 1;
    }
}

void ranking_make(struct ranking *ranking, const struct course *course, const char *lab,
                  const struct scored_student *students, size_t n) {
    bool is_own;
    *ranking = (struct ranking){.shown = course_board(course, lab, &is_own), .n_students = n};
    if (!is_own && !has_speed(lab, students, n))
        ranking->shown = COURSE_OFF;
    if (ranking->shown == COURSE_OFF)
        return;
    if (!take_speeds(ranking, lab, false, students) && !take_speeds(ranking, lab, true, students))
        take_counts(ranking, lab, students);
    bool *are_right = make_zeroed(n, sizeof *are_right);
    for (size_t i = 0; i < n; i++)
        are_right[i] = is_right(&students[i], lab);
    choose_columns(ranking, are_right);
    if (ranking->shown == COURSE_PSEUDONYMS)
        ranking->pseudonyms = pseudonyms_make(lab, students, n);
    for (size_t i = 0; i < n && ranking->n_columns > 0; i++) {
        if (are_right[i])
            add_entry(ranking, i, ranking->pseudonyms ? ranking->pseudonyms[i] : students[i].id);
    }
    free(are_right);
    give_ranks(ranking);
}

void ranking_finish(struct ranking *ranking) {
    for (size_t i = 0; i < ranking->n_columns; i++)
        free(ranking->columns[i].values);
    if (ranking->pseudonyms)
        pseudonyms_free(ranking->pseudonyms, ranking->n_students);
    free(ranking->columns);
    free(ranking->list);
}

const struct ranking_entry *ranking_of(const struct ranking *ranking, size_t student) {
    for (size_t i = 0; i < ranking->n; i++) {
        if (ranking->list[i].student == student)
            return &ranking->list[i];
    }
    return NULL;
}

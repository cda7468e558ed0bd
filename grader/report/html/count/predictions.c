/* See predictions.h. */
#include "grader/report/html/count/predictions.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "grader/grade/record.h"

static void count_answer(struct prediction_answers *answers, json_int_t value) {
    for (size_t i = 0; i < answers->n; i++) {
        if (answers->list[i].value == value) {
            answers->list[i].n++;
            return;
        }
    }
    answers->list = grow_list(answers->list, answers->n, sizeof *answers->list);
    answers->list[answers->n++] = (struct prediction_answer){value, 1};
}

static int compare_answers(const void *a, const void *b) {
    const struct prediction_answer *one = a, *other = b;
    if (one->n != other->n)
        return one->n > other->n ? -1 : 1;
    return (one->value > other->value) - (one->value < other->value);
}

static void sort_answers(struct prediction_answers *answers) {
    if (answers->n > 0)
        qsort(answers->list, answers->n, sizeof *answers->list, compare_answers);
}

static struct prediction *find(struct predictions *predictions, const json_t *of) {
    const char *variable = record_text(of, "variable");
    struct prediction *found =
        find_in_list(variable, predictions->list, predictions->n, sizeof *predictions->list);
    if (found)
        return found;
    predictions->list = grow_list(predictions->list, predictions->n, sizeof *predictions->list);
    found = &predictions->list[predictions->n++];
    *found = (struct prediction){
        .variable = variable, .question = record_text(of, "question"), .explanation = ""};
    return found;
}

static void take(struct predictions *predictions, const json_t *of) {
    struct prediction *prediction = find(predictions, of);
    bool is_answered = json_is_true(json_object_get(of, "answered"));
    bool is_right = json_is_true(json_object_get(of, "right"));
    prediction->n_asked++;
    prediction->n_answered += is_answered;
    prediction->n_right += is_right;
    count_answer(&prediction->counted, record_count(of, "counted"));
    if (is_answered && !is_right)
        count_answer(&prediction->wrong, record_count(of, "predicted"));
    /* Of an edition whose explanations are sealed, those who answered have it open. */
    if (!*prediction->explanation)
        prediction->explanation = record_text(of, "explanation");
}

/* An answer that is right of most code is not a wrong one, though it is of the student's own. */
static void leave_out_the_right_one(struct prediction *prediction) {
    struct prediction_answers *wrong = &prediction->wrong;
    size_t n = 0;
    for (size_t i = 0; i < wrong->n; i++) {
        if (wrong->list[i].value == prediction->counted.list[0].value)
            prediction->n_otherwise = wrong->list[i].n;
        else
            wrong->list[n++] = wrong->list[i];
    }
    wrong->n = n;
}

void predictions_make(struct predictions *predictions, const char *lab,
                      const struct scored_student *students, size_t n) {
    *predictions = (struct predictions){0};
    for (size_t i = 0; i < n; i++) {
        const struct scored_lab *own = scored_lab(&students[i], lab);
        size_t index, k;
        json_t *test, *prediction;
        json_array_foreach(json_object_get(own ? own->record : NULL, "tests"), index, test) {
            json_array_foreach(json_object_get(test, "predictions"), k, prediction)
                take(predictions, prediction);
        }
    }
    for (size_t i = 0; i < predictions->n; i++) {
        sort_answers(&predictions->list[i].counted);
        leave_out_the_right_one(&predictions->list[i]);
        sort_answers(&predictions->list[i].wrong);
    }
}

void predictions_finish(struct predictions *predictions) {
    for (size_t i = 0; i < predictions->n; i++) {
        free(predictions->list[i].counted.list);
        free(predictions->list[i].wrong.list);
    }
    free(predictions->list);
}

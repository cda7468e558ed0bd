/* See tally.h. */
#include "grader/class/tally.h"

#include <stdlib.h>

/* True where the student has this work. */
static bool has_work(const struct plan *plan, size_t student, const struct plan_work *work) {
    return plan_cell(plan, student, work->lab)->work == work;
}

void tally_init(struct tally *tally, struct plan *plan, struct show *show) {
    size_t n_labs = plan->labs->n;
    *tally = (struct tally){.plan = plan, .show = show};
    tally->n_left = calloc(plan->roster->n + 1, sizeof *tally->n_left);
    if (!tally->n_left)
        abort();
    for (size_t i = 0; i < plan->roster->n * n_labs; i++) {
        const struct plan_work *work = plan->cells[i].work;
        tally->n_left[i / n_labs] += work && work->state == WORK_OPEN;
    }
    for (size_t i = 0; i < plan->roster->n; i++) {
        if (tally->n_left[i] == 0)
            show_student(show, plan, i);
    }
}

void tally_finish(struct tally *tally) {
    free(tally->n_left);
}

enum grader_status tally_keep(const struct tally *tally, const struct plan_work *work,
                              const json_t *record, struct diag *diag) {
    const struct plan *plan = tally->plan;
    enum grader_status status = journal_begin(plan->journal, diag), ended;
    if (status != GRADER_OK)
        return status;
    status = journal_add(plan->journal, &work->key, record, diag);
    for (size_t i = 0; i < plan->roster->n && status == GRADER_OK; i++) {
        if (has_work(plan, i, work))
            status = journal_grade(plan->journal, plan->roster->students[i].id, &work->key, diag);
    }
    ended = journal_end(plan->journal, diag);
    return status == GRADER_OK ? ended : status;
}

/* Tells whoever waits for the work. */
static void show(struct tally *tally, const struct plan_work *work) {
    show_step(tally->show);
    for (size_t i = 0; i < tally->plan->roster->n; i++) {
        if (has_work(tally->plan, i, work) && --tally->n_left[i] == 0)
            show_student(tally->show, tally->plan, i);
    }
}

void tally_result(struct tally *tally, struct plan_work *work, const json_t *record) {
    work->state = WORK_DONE;
    plan_note(work, record);
    show(tally, work);
}

void tally_failure(struct tally *tally, struct plan_work *work, char *reason) {
    work->state = WORK_FAILED;
    work->reason = reason;
    journal_fail(tally->plan->journal, &work->key, reason);
    show(tally, work);
}

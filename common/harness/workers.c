/*
 * Timed tests take a worker of their own: what an earlier test left running would slow the copy
 * that they are set beside. Only a clean worker is handed on among them.
 */
#include "common/harness/workers.h"

#include <string.h>

#include "common/harness/context.h"

static bool may_share(const struct lab *lab) {
    return lab->backend == CALL_GPU && strcmp(lab->tier, "speed") != 0;
}

static struct call_worker *open_new(struct lab *lab, bool is_clean) {
    struct call_settings settings = lab_call_settings(lab->settings, lab->backend, lab->timeout_ms);
    struct call_worker *worker;

    settings.seed = lab->seed;
    if (is_clean)
        settings.submission = NULL;
    worker = call_open(&settings);
    if (worker == NULL)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This machine has no memory for a worker process.");
    return worker;
}

struct call_worker *lab_workers_clean(struct lab *lab) {
    struct lab_workers *workers = lab->settings->workers;

    if (workers->clean == NULL)
        workers->clean = open_new(lab, true);
    call_limit(workers->clean, lab_settings_limit_ms(lab->settings, lab->timeout_ms));
    return workers->clean;
}

struct call_worker *lab_workers_take(struct lab *lab) {
    struct call_worker *worker;

    if (!may_share(lab) || lab->settings->workers->student == NULL)
        return open_new(lab, false);
    worker = lab->settings->workers->student;
    lab->settings->workers->student = NULL;
    lab->is_handed_on = true;
    call_limit(worker, lab_settings_limit_ms(lab->settings, lab->timeout_ms));
    return worker;
}

static bool is_one_of(const char *verdict, const enum lab_verdict *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (verdict != NULL && strcmp(verdict, lab_verdict_word(list[i])) == 0)
            return true;
    return false;
}

void lab_workers_give(struct lab *lab, const char *verdict) {
    static const enum lab_verdict at_rest[] = {LAB_PASS, LAB_NOT_WRITTEN};

    if (lab->worker == NULL)
        return;
    if (may_share(lab) && is_one_of(verdict, at_rest, sizeof at_rest / sizeof *at_rest))
        lab->settings->workers->student = lab->worker;
    else
        call_close(lab->worker);
    lab->worker = NULL;
}

/* A pass can't come from state that should not be there, since all inputs are new; the rest would
 * end in the same way again, at the cost of another time limit. */
bool lab_workers_doubt(const struct lab *lab, const char *verdict) {
    static const enum lab_verdict sure[] = {LAB_PASS, LAB_NOT_WRITTEN, LAB_NO_ENTRY, LAB_TIMEOUT};

    return lab->is_handed_on && !is_one_of(verdict, sure, sizeof sure / sizeof *sure);
}

void lab_workers_close(struct lab_workers *workers) {
    if (workers->student != NULL)
        call_close(workers->student);
    if (workers->clean != NULL)
        call_close(workers->clean);
    *workers = (struct lab_workers){NULL, NULL};
}

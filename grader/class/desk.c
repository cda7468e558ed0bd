/* A queue of open work; one mutex over the plan, the page and the tally. */
#include "grader/class/desk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/class/journal/store.h"
#include "grader/class/tally.h"
#include "grader/grade/grading.h"
#include "common/base/process.h"
#include "common/base/queue.h"
#include "grader/grade/record.h"
#include "common/base/text.h"
#include "grader/grade/verdict.h"

enum { TRIES = 2, PATIENCE = 4 };

static const double busy_load = 1.75; /* a processor; beyond it, others than we are at work */

struct desk {
    struct plan *plan;
    struct tally tally;
    struct grading grading;
    struct plan_work **open; /* in the order of the students */
    size_t n_open;
    pthread_mutex_t mutex;
    enum grader_status status;
    struct diag *diag;
};

static bool is_ours(const json_t *record) {
    return strcmp(record_text(record, "verdict"), "infrastructure") == 0;
}

/* What our side failed at, in a sentence. */
static char *reason_of(const json_t *record) {
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        const struct verdict *verdict = verdict_of_test(record_text(test, "verdict"));
        if (verdict && verdict->kind == VERDICT_OURS)
            return text_format("%s: %s", record_text(test, "name"), record_text(test, "reason"));
    }
    return text_format("%s", record_text(record, "reason"));
}

/* What each line of the source cost is two thirds of a record, and for the one whose file it is:
 * `check` counts it in a moment. */
static void leave_out_lines(json_t *record) {
    size_t index, k;
    json_t *test, *launch;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        json_array_foreach(json_object_get(test, "launches"), k, launch)
            json_object_set_new(launch, "lines", json_array());
    }
}

/* Leaves in a record what a class needs, and what is the same wherever and whenever the file is
 * graded, but for times. */
static void settle(json_t *record, const struct plan_work *work) {
    json_t *compile = json_object_get(record, "compile");
    char *messages = store_tidy(record_text(compile, "messages"));
    leave_out_lines(record);
    if (compile)
        json_object_set_new(compile, "messages", json_string(messages));
    free(messages);
    store_rename(record, work->target.source, work->target.manifest->source);
}

/* True where the machine has far more to do than its processors can, so that time-outs say little.
 */
static bool is_overloaded(void) {
    const char *text = getenv("WARPBOOK_BUSY_LOAD");
    double load, busy = text ? atof(text) : busy_load * (double)sysconf(_SC_NPROCESSORS_ONLN);
    return getloadavg(&load, 1) == 1 && load >= busy;
}

/* True where the simulator saw a test spend its budget, which it does at any hour. */
static bool has_spent_budget(const json_t *test) {
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(test, "findings"), index, finding) {
        const char *kind = record_text(finding, "kind");
        if (strcmp(kind, "endless") == 0 || strcmp(kind, "costly") == 0)
            return true;
    }
    return false;
}

/* True where the clock stopped a test. */
static bool has_timed_out(const json_t *record) {
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        if (strcmp(record_text(test, "verdict"), "timeout") == 0 && !has_spent_budget(test))
            return true;
    }
    return false;
}

/* Compiles and tests once. NULL where the run was interrupted. */
static json_t *grade_once(struct desk *desk, struct plan_work *work, unsigned patience) {
    uint64_t seed = journal_seed(desk->plan->journal, &work->key);
    char *again = text_format("./warpbook check %.2s", work->target.lab->name);
    struct grading_job job = {
        .target = &work->target,
        .again = again,
        .jobs = 1,
        .patience = patience,
        .seed = &seed,
    };
    grading_run(&desk->grading, &job);
    free(again);
    if (!job.is_interrupted)
        return job.lab;
    json_decref(job.lab);
    return NULL;
}

/* Compiles and tests, again where our side failed; and where a test came to the time limit on a
 * machine that was too busy, once more, alone and with more time: what comes to an end then,
 * counts. NULL where the run was interrupted. */
static json_t *grade(struct desk *desk, struct plan_work *work) {
    json_t *record = grade_once(desk, work, 0);
    for (int i = 1; i < TRIES && record && is_ours(record); i++) {
        json_decref(record);
        record = grade_once(desk, work, 0);
    }
    if (record && has_timed_out(record) && is_overloaded()) {
        json_t *patient = grade_once(desk, work, PATIENCE);
        if (patient && (has_timed_out(patient) || is_ours(patient))) {
            json_decref(patient);
        } else {
            json_decref(record);
            record = patient;
        }
    }
    if (record)
        settle(record, work);
    return record;
}

static void do_work(void *context, size_t index) {
    struct desk *desk = context;
    struct plan_work *work = desk->open[index];
    struct diag diag = {0};
    pthread_mutex_lock(&desk->mutex);
    if (process_is_interrupted(desk->plan->session->interrupt_fd))
        desk->status = desk->status == GRADER_OK ? GRADER_INTERRUPTED : desk->status;
    bool goes_on = desk->status == GRADER_OK;
    pthread_mutex_unlock(&desk->mutex);
    json_t *record = goes_on ? grade(desk, work) : NULL;
    if (!record)
        return;
    bool ours = is_ours(record);
    enum grader_status status = ours ? GRADER_OK : tally_keep(&desk->tally, work, record, &diag);
    pthread_mutex_lock(&desk->mutex);
    if (ours) {
        tally_failure(&desk->tally, work, reason_of(record));
    } else if (status == GRADER_OK) {
        tally_result(&desk->tally, work, record);
    } else if (desk->status == GRADER_OK) { /* nothing that is graded now could be kept */
        desk->status = GRADER_FAILED;
        *desk->diag = diag;
    }
    pthread_mutex_unlock(&desk->mutex);
    json_decref(record);
}

enum grader_status desk_work(struct plan *plan, struct show *show, struct diag *diag) {
    const struct options *options = plan->session->options;
    struct desk desk = {.plan = plan, .diag = diag};
    desk.open = calloc(plan->n_works + 1, sizeof *desk.open);
    if (!desk.open)
        abort();
    for (size_t i = 0; i < plan->n_works; i++) { /* plan_make adds it in this order */
        if (plan->works[i]->state == WORK_OPEN)
            desk.open[desk.n_open++] = plan->works[i];
    }
    pthread_mutex_init(&desk.mutex, NULL);
    grading_init(&desk.grading, plan->session);
    tally_init(&desk.tally, plan, show);
    /* A test waits while its worker starts and ends: one more keeps all processors busy. */
    int jobs = options->jobs + !(options->given & OPTION_JOBS);
    queue_finish(queue_start(desk.n_open, jobs, do_work, &desk));
    if (process_is_interrupted(plan->session->interrupt_fd) && desk.status == GRADER_OK)
        desk.status = GRADER_INTERRUPTED;
    grading_finish(&desk.grading);
    pthread_mutex_destroy(&desk.mutex);
    tally_finish(&desk.tally);
    free(desk.open);
    return desk.status;
}

/*
 * Each piece of open work goes through a queue to one of several threads, which compiles and tests
 * the file. The collector then writes the result into the journal, takes it into the plan and
 * shows each student whose last result this was. A mutex guards the plan, the page and the
 * collector. Causes are looked for in the same way, after all that.
 */
#include "grader/class/scheduler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/grow.h"
#include "common/base/system/parallel.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/class/journal/store.h"
#include "grader/grade/grading.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"

/* True where the student has this work. */
static bool has_work(const struct plan *plan, size_t student, const struct plan_work *work) {
    return plan_cell(plan, student, work->lab)->work == work;
}

void collector_init(struct collector *collector, struct plan *plan, struct show *show) {
    size_t n_labs = plan->labs->n;
    *collector = (struct collector){.plan = plan, .show = show};
    collector->n_left = make_zeroed(plan->roster->n, sizeof *collector->n_left);
    for (size_t i = 0; i < plan->roster->n * n_labs; i++) {
        const struct plan_work *work = plan->cells[i].work;
        collector->n_left[i / n_labs] += work && work->state == WORK_OPEN;
    }
    for (size_t i = 0; i < plan->roster->n; i++) {
        if (collector->n_left[i] == 0)
            show_student(show, plan, i);
    }
}

void collector_finish(struct collector *collector) {
    free(collector->n_left);
}

enum grader_status collector_keep(const struct collector *collector, const struct plan_work *work,
                                  const json_t *record, struct diag *diag) {
    const struct plan *plan = collector->plan;
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
static void show(struct collector *collector, const struct plan_work *work) {
    show_step(collector->show);
    for (size_t i = 0; i < collector->plan->roster->n; i++) {
        if (has_work(collector->plan, i, work) && --collector->n_left[i] == 0)
            show_student(collector->show, collector->plan, i);
    }
}

void collector_result(struct collector *collector, struct plan_work *work, const json_t *record) {
    work->state = WORK_DONE;
    plan_note(work, record);
    show(collector, work);
}

void collector_failure(struct collector *collector, struct plan_work *work, char *reason) {
    work->state = WORK_FAILED;
    work->reason = reason;
    journal_fail(collector->plan->journal, &work->key, reason);
    show(collector, work);
}

enum { TRIES = 2, READY = 8 };

struct scheduler {
    struct plan *plan;
    struct collector collector;
    struct grading grading;
    bool experiments;        /* causes are looked for */
    size_t n_proven;         /* files of which one was found */
    struct plan_work **open; /* in the order of the students */
    size_t n_open;
    const struct plan_work **first; /* of each lab that is graded */
    size_t n_first;
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

/* Compiles and tests once. NULL where the run was interrupted. Causes are found on the simulator,
 * so the GPU is not asked once more. */
static json_t *grade_once(struct scheduler *scheduler, struct plan_work *work) {
    uint64_t seed = journal_seed(scheduler->plan->journal, &work->key);
    OWNED char *again = text_format("./warpbook check %.2s", work->target.lab->name);
    struct grading_job job = {
        .target = &work->target,
        .again = again,
        .jobs = 1,
        .experiments = scheduler->experiments,
        .is_simulated = scheduler->experiments,
        .seed = &seed,
    };
    grading_run(&scheduler->grading, &job);
    if (!job.is_interrupted)
        return job.lab;
    json_decref(job.lab);
    return NULL;
}

/* Compiles and tests a file. Where the grader or the machine failed, it is done a second time.
 * NULL where the run was interrupted. */
static json_t *grade(struct scheduler *scheduler, struct plan_work *work) {
    json_t *record = grade_once(scheduler, work);
    for (int i = 1; i < TRIES && record && is_ours(record); i++) {
        json_decref(record);
        record = grade_once(scheduler, work);
    }
    if (record)
        store_settle(record, work->target.source, work->target.manifest->source);
    return record;
}

/* False once the run was interrupted, or the journal can't be written. */
static bool goes_on(struct scheduler *scheduler) {
    pthread_mutex_lock(&scheduler->mutex);
    if (process_is_interrupted(scheduler->plan->session->interrupt_fd))
        scheduler->status = scheduler->status == GRADER_OK ? GRADER_INTERRUPTED : scheduler->status;
    bool goes_on = scheduler->status == GRADER_OK;
    pthread_mutex_unlock(&scheduler->mutex);
    return goes_on;
}

/* Nothing that is done now could be kept. */
static void give_up(struct scheduler *scheduler, const struct diag *diag) {
    if (scheduler->status != GRADER_OK)
        return;
    scheduler->status = GRADER_FAILED;
    *scheduler->diag = *diag;
}

/* The model answers come first, then the files. */
static void do_work(void *context, size_t index) {
    struct scheduler *scheduler = context;
    if (index < scheduler->n_first) {
        model_prepare(&scheduler->grading, &scheduler->first[index]->target);
        return;
    }
    struct plan_work *work = scheduler->open[index - scheduler->n_first];
    struct diag diag = {0};
    json_auto_t *record = goes_on(scheduler) ? grade(scheduler, work) : NULL;
    if (!record)
        return;
    bool ours = is_ours(record);
    enum grader_status status =
        ours ? GRADER_OK : collector_keep(&scheduler->collector, work, record, &diag);
    pthread_mutex_lock(&scheduler->mutex);
    if (ours) {
        collector_failure(&scheduler->collector, work, reason_of(record));
    } else if (status == GRADER_OK) {
        collector_result(&scheduler->collector, work, record);
    } else {
        give_up(scheduler, &diag);
    }
    pthread_mutex_unlock(&scheduler->mutex);
}

/* Takes the work items that are meant. */
static void choose(struct scheduler *scheduler,
                   bool (*is_meant)(const struct plan *plan, const struct plan_work *work)) {
    struct plan *plan = scheduler->plan;
    scheduler->open = make_zeroed(plan->n_work_items, sizeof *scheduler->open);
    for (size_t i = 0; i < plan->n_work_items; i++) { /* in the order of the students */
        if (is_meant(plan, plan->work_items[i]))
            scheduler->open[scheduler->n_open++] = plan->work_items[i];
    }
}

static void find_first(struct scheduler *scheduler) {
    scheduler->first = make_zeroed(scheduler->n_open, sizeof *scheduler->first);
    for (size_t i = 0; i < scheduler->n_open; i++) {
        size_t k = 0;
        while (k < scheduler->n_first && scheduler->first[k]->lab != scheduler->open[i]->lab)
            k++;
        if (k == scheduler->n_first)
            scheduler->first[scheduler->n_first++] = scheduler->open[i];
    }
}

/* Does what was chosen, several files at once. */
static enum grader_status run(struct scheduler *scheduler, queue_work *work) {
    const struct session *session = scheduler->plan->session;
    pthread_mutex_init(&scheduler->mutex, NULL);
    grading_init(&scheduler->grading, session);
    int jobs = session->options->jobs;
    /* A test waits while its worker starts and ends: one more keeps all processors busy. With
     * several GPUs files wait for their turns, and others are to be ready when a GPU is free. */
    if (!(session->options->given & OPTION_JOBS))
        jobs += scheduler->grading.gpus.n > 1 ? READY : 1;
    queue_finish(queue_start(scheduler->n_first + scheduler->n_open, jobs, work, scheduler));
    if (process_is_interrupted(session->interrupt_fd) && scheduler->status == GRADER_OK)
        scheduler->status = GRADER_INTERRUPTED;
    grading_finish(&scheduler->grading);
    pthread_mutex_destroy(&scheduler->mutex);
    free(scheduler->open);
    free(scheduler->first);
    return scheduler->status;
}

static bool is_open(const struct plan *plan, const struct plan_work *work) {
    (void)plan;
    return work->state == WORK_OPEN;
}

enum grader_status scheduler_run(struct plan *plan, struct show *show, struct diag *diag) {
    struct scheduler scheduler = {.plan = plan, .diag = diag};
    choose(&scheduler, is_open);
    find_first(&scheduler);
    collector_init(&scheduler.collector, plan, show);
    enum grader_status status = run(&scheduler, do_work);
    collector_finish(&scheduler.collector);
    return status;
}

/* A file that failed, and of which nobody has looked for the cause. */
static bool is_unexplained(const struct plan *plan, const struct plan_work *work) {
    if ((work->state != WORK_KNOWN && work->state != WORK_DONE) ||
        strcmp(work->verdict, "fail") != 0)
        return false;
    json_auto_t *causes = journal_causes(plan->journal, &work->key);
    return !causes;
}

/* {test: experiment} of the tests that ended as they did before. */
static json_t *causes_of(const json_t *record, const json_t *again) {
    json_t *causes = json_object(), *test;
    const json_t *before = json_object_get(record, "tests");
    size_t index;
    json_array_foreach(json_object_get(again, "tests"), index, test) {
        json_t *experiment = json_object_get(test, "experiment");
        if (json_is_object(experiment) &&
            json_equal(json_object_get(test, "verdict"),
                       json_object_get(json_array_get(before, index), "verdict")))
            json_object_set(causes, record_text(test, "name"), experiment);
    }
    return causes;
}

static bool is_proven(const json_t *causes) {
    const char *test;
    json_t *cause;
    json_object_foreach((json_t *)causes, test, cause) {
        if (json_array_size(json_object_get(cause, "proven")) > 0)
            return true;
    }
    return false;
}

static void find_causes(void *context, size_t index) {
    struct scheduler *scheduler = context;
    struct plan_work *work = scheduler->open[index];
    struct journal *journal = scheduler->plan->journal;
    struct diag diag = {0};
    json_auto_t *again = goes_on(scheduler) ? grade_once(scheduler, work) : NULL;
    if (!again)
        return;
    store_settle(again, work->target.source, work->target.manifest->source);
    json_auto_t *record = journal_find(journal, &work->key), *causes = causes_of(record, again);
    bool ours = is_ours(again);
    enum grader_status status =
        ours ? GRADER_OK : journal_explain(journal, &work->key, causes, &diag);
    pthread_mutex_lock(&scheduler->mutex);
    scheduler->n_proven += !ours && is_proven(causes);
    if (status != GRADER_OK)
        give_up(scheduler, &diag);
    show_step(scheduler->collector.show);
    pthread_mutex_unlock(&scheduler->mutex);
}

enum grader_status scheduler_find_causes(struct plan *plan, struct diag *diag) {
    struct show show;
    struct scheduler scheduler = {.plan = plan, .diag = diag, .experiments = true};
    choose(&scheduler, is_unexplained);
    show_init(&show, plan->session->options, scheduler.n_open);
    scheduler.collector.show = &show;
    enum grader_status status = run(&scheduler, find_causes);
    show.n_done = show.n_work_items; /* no bar any more */
    show_note(&show, "Of those that failed, a cause is proven in %zu of %zu files.",
              scheduler.n_proven, scheduler.n_open);
    return status;
}

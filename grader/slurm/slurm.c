/* Submits, follows, collects. The class's own journal is written here alone. */
#include "grader/slurm/slurm.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/class/scheduler.h"
#include "grader/slurm/cluster.h"
#include "grader/slurm/parts.h"

enum {
    CHUNK = 10,           /* students of a task, where nobody says */
    MAX_TASKS = 1000,     /* then; of an array, Slurm takes 1001 unless it is told otherwise */
    LOOK_MS = 500,        /* between two looks at a young job */
    MAX_LOOK_MS = 15000,  /* and at an old one */
    PATIENCE_MS = 600000, /* with a Slurm that does not answer */
    LOCK_MS = 180000,     /* with a journal that the task of a lost node still has */
};

/* A task and its part. */
struct follow {
    bool is_taken;
    double over_ms; /* when it was seen to be over, or 0 */
};

struct slurm {
    struct plan *plan;
    struct show *show;
    struct collector collector;
    struct cluster cluster;
    struct parts parts;
    struct cluster_task *tasks; /* a part each */
    struct follow *follows;
    bool is_resumed; /* an earlier run submitted it */
    char last_note[160];
};

/* The folder beside the journal, as seen from everywhere. */
static char *folder_of(const char *journal) {
    OWNED char *real = realpath(journal, NULL);
    return text_format("%s.slurm", real ? real : journal);
}

static size_t count_open(const struct plan *plan) {
    size_t n = 0;
    for (size_t i = 0; i < plan->n_work_items; i++)
        n += plan->work_items[i]->state == WORK_OPEN;
    return n;
}

/* Parts for all that is open, and a job for them. */
static enum grader_status submit(struct slurm *slurm, const char *folder, struct diag *diag) {
    const struct options *options = slurm->plan->session->options;
    size_t spread = (slurm->plan->roster->n + MAX_TASKS - 1) / MAX_TASKS;
    size_t chunk = options->chunk ? (size_t)options->chunk : spread > CHUNK ? spread : CHUNK;
    char id[32];
    OWNED char *script = text_format("%s/task", folder);
    enum grader_status status = parts_make(&slurm->parts, folder, slurm->plan, chunk, diag);
    struct cluster_job job = {
        .name = slurm->parts.name,
        .folder = folder,
        .script = script,
        .n_tasks = slurm->parts.n,
        .cpus = parts_jobs(options),
        .gres = options->gres,
        .partition = options->partition,
        .time = options->time,
    };
    if (status == GRADER_OK) {
        status = cluster_submit(&slurm->cluster, &job, id, diag);
        if (status == GRADER_OK)
            show_note(slurm->show, "Slurm job %s, %s: %zu task%s", id, job.name, job.n_tasks,
                      job.n_tasks == 1 ? "" : "s");
        else if (status == GRADER_FAILED) /* refused: nothing is under way */
            parts_remove(folder);
    }
    return status;
}

/* Why a piece of work came back without a result. */
static char *reason_of(const struct slurm *slurm, size_t part, char *failure) {
    if (failure)
        return failure;
    const char *word = slurm->tasks[part].word;
    OWNED char *words = parts_last_words(&slurm->parts, part);
    OWNED char *said =
        words ? text_format("its last words: %s", words)
              : text_format("it left no log: is %s there on its node?", slurm->parts.folder);
    return text_format("task %zu of Slurm's ended without a result (%s); %s", part,
                       *word ? word : "forgotten", said);
}

/* Takes one piece of work in, with the grader and the backend that its machine had. */
static enum grader_status take_work(struct slurm *slurm, struct plan_work *work, json_t *record,
                                    char *grader, char *backend, struct diag *diag) {
    work->grader = grader;
    work->backend = backend;
    work->key.grader = grader;
    work->key.backend = backend;
    enum grader_status status = collector_keep(&slurm->collector, work, record, diag);
    if (status == GRADER_OK)
        collector_result(&slurm->collector, work, record);
    json_decref(record);
    return status;
}

/* Takes in the results in a part's journal. Work without a result has failed; in an array that an
 * earlier run submitted, it stays open, and is submitted again. */
static enum grader_status take_part(struct slurm *slurm, size_t part, struct journal *journal,
                                    struct diag *diag) {
    const struct part *item = &slurm->parts.items[part];
    enum grader_status status = GRADER_OK;
    for (size_t i = 0; i < item->n && status == GRADER_OK; i++) {
        struct plan_work *work = item->work_items[i].work;
        char *grader = NULL, *backend = NULL;
        if (!work || work->state != WORK_OPEN)
            continue;
        json_t *record = journal_verdict(journal, &work->key, &grader, &backend);
        if (record) {
            status = take_work(slurm, work, record, grader, backend, diag);
            continue;
        }
        char *failure = journal_failure(journal, &work->key);
        if (failure || !slurm->is_resumed)
            collector_failure(&slurm->collector, work, reason_of(slurm, part, failure));
    }
    return status;
}

/* Takes a part whose task is over; leaves it for later where a grader still has its journal. */
static enum grader_status collect(struct slurm *slurm, size_t part, struct diag *diag) {
    struct follow *follow = &slurm->follows[part];
    struct journal *journal = NULL;
    struct diag problem = {0};
    OWNED char *path = parts_path(&slurm->parts, part, "journal");
    if (follow->over_ms == 0)
        follow->over_ms = process_clock_ms();
    enum grader_status status = journal_open(path, NULL, &journal, &problem);
    if (status == GRADER_OK) {
        status = take_part(slurm, part, journal, diag);
        follow->is_taken = true;
    } else if (process_clock_ms() - follow->over_ms < LOCK_MS && status == GRADER_BAD_INPUT) {
        status = GRADER_OK;
    } else {
        const struct part *item = &slurm->parts.items[part];
        for (size_t i = 0; i < item->n; i++) {
            struct plan_work *work = item->work_items[i].work;
            if (work && work->state == WORK_OPEN)
                collector_failure(&slurm->collector, work,
                                  text_format("%s: %s", path, problem.message));
        }
        follow->is_taken = true;
        status = GRADER_OK;
    }
    journal_close(journal);
    return status;
}

/* Says, once each, why nothing runs. */
static void note_waiting(struct slurm *slurm) {
    const char *reason = "";
    for (size_t i = 0; i < slurm->parts.n; i++) {
        if (slurm->tasks[i].how == CLUSTER_RUNS)
            return;
        if (slurm->tasks[i].how == CLUSTER_WAITS && slurm->tasks[i].reason[0])
            reason = slurm->tasks[i].reason;
    }
    static const char *const usual[] = {"", "None", "Priority", "BeginTime", "Resources"};
    if (find_in_list(reason, usual, sizeof usual / sizeof *usual - 1, sizeof *usual) ||
        strcmp(reason, slurm->last_note) == 0)
        return;
    snprintf(slurm->last_note, sizeof slurm->last_note, "%s", reason);
    show_note(slurm->show, "Nothing runs; Slurm says: %s", reason);
}

/* Waits a while: longer for a job that has been long at work. False where it is interrupted. */
static bool pause_for(const struct slurm *slurm, double start_ms) {
    double age = process_clock_ms() - start_ms, ms = age / 40;
    int interrupt_fd = slurm->plan->session->interrupt_fd;
    struct pollfd interrupt = {.fd = interrupt_fd, .events = POLLIN};
    poll(&interrupt, 1, ms < LOOK_MS ? LOOK_MS : ms > MAX_LOOK_MS ? MAX_LOOK_MS : (int)ms);
    return !process_is_interrupted(interrupt_fd);
}

/* Follows the job until each part is taken. */
static enum grader_status follow(struct slurm *slurm, struct diag *diag) {
    double start_ms = process_clock_ms(), answer_ms = start_ms;
    for (;;) {
        size_t n_left = 0, n_elsewhere = 0;
        enum grader_status status =
            cluster_ask(&slurm->cluster, slurm->parts.name, slurm->tasks, slurm->parts.n, diag);
        if (status == GRADER_INTERRUPTED ||
            (status != GRADER_OK && process_clock_ms() - answer_ms > PATIENCE_MS))
            return status;
        bool is_known = status == GRADER_OK;
        if (is_known)
            answer_ms = process_clock_ms();
        for (size_t i = 0; i < slurm->parts.n; i++) {
            status = GRADER_OK;
            if (is_known && !slurm->follows[i].is_taken && slurm->tasks[i].how == CLUSTER_OVER)
                status = collect(slurm, i, diag);
            if (status != GRADER_OK)
                return status;
            n_left += !slurm->follows[i].is_taken;
            n_elsewhere += slurm->follows[i].is_taken ? 0 : parts_look(&slurm->parts, i);
        }
        show_elsewhere(slurm->show, n_elsewhere);
        if (n_left == 0)
            return GRADER_OK;
        note_waiting(slurm);
        if (!pause_for(slurm, start_ms))
            return GRADER_INTERRUPTED;
    }
}

/* One array, from the beginning or from where it is, to the end. */
static enum grader_status one_job(struct slurm *slurm, const char *folder, struct diag *diag) {
    enum grader_status status;
    slurm->is_resumed = file_exists(folder);
    if (slurm->is_resumed) {
        status = parts_read(&slurm->parts, folder, slurm->plan, diag);
        if (status == GRADER_OK)
            show_note(slurm->show, "Slurm job %s of an earlier run: %zu task%s", slurm->parts.name,
                      slurm->parts.n, slurm->parts.n == 1 ? "" : "s");
    } else {
        status = submit(slurm, folder, diag);
    }
    slurm->tasks = make_zeroed(slurm->parts.n, sizeof *slurm->tasks);
    slurm->follows = make_zeroed(slurm->parts.n, sizeof *slurm->follows);
    if (status == GRADER_OK)
        status = follow(slurm, diag);
    if (status == GRADER_OK)
        parts_remove(folder);
    else if (status == GRADER_INTERRUPTED && slurm->parts.name)
        show_note(slurm->show,
                  "The job goes on without this program. The same command comes back to it; "
                  "`scancel --name=%s` ends it.",
                  slurm->parts.name);
    free(slurm->tasks);
    free(slurm->follows);
    parts_finish(&slurm->parts);
    return status;
}

enum grader_status slurm_work(struct plan *plan, const char *journal, struct show *show,
                              struct diag *diag) {
    struct slurm slurm = {.plan = plan, .show = show};
    char *folder = folder_of(journal);
    enum grader_status status = cluster_find(&slurm.cluster, plan->session->interrupt_fd, diag);
    collector_init(&slurm.collector, plan, show);
    while (status == GRADER_OK && (count_open(plan) > 0 || file_exists(folder)))
        status = one_job(&slurm, folder, diag);
    if (status == GRADER_OK)
        parts_remove(folder);
    collector_finish(&slurm.collector);
    cluster_finish(&slurm.cluster);
    free(folder);
    return status;
}

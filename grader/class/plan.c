/* From the roster to pieces of work, each once. */
#include "grader/class/plan.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/class/journal/store.h"
#include "grader/grade/evidence/observe.h"
#include "grader/session/session.h"
#include "grader/grade/record.h"
#include "grader/report/scoring/course.h"

/* What is needed while the plan is made. */
struct making {
    struct plan *plan;
    const char *root;
    void *tree; /* work items by lab and file */
};

static int compare(const void *a, const void *b) {
    const struct plan_work *one = a, *other = b;
    int order = strcmp(one->file, other->file);
    return order ? order : (one->lab > other->lab) - (one->lab < other->lab);
}

static void free_work(struct plan_work *work) {
    free(work->target.source);
    free(work->reason);
    free(work->grader);
    free(work->backend);
    free(work);
}

/* The plan's own piece of work for a file; takes `stored`. */
static struct plan_work *work_of(struct making *making, size_t lab, const char *file,
                                 char *stored) {
    struct plan *plan = making->plan;
    struct plan_work *work = make_zeroed(1, sizeof *work);
    work->lab = lab;
    work->target = plan->labs->items[lab];
    work->target.source = stored;
    memcpy(work->file, file, sizeof work->file);
    struct plan_work **node = tsearch(work, &making->tree, compare);
    if (!node)
        abort();
    if (*node != work) {
        free_work(work);
        return *node;
    }
    work->key = (struct journal_key){
        .lab = work->target.lab->name,
        .file = work->file,
        .tests = plan->tests[lab],
        .grader = plan->grader,
        .backend = identity_backend(plan->session),
        .generation = journal_generation(plan->journal, work->target.lab->name, work->file),
    };
    plan->work_items = grow_list(plan->work_items, plan->n_work_items, sizeof *plan->work_items);
    plan->work_items[plan->n_work_items++] = work;
    return work;
}

/* One student's file. GRADER_FAILED where it cannot be kept. */
static enum grader_status add_cell(struct making *making, size_t student, size_t lab,
                                   struct diag *diag) {
    struct plan *plan = making->plan;
    const struct roster_file *file = &plan->roster->students[student].files[lab];
    const struct target *target = &plan->labs->items[lab];
    struct plan_cell *cell = plan_cell(plan, student, lab);
    char sha256[DIGEST_TEXT], *stored = NULL;
    if (!target->manifest) {
        cell->verdict = "infrastructure";
        cell->reason = text_format("%s: %s", target->diag.file, target->diag.message);
    } else if (file->problem) {
        cell->verdict = "bad_file";
        cell->reason = text_format("%s: %s", file->shown, file->problem);
    } else if (!file->path && (plan->roster->students[student].notes.has_losses ||
                               plan->roster->notes.has_losses)) {
        cell->verdict = "infrastructure";
        cell->reason = text_format("Not all that was handed in could be read, so that nobody knows "
                                   "whether %s was.",
                                   target->manifest->source);
    } else if (!file->path) {
        cell->verdict = "missing";
        cell->reason = text_format("%s was not handed in.", target->manifest->source);
        if (plan->roster->students[student].is_unclear)
            text_add(&cell->reason, " There was %s, of which nobody can tell the lab.",
                     plan->roster->students[student].others.items[0]);
    } else {
        enum grader_status status = store_take(plan->session->book.build, making->root, file->path,
                                               target->manifest->source, sha256, &stored, diag);
        if (status == GRADER_OK) {
            cell->work = work_of(making, lab, sha256, stored);
            return GRADER_OK;
        }
        free(stored);
        if (status == GRADER_FAILED)
            return status;
        cell->verdict = "bad_file";
        cell->reason = text_format("%s: %s", file->shown, diag->message);
    }
    return GRADER_OK;
}

/* What --regrade means of a plan: all, a lab, or a student. */
static enum grader_status regrade(struct plan *plan, const char *what, struct diag *diag) {
    const struct roster *roster = plan->roster;
    bool is_all = strcmp(what, "all") == 0;
    bool is_student = find_in_list(what, roster->students, roster->n, sizeof *roster->students);
    const struct workbook_lab *lab = NULL;
    if (!is_all && !is_student && !(lab = workbook_find(&plan->session->book, what, NULL))) {
        diag_set(diag, NULL, 0, "--regrade: '%s' is no student of this class, no lab and not 'all'",
                 what);
        return GRADER_BAD_INPUT;
    }
    enum grader_status status = journal_begin(plan->journal, diag);
    if (status != GRADER_OK)
        return status;
    for (size_t i = 0; i < roster->n * plan->labs->n && status == GRADER_OK; i++) {
        const char *id = roster->students[i / plan->labs->n].id;
        struct plan_work *work = plan->cells[i].work;
        bool is_meant =
            is_all || (is_student ? strcmp(id, what) == 0 : work && work->target.lab == lab);
        if (work && is_meant && work->state == WORK_OPEN)
            status = journal_regrade(plan->journal, &work->key, diag);
        if (work && is_meant)
            work->state = WORK_KNOWN; /* each once; look_up sets it right */
    }
    enum grader_status ended = journal_end(plan->journal, diag);
    return status == GRADER_OK ? ended : status;
}

void plan_note(struct plan_work *work, const json_t *record) {
    snprintf(work->verdict, sizeof work->verdict, "%s", record_text(record, "verdict"));
    work->points = (int)record_count(record, "points");
    work->max_points = (int)record_count(record, "max_points");
}

/* Finds what the journal knows, and notes there whose it is now. */
static enum grader_status look_up(struct plan *plan, struct diag *diag) {
    enum grader_status status = journal_begin(plan->journal, diag);
    if (status != GRADER_OK)
        return status;
    for (size_t i = 0; i < plan->n_work_items; i++) {
        struct plan_work *work = plan->work_items[i];
        json_auto_t *record = journal_find(plan->journal, &work->key);
        work->state = record ? WORK_KNOWN : WORK_OPEN;
        if (record)
            plan_note(work, record);
    }
    for (size_t i = 0; i < plan->roster->n * plan->labs->n && status == GRADER_OK; i++) {
        const struct plan_work *work = plan->cells[i].work;
        if (work && work->state == WORK_KNOWN)
            status = journal_grade(plan->journal, plan->roster->students[i / plan->labs->n].id,
                                   &work->key, diag);
    }
    enum grader_status ended = journal_end(plan->journal, diag);
    return status == GRADER_OK ? ended : status;
}

/* Whether the course names the lab. */
static bool is_wanted(const struct plan *plan, size_t lab) {
    bool is_counted = false;
    if (plan->wanted && plan->wanted->n_labs > 0)
        course_lab(plan->wanted, plan->labs->items[lab].lab->name, &is_counted);
    return is_counted;
}

static void keep_node(void *node) {
    (void)node; /* the plan has it */
}

enum grader_status plan_make(struct plan *plan, const char *root, const char *what,
                             struct diag *diag) {
    const struct roster *roster = plan->roster;
    const struct targets *labs = plan->labs;
    struct making making = {.plan = plan, .root = root};
    enum grader_status status = GRADER_OK;
    plan->has_lab = make_zeroed(labs->n, sizeof *plan->has_lab);
    plan->tests = make_zeroed(labs->n, sizeof *plan->tests);
    plan->cells = make_zeroed(roster->n * labs->n, sizeof *plan->cells);
    identity_grader(plan->session, plan->grader);
    for (size_t lab = 0; lab < labs->n; lab++) {
        plan->has_lab[lab] = roster_has_lab(roster, lab) || is_wanted(plan, lab);
        if (plan->has_lab[lab] && labs->items[lab].manifest)
            identity_tests(plan->session, labs->items[lab].lab, plan->tests[lab]);
    }
    for (size_t i = 0; i < roster->n * labs->n && status == GRADER_OK; i++) {
        if (process_is_interrupted(plan->session->interrupt_fd))
            status = GRADER_INTERRUPTED;
        else if (plan->has_lab[i % labs->n])
            status = add_cell(&making, i / labs->n, i % labs->n, diag);
    }
    tdestroy(making.tree, keep_node);
    if (status == GRADER_OK && what)
        status = regrade(plan, what, diag);
    return status == GRADER_OK ? look_up(plan, diag) : status;
}

void plan_finish(struct plan *plan) {
    for (size_t i = 0; plan->cells && i < plan->roster->n * plan->labs->n; i++)
        free(plan->cells[i].reason);
    for (size_t i = 0; i < plan->n_work_items; i++)
        free_work(plan->work_items[i]);
    free(plan->work_items);
    free(plan->cells);
    free(plan->tests);
    free(plan->has_lab);
}

struct plan_cell *plan_cell(const struct plan *plan, size_t student, size_t lab) {
    return &plan->cells[student * plan->labs->n + lab];
}

const char *plan_verdict(const struct plan_cell *cell) {
    if (!cell->work)
        return cell->verdict ? cell->verdict : "";
    return cell->work->state == WORK_FAILED ? "infrastructure" : cell->work->verdict;
}

/* Puts what experiments proved into a record. */
static void add_causes(const struct plan *plan, const struct plan_work *work, json_t *record) {
    json_auto_t *causes = journal_causes(plan->journal, &work->key);
    json_t *test;
    size_t index;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        json_t *cause = json_object_get(causes, record_text(test, "name"));
        if (cause)
            json_object_set(test, "experiment", cause);
        record_observe_experiment(test);
    }
}

json_t *plan_record(const struct plan *plan, size_t student, size_t lab) {
    const struct roster_file *file = &plan->roster->students[student].files[lab];
    const struct plan_cell *cell = plan_cell(plan, student, lab);
    json_t *record = NULL;
    if (cell->work && (cell->work->state == WORK_KNOWN || cell->work->state == WORK_DONE))
        record = journal_find(plan->journal, &cell->work->key);
    if (!record) {
        struct target target = plan->labs->items[lab];
        target.source = file->shown ? file->shown : (char *)"";
        record = record_lab(&target);
        const char *reason = cell->work ? cell->work->reason : cell->reason;
        record_refuse(record, *plan_verdict(cell) ? plan_verdict(cell) : "infrastructure",
                      reason ? reason : "It was not graded yet.");
    } else {
        add_causes(plan, cell->work, record);
        json_object_set_new(record, "source", json_string(file->shown));
        json_object_set_new(record, "path", json_string(cell->work->target.source));
    }
    return record;
}

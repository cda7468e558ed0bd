/* From a file to the record of its lab: compile, run the tests, read what they left. */
#include "grader/grade/grading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/run_notes.h"
#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/compile/build.h"
#include "grader/grade/evidence/host.h"
#include "grader/grade/late.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/grade/results.h"
#include "grader/grade/run.h"
#include "grader/grade/turn.h"
#include "grader/workbook/case_names.h"
#include "grader/workbook/selection.h"

enum { LOG_BYTES = 1 << 20, LOG_SHOWN = 600, LAST_PATIENCE = 4, HOPELESS = 2 };

void grading_init(struct grading *grading, const struct session *session) {
    grading->session = session;
    grading->gpus = (struct gpus){.n = 0};
    if (session->device.is_gpu)
        gpus_find(&grading->gpus);
    /* A writer (a run that wants all processors) goes before readers that come later: else it could
     * wait as long as the class has single tests. */
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&grading->machine, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    grading->models = make_zeroed(session->book.n_labs + 1, sizeof *grading->models);
    for (size_t i = 0; i <= session->book.n_labs; i++)
        pthread_mutex_init(&grading->models[i], NULL);
}

void grading_finish(struct grading *grading) {
    for (size_t i = 0; i <= grading->session->book.n_labs; i++)
        pthread_mutex_destroy(&grading->models[i]);
    free(grading->models);
    pthread_rwlock_destroy(&grading->machine);
}

/* The state of one grading while it runs. */
struct attempt {
    struct grading *grading;
    struct grading_job *job;
    struct selection selection;
    struct build_result build;
    struct device device; /* as the session's, which owns its strings */
    char *results, *log;  /* folder for the documents; file for the test program's output */
    json_t *shared;       /* how all examples ended where it holds for every test, or NULL */
    bool has_timed_out;   /* so that speed was not measured */
};

static void refuse(struct grading_job *job, const char *verdict, const struct diag *diag) {
    OWNED char *reason = NULL;
    if (diag->file[0] && diag->line > 0)
        reason = text_format("%s:%u: %s", diag->file, diag->line, diag->message);
    else if (diag->file[0])
        reason = text_format("%s: %s", diag->file, diag->message);
    else
        reason = text_format("%s", diag->message);
    record_refuse(job->lab, verdict, reason);
}

/* Compiles; true where there is an object to run. */
static bool compile(struct attempt *attempt) {
    const struct session *session = attempt->grading->session;
    struct grading_job *job = attempt->job;
    struct diag diag;
    struct build_request request = {
        .source = job->target->source,
        .lab_folder = job->target->lab->folder,
        .root = session->book.root,
        .build = session->book.build,
        .scratch = session->scratch.path,
        .manifest = job->target->manifest,
        .nvcc = &session->nvcc,
        .sandbox = &session->sandboxing.tools,
        .is_foreign = session->sandboxing.is_foreign,
        .major = session->device.is_gpu ? session->device.gpu.major : 0,
        .minor = session->device.is_gpu ? session->device.gpu.minor : 0,
        .interrupt_fd = session->interrupt_fd,
    };
    enum grader_status status = build_run(&request, &attempt->build, &diag);
    record_compile(job->lab, &attempt->build);
    if (status == GRADER_INTERRUPTED)
        job->is_interrupted = true;
    else if (status == GRADER_BAD_INPUT)
        refuse(job, file_exists(request.source) ? "bad_file" : "missing", &diag);
    else if (status != GRADER_OK)
        refuse(job, "infrastructure", &diag);
    else if (!attempt->build.compiled)
        record_refuse(job->lab, "compile_error", attempt->build.reason);
    return status == GRADER_OK && attempt->build.compiled;
}

/* The case that --case names, in the test program's words; NULL for all. */
static char *case_of(const struct attempt *attempt) {
    const struct selection *selection = &attempt->selection;
    const char *text = attempt->grading->session->options->case_text;
    return text ? case_read(case_names(selection->manifest, selection->test), text) : NULL;
}

/* Runs a part of the selected tests, where there are any in it: together, or for the last time,
 * alone on the machine and with more time. */
static enum grader_status run_selected(struct attempt *attempt, const struct selection *selection,
                                       enum selection_part part, bool is_last_try,
                                       struct diag *diag) {
    const struct session *session = attempt->grading->session;
    const struct target *target = attempt->job->target;
    char *filter = selection_filter(selection, part);
    if (!filter)
        return GRADER_OK;
    char *tests = workbook_tests(&session->book, target->lab);
    int jobs = part == SELECTION_SPEED ? 1 : attempt->job->jobs;
    /* A test waits while its worker starts and ends: two more keep all processors busy. */
    if (jobs > 1 && !attempt->device.is_gpu && !(session->options->given & OPTION_JOBS))
        jobs += 2;
    struct turn turn;
    const struct turn_wish wish = {.wants_gpu =
                                       attempt->device.is_gpu && part != SELECTION_ON_SIMULATOR,
                                   .is_speed = part == SELECTION_SPEED,
                                   .is_last_try = is_last_try,
                                   .jobs = jobs};
    OWNED char *case_text = case_of(attempt);
    struct run_request request = {
        .tests = tests,
        .results = attempt->results,
        .log = attempt->log,
        .submission = attempt->build.object,
        .source = target->source,
        .filter = filter,
        .case_text = case_text,
        .device = &attempt->device,
        .scratch = session->scratch.path,
        .sandbox = &session->sandboxing.tools,
        .seed = attempt->job->seed ? *attempt->job->seed : session->seed,
        .timeout_ms = target->manifest->timeout_ms,
        .patience = is_last_try ? LAST_PATIENCE : 1,
        .n_tests = target->manifest->n_tests,
        .jobs = jobs,
        .experiments = attempt->job->experiments,
        .is_first_try = !is_last_try,
        .interrupt_fd = session->interrupt_fd,
    };
    enum grader_status status = turn_take(attempt->grading, &wish, &request, &turn, diag);
    if (status == GRADER_OK) {
        status = run_tests(&request, diag);
        enum grader_status given = turn_give(&turn, diag);
        status = given != GRADER_OK ? given : status;
    }
    free(tests);
    free(filter);
    return status;
}

static enum grader_status run_part(struct attempt *attempt, enum selection_part part,
                                   struct diag *diag) {
    if (part == SELECTION_SPEED && attempt->job->is_untimed)
        return GRADER_OK;
    return run_selected(attempt, &attempt->selection, part, false, diag);
}

/* Why tests left no results: what was seen of the run, and the end of what it printed. */
static char *explain(const struct attempt *attempt, enum grader_status status,
                     const struct diag *diag) {
    char *bytes = NULL, *text;
    size_t n_bytes = 0;
    const char *said = status == GRADER_OK ? "The test left no result." : diag->message;
    if (file_read(attempt->log, LOG_BYTES, &bytes, &n_bytes, NULL) != GRADER_OK || n_bytes == 0)
        text = text_format("%s", said);
    else
        text = text_format("%s The test program printed:\n%s", said,
                           bytes + (n_bytes > LOG_SHOWN ? n_bytes - LOG_SHOWN : 0));
    free(bytes);
    return text;
}

/* The document of an example where all examples ended in the same way and for a reason that every
 * other test would meet, too: nothing is written, or nothing can be called. NULL where it is not
 * so; else a new reference. */
static json_t *shared_end(const struct attempt *attempt) {
    const struct manifest *manifest = attempt->job->target->manifest;
    json_t *shared = NULL;
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const struct manifest_test *test = &manifest->tests[i];
        if (!selection_has(&attempt->selection, test, SELECTION_EXAMPLES))
            continue;
        bool is_there;
        json_t *document = results_read(attempt->results, test->name, &is_there, NULL);
        const char *verdict = record_text(document, "verdict");
        bool is_shared = verdict_is_of_whole_file(verdict) &&
                         (!shared || strcmp(record_text(shared, "verdict"), verdict) == 0);
        json_decref(shared);
        shared = document;
        if (!is_shared) {
            json_decref(shared);
            return NULL;
        }
    }
    return shared;
}

static char *note_path(const struct attempt *attempt, const char *note) {
    return text_format("%s/%s", attempt->results, note);
}

/* What is run first on a GPU. To look for causes, where all tests that a change of the code reaches
 * are asked, they are in one run. One test at a time is enough beside other files: then speed is
 * measured by the same program, in the context of the tests before. */
static enum selection_part first_on_gpu(const struct attempt *attempt) {
    bool is_beside_others =
        attempt->job->jobs == 1 && attempt->grading->gpus.n > 0 && !attempt->job->is_untimed;
    if (attempt->job->experiments)
        return is_beside_others ? SELECTION_ALL : SELECTION_BUT_SPEED;
    return is_beside_others ? SELECTION_ON_GPU : SELECTION_ON_DEVICE;
}

/* What wants the GPU runs first: the test program goes on behind the examples only where these give
 * a reason to. The simulator's tests follow, while others may have the GPU. */
static enum grader_status run_on_gpu(struct attempt *attempt, struct diag *diag) {
    const enum selection_part first = first_on_gpu(attempt);
    enum grader_status status = run_part(attempt, first, diag);
    if (status != GRADER_OK || (attempt->shared = shared_end(attempt)))
        return status;
    if (first == SELECTION_ON_GPU || first == SELECTION_ON_DEVICE)
        status = run_part(attempt, SELECTION_ON_SIMULATOR, diag);
    OWNED char *note = note_path(attempt, RUN_NOTE_TIMED_OUT);
    attempt->has_timed_out = file_exists(note);
    bool is_speed_over = first == SELECTION_ON_GPU || first == SELECTION_ALL;
    if (status != GRADER_OK || attempt->has_timed_out || is_speed_over)
        return status;
    return run_part(attempt, SELECTION_SPEED, diag);
}

/* The document of a test that was not run, a new reference; NULL where it should have been. */
static json_t *not_run_document(const struct attempt *attempt, const struct manifest_test *test) {
    if (attempt->shared)
        return record_blank_test(test->name, record_text(attempt->shared, "verdict"),
                                 record_text(attempt->shared, "reason"));
    bool is_speed = selection_has(&attempt->selection, test, SELECTION_SPEED);
    if (is_speed && !attempt->device.is_gpu)
        return record_blank_test(test->name, "skipped",
                                 "This test needs a GPU; the simulator answers here.");
    if (is_speed && attempt->job->is_untimed)
        return record_blank_test(test->name, "skipped", "Speed is not measured here.");
    if (is_speed && attempt->has_timed_out)
        return record_blank_test(test->name, "not_run",
                                 "Speed is measured once every other test comes to its end.");
    return NULL;
}

/* True where a test that was to run left no result, or a result that says that the grader or the
 * machine failed, or where the clock stopped it while the machine had too much to do. */
static bool is_lost(const struct attempt *attempt, const struct manifest_test *test) {
    bool is_there;
    json_auto_t *document = results_read(attempt->results, test->name, &is_there, NULL);
    if (!document && !is_there)
        document = not_run_document(attempt, test);
    return !document || strcmp(record_text(document, "verdict"), "infrastructure") == 0 ||
           (late_is(document) && late_is_likely());
}

/* So that the next test has all its time, and loads the file. */
static void forget_late(const struct attempt *attempt) {
    OWNED char *timed_out = note_path(attempt, RUN_NOTE_TIMED_OUT);
    OWNED char *never_loads = note_path(attempt, RUN_NOTE_NEVER_LOADS);
    remove(timed_out);
    remove(never_loads);
}

/* Runs again, one by one and alone, the tests for which the machine may have been too full, until
 * that has not helped twice: one test may hang, and others after it have run out of time by the
 * load alone. What ends in the same way twice is then told by what the machine says of itself
 * (common/harness/calls/call.c). */
static enum grader_status run_lost(struct attempt *attempt, struct diag *diag) {
    const struct manifest *manifest = attempt->job->target->manifest;
    int n_in_vain = 0;
    for (unsigned i = 0; i < manifest->n_tests && n_in_vain < HOPELESS; i++) {
        const struct manifest_test *test = &manifest->tests[i];
        const struct selection one = {.manifest = manifest, .test = test};
        if (!selection_has(&attempt->selection, test, SELECTION_ALL) || !is_lost(attempt, test))
            continue;
        forget_late(attempt);
        bool is_speed = selection_has(&one, test, SELECTION_SPEED);
        enum grader_status status = run_selected(
            attempt, &one, is_speed ? SELECTION_SPEED : SELECTION_BUT_SPEED, true, diag);
        if (status != GRADER_OK)
            return status;
        n_in_vain += is_lost(attempt, test);
    }
    return GRADER_OK;
}

/* True where the clock stopped a test. */
static bool has_late(const struct attempt *attempt) {
    const struct manifest *manifest = attempt->job->target->manifest;
    bool found = false;
    for (unsigned i = 0; i < manifest->n_tests && !found; i++) {
        bool is_there;
        json_auto_t *document = NULL;
        if (selection_has(&attempt->selection, &manifest->tests[i], SELECTION_ALL))
            document = results_read(attempt->results, manifest->tests[i].name, &is_there, NULL);
        found = document && late_is(document);
    }
    return found;
}

/* Measures speed where a test had run out of time, and came to its end in its last try. */
static enum grader_status run_left_speed(struct attempt *attempt, struct diag *diag) {
    if (!attempt->has_timed_out || has_late(attempt))
        return GRADER_OK;
    forget_late(attempt);
    attempt->has_timed_out = false;
    return run_part(attempt, SELECTION_SPEED, diag);
}

/* The text of a source; "" where it can't be read. The caller frees it. */
static char *read_text(const char *path) {
    char *text;
    size_t bytes;
    return file_read_source(path, &text, &bytes, NULL) == GRADER_OK ? text : text_format("%s", "");
}

static void leave_given(const struct attempt *attempt) {
    const struct target *target = attempt->job->target;
    OWNED char *path =
        workbook_skeleton(&attempt->grading->session->book, target->lab, target->manifest->source);
    OWNED char *source = read_text(target->source), *skeleton = read_text(path);
    record_leave_given(attempt->job->lab, source, skeleton);
}

static void find_host_lines(const struct attempt *attempt) {
    const struct session *session = attempt->grading->session;
    const struct sites_request request = {
        .object = attempt->build.object,
        .source = attempt->job->target->source,
        .sandbox = &session->sandboxing.tools,
        .interrupt_fd = session->interrupt_fd,
    };
    host_find_lines(json_object_get(attempt->job->lab, "tests"), &request);
}

static void read_results(struct attempt *attempt, enum grader_status status,
                         const struct diag *run_diag) {
    const struct manifest *manifest = attempt->job->target->manifest;
    char *why = explain(attempt, status, run_diag);
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const struct manifest_test *test = &manifest->tests[i];
        if (!selection_has(&attempt->selection, test, SELECTION_ALL))
            continue;
        struct diag diag;
        bool is_there;
        json_t *document = results_read(attempt->results, test->name, &is_there, &diag);
        if (!document && !is_there)
            document = not_run_document(attempt, test);
        record_test(attempt->job->lab, manifest, test, document, is_there ? diag.message : why,
                    attempt->job->again);
        json_decref(document);
    }
    free(why);
    find_host_lines(attempt);
    record_close(attempt->job->lab, manifest);
    leave_given(attempt);
}

static void run(struct attempt *attempt) {
    const struct session *session = attempt->grading->session;
    struct diag diag = {0};
    OWNED char *tests = workbook_tests(&session->book, attempt->job->target->lab);
    bool is_built = file_is_executable(tests);
    if (!is_built) {
        diag_set(&diag, tests, 0, "the lab's test program is not built");
        refuse(attempt->job, "infrastructure", &diag);
    }
    if (!is_built)
        return;
    attempt->results = scratch_folder(session->scratch.path, "results", &diag);
    if (!attempt->results) {
        refuse(attempt->job, "infrastructure", &diag);
        return;
    }
    attempt->log = text_format("%s/log", attempt->results);
    enum grader_status status;
    if (attempt->device.is_gpu)
        status = run_on_gpu(attempt, &diag);
    else
        status = run_part(attempt, SELECTION_BUT_SPEED, &diag);
    if (status == GRADER_OK)
        status = run_lost(attempt, &diag);
    if (status == GRADER_OK)
        status = run_left_speed(attempt, &diag);
    if (status == GRADER_INTERRUPTED)
        attempt->job->is_interrupted = true;
    else
        read_results(attempt, status, &diag);
    if (attempt->device.is_gpu && !attempt->job->is_model && !attempt->job->is_interrupted)
        model_compare(attempt->grading, attempt->job);
    file_remove_tree(attempt->results);
    json_decref(attempt->shared);
    free(attempt->log);
    free(attempt->results);
}

void grading_run(struct grading *grading, struct grading_job *job) {
    const struct target *target = job->target;
    struct attempt attempt = {.grading = grading, .job = job, .device = grading->session->device};
    struct diag diag;
    attempt.device.is_gpu &= !job->is_simulated;
    job->lab = record_lab(target);
    if (job->test || grading->session->options->case_text)
        json_object_set_new(job->lab, "complete", json_false());
    if (!target->manifest) {
        refuse(job, "infrastructure", &target->diag);
        return;
    }
    if (!selection_init(&attempt.selection, target->manifest, job->test, &diag))
        refuse(job, "infrastructure", &diag);
    else if (compile(&attempt) && job->is_build)
        job->object = text_format("%s", attempt.build.object);
    else if (attempt.build.compiled)
        run(&attempt);
    build_finish(&attempt.build);
}

/* `check` grades the student's own work in labs/, `grade` what lies at a path. */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/parallel.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/cli/commands/hint.h"
#include "grader/grade/grading.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/report/formats/publish.h"
#include "grader/report/text/render.h"
#include "grader/workbook/case_names.h"

/* A run over several labs. */
struct batch {
    struct grading grading;
    struct grading_job *jobs;
    bool *are_recalled; /* jobs whose record is that of an earlier check */
    size_t n;
};

static void work(void *context, size_t index) {
    struct batch *batch = context;
    if (!batch->are_recalled[index])
        grading_run(&batch->grading, &batch->jobs[index]);
}

/* The command that grades a target again; `--backend` where it was given. */
static char *again(const struct session *session, const struct target *target) {
    static const char *const backends[] = {"", " --backend sim", " --backend gpu"};
    const struct options *options = session->options;
    const char *backend = backends[options->backend];
    if (options->command->run == command_check)
        return text_format("./warpbook check %.2s%s", target->lab->name, backend);
    OWNED char *quoted = text_quote(target->source);
    char *command = text_format("./warpbook grade %s%s", quoted, backend);
    return command;
}

/* Waits for each lab in order and shows it. Returns the labs' records, or NULL where the run was
 * interrupted. */
static json_t *collect(struct batch *batch, struct queue *queue, struct render *render) {
    json_t *labs = json_array();
    bool is_interrupted = false;
    for (size_t i = 0; i < batch->n && !is_interrupted; i++) {
        queue_wait(queue, i);
        is_interrupted = batch->jobs[i].is_interrupted;
        if (is_interrupted)
            break;
        json_array_append(labs, batch->jobs[i].lab);
        if (!render)
            continue;
        if (i > 0)
            page_blank(&render->page);
        if (batch->are_recalled[i]) {
            page_text(&render->page, 0, PAGE_FAINT,
                      "Nothing has changed since this passed; --again checks it anew.");
            page_blank(&render->page);
        }
        render_lab(render, batch->jobs[i].lab);
        fflush(render->page.out);
    }
    if (!is_interrupted)
        return labs;
    json_decref(labs);
    return NULL;
}

static void batch_init(struct batch *batch, const struct session *session,
                       const struct targets *targets) {
    grading_init(&batch->grading, session);
    batch->n = targets->n;
    batch->jobs = make_zeroed(batch->n, sizeof *batch->jobs);
    batch->are_recalled = make_zeroed(batch->n, sizeof *batch->are_recalled);
    bool may_recall = session->options->command->run == command_check &&
                      !(session->options->given & ~(unsigned)(OPTION_BACKEND | OPTION_JOBS));
    for (size_t i = 0; i < batch->n; i++) {
        batch->jobs[i] = (struct grading_job){
            .target = &targets->items[i],
            .test = session->options->test,
            .again = again(session, &targets->items[i]),
            .jobs = session->options->jobs,
            .experiments = true,
        };
        if (may_recall)
            batch->jobs[i].lab = progress_recall(session, &targets->items[i]);
        batch->are_recalled[i] = batch->jobs[i].lab != NULL;
    }
}

static void batch_finish(struct batch *batch) {
    for (size_t i = 0; i < batch->n; i++) {
        free((char *)batch->jobs[i].again);
        json_decref(batch->jobs[i].lab);
    }
    free(batch->are_recalled);
    free(batch->jobs);
    grading_finish(&batch->grading);
}

/* Remembers how the student's own work did, and says where to go from a lab that passed. */
static void follow_up(const struct session *session, const struct batch *batch,
                      const struct render *render) {
    struct targets all = {0};
    bool is_passed = true;
    for (size_t i = 0; i < batch->n; i++) {
        const struct grading_job *job = &batch->jobs[i];
        if (!batch->are_recalled[i])
            progress_note(session, job->target, job->lab);
        is_passed &= strcmp(record_text(job->lab, "verdict"), "pass") == 0 &&
                     json_is_true(json_object_get(job->lab, "complete"));
    }
    if (!render || !is_passed || targets_own(&session->book, NULL, &all, NULL) != GRADER_OK)
        return;
    const struct target *next = progress_next(&session->book, &all);
    page_blank(&render->page);
    if (next)
        page_command(&render->page, 0, "next", "./warpbook next");
    else
        next_show_end(&render->page, all.n);
    targets_finish(&all);
}

/* Writes the report that --format asks for. The exit code is 0 where the report is whole, whoever
 * passed: the report itself says who did, and schools' systems take any other code for a crash. */
static int publish(struct publication *publication, const json_t *labs) {
    struct diag diag = {0};
    const char *path = publication->options->argument;
    OWNED char *real = realpath(path, NULL);
    const char *id = file_base(real ? real : path);
    enum grader_status status = publish_labs(publication, id, labs, &diag);
    if (status == GRADER_OK)
        status = publish_end(publication, &diag);
    return status == GRADER_OK ? GRADER_OK : session_fail(status, &diag);
}

/* How much of a proven cause the report tells; of one's own work no more than the course does. */
static enum render_reveal reveal_of(const struct session *session) {
    enum render_reveal limit = RENDER_KIND;
    struct diag diag;
    if (!session->options->is_verbose)
        return RENDER_LINE;
    if (session->options->command->run == command_check &&
        hints_limit(&session->book, NULL, &limit, &diag) != GRADER_OK)
        return RENDER_LINE;
    return limit == RENDER_LINE ? RENDER_LINE : RENDER_KIND;
}

/* Grades all targets and reports. */
static int grade_all(const struct session *session, const struct targets *targets,
                     struct publication *publication) {
    const struct options *options = session->options;
    double start_ms = process_clock_ms();
    struct batch batch;
    batch_init(&batch, session, targets);
    json_t *run = record_run(session, json_array(), 0);
    struct render render = {
        .is_verbose = options->is_verbose,
        .reveal = reveal_of(session),
        .backend = json_object_get(run, "backend"),
    };
    page_init(&render.page, stdout, options->colour);
    struct queue *queue = queue_start(batch.n, options->jobs, work, &batch);
    json_t *labs = collect(&batch, queue, options->is_quiet ? NULL : &render);
    queue_finish(queue);
    int code = GRADER_INTERRUPTED;
    if (labs) {
        code = record_exit_code(labs);
        if (options->is_json)
            record_print(
                record_run(session, json_incref(labs), (process_clock_ms() - start_ms) / 1e3));
        else if (!options->is_quiet)
            render_total(&render, labs);
        if (publication->format)
            code = publish(publication, labs);
        if (options->command->run == command_check)
            follow_up(session, &batch, options->is_quiet ? NULL : &render);
        json_decref(labs);
    }
    json_decref(run);
    batch_finish(&batch);
    return code;
}

/* A case is named by the parameters of the function that is tested. */
static bool check_case(const struct selection *selection, const char *text, struct diag *diag) {
    const char *names = case_names(selection->manifest, selection->test);
    OWNED char *is_read = text ? case_read(names, text) : NULL;
    OWNED char *example = case_say(names, 513, 256, "1f2e3d4c");
    if (text && !is_read)
        diag_set(diag, NULL, 0,
                 "--case wants the numbers %s here, such as %s; the seed may be absent", names,
                 example);
    return !text || is_read;
}

/* A test must be in the one lab that is graded. */
static enum grader_status check_selection(const struct options *options,
                                          const struct targets *targets, struct diag *diag) {
    struct selection selection;
    if (!(options->given & (OPTION_TEST | OPTION_CASE)))
        return GRADER_OK;
    if (targets->n > 1) {
        diag_set(diag, NULL, 0, "--test and --case need one lab, and there are %zu: name it",
                 targets->n);
        return GRADER_BAD_INPUT;
    }
    const struct target *target = &targets->items[0];
    if (!target->manifest)
        return GRADER_OK;
    if (!selection_init(&selection, target->manifest, options->test, diag) ||
        !check_case(&selection, options->case_text, diag))
        return GRADER_BAD_INPUT;
    return GRADER_OK;
}

static int grade_class(const struct session *session) {
    const struct options *options = session->options;
    struct diag diag;
    if (!(options->given & (OPTION_TEST | OPTION_CASE)))
        return class_grade(session, options->argument);
    diag_set(&diag, NULL, 0, "--test and --case are for the work of one student, not for a class");
    return session_fail(GRADER_BAD_INPUT, &diag);
}

static int grade(const struct options *options) {
    OWNED_BY(session_finish) struct session session;
    OWNED_BY(targets_finish) struct targets targets = {0};
    OWNED_BY(publish_finish) struct publication publication = {0};
    struct diag diag;
    enum grader_status status = session_init(&session, options, &diag);
    bool is_class = status == GRADER_OK && options->command->run == command_grade &&
                    class_is_at(&session.book, options->argument);
    if (is_class)
        return grade_class(&session);
    if (status == GRADER_OK && options->given & OPTION_SLURM) {
        diag_set(&diag, options->argument, 0, "--slurm is for a class, and this is none");
        status = GRADER_BAD_INPUT;
    }
    if (status == GRADER_OK && options->command->run == command_grade)
        status = targets_at(&session.book, options->argument, &targets, &diag);
    else if (status == GRADER_OK)
        status = targets_own(&session.book, options->argument, &targets, &diag);
    if (status == GRADER_OK)
        status = check_selection(options, &targets, &diag);
    if (status == GRADER_OK && options->given & OPTION_FORMAT)
        status = publish_begin(&publication, options, &session.book, &diag);
    int code = status == GRADER_OK ? grade_all(&session, &targets, &publication)
                                   : session_fail(status, &diag);
    if (status == GRADER_OK && code == GRADER_INTERRUPTED)
        session_fail(GRADER_INTERRUPTED, &diag);
    return code;
}

int command_check(const struct options *options) {
    return grade(options);
}

int command_grade(const struct options *options) {
    return grade(options);
}

/*
 * `watch [LAB]`: grades the file whenever it is saved, and says at once where it breaks the
 * grammar. The grading runs beside the loop and is dropped when the file is saved again.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/base/system/process.h"
#include "common/base/system/task.h"
#include "common/base/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/commands/hint.h"
#include "common/base/system/saves.h"
#include "grader/grade/grading.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/report/text/failures.h"
#include "grader/report/text/render.h"
#include "grader/terminal/terminal.h"

enum { SYNTAX_MS = 5000 };

struct watch {
    struct session *session;
    struct targets targets;
    size_t index; /* of the lab that is watched */
    struct grading grading;
    struct task grade, syntax;
    struct saves saves;
    struct terminal terminal;
    json_t *backend; /* for the report */

    bool is_forced;           /* grade although nothing has changed */
    json_t *graded;           /* by the task: what the loop takes */
    bool is_recalled;         /* it is the record of an earlier check */
    char *found;              /* by the task: syntax errors, or NULL */
    json_t *lab;              /* the record on the screen, NULL while the file is graded */
    char *syntax_errors;      /* on the screen until the record is there, or NULL */
    size_t focus;             /* which failure of the record is told */
    enum render_reveal limit; /* how much of a proven cause hints may tell */
    unsigned hint;            /* on the screen, from 1; 0 for none */
    bool is_gone;             /* the file was deleted, and the screen says so */
    bool has_left_last;       /* asked for a next lab, and there is none */
};

static const struct target *target_of(const struct watch *watch) {
    return &watch->targets.items[watch->index];
}

static void grade_work(void *context, int stop_fd) {
    static const char *const backends[] = {"", " --backend sim", " --backend gpu"};
    struct watch *watch = context;
    const struct target *target = target_of(watch);
    (void)stop_fd; /* the session has it */
    watch->graded = watch->is_forced ? NULL : progress_recall(watch->session, target);
    watch->is_recalled = watch->graded != NULL;
    if (watch->is_recalled)
        return;
    OWNED char *again = text_format("./warpbook check %.2s%s", target->lab->name,
                                    backends[watch->session->options->backend]);
    struct grading_job job = {
        .target = target,
        .again = again,
        .jobs = watch->session->options->jobs,
        .experiments = true,
    };
    grading_run(&watch->grading, &job);
    if (job.is_interrupted)
        json_decref(job.lab);
    else
        watch->graded = job.lab;
}

/* In a process of its own: see nvrtc.h. */
static void syntax_work(void *context, int stop_fd) {
    struct watch *watch = context;
    OWNED char *lab = text_format("%.2s", target_of(watch)->lab->name);
    char *argv[] = {"warpbook", "syntax", lab, NULL};
    struct process process = {
        .path = "/proc/self/exe", .argv = argv, .timeout_ms = SYNTAX_MS, .interrupt_fd = stop_fd};
    struct process_result run;
    process_run(&process, &run);
    if (run.how == PROCESS_ENDED && run.exit_status == GRADER_NOT_PASSED)
        watch->found = text_clean(run.output, run.output_bytes, true);
    free(run.output);
}

/* The hints of the lab, first those about the failure that is told. */
static struct hints hints_now(const struct watch *watch) {
    return hints_of(target_of(watch), watch->lab, watch->focus, watch->limit);
}

static void show_hint(const struct watch *watch, struct render *render) {
    struct hints hints = hints_now(watch);
    page_blank(&render->page);
    hints_show(&hints, render, watch->hint, NULL);
}

static void next_hint(struct watch *watch) {
    struct hints hints = hints_now(watch);
    watch->hint = hints_next(&hints, &watch->session->book);
    hints_note(&hints, &watch->session->book, watch->hint, NULL);
}

/* How many failures the keys go through; 0 while there is no record. */
static size_t count_failures(const struct watch *watch) {
    return watch->lab ? failures_count(watch->lab) : 0;
}

/* Lines that are left for a failure: without title, verdict, keys and hint. */
static unsigned rows_for_failure(const struct watch *watch) {
    enum { OTHER_ROWS = 12, HINT_ROWS = 8, FEWEST = 8 };
    unsigned rows = terminal_rows(&watch->terminal);
    unsigned others = OTHER_ROWS + (watch->hint > 0 ? HINT_ROWS : 0);
    return rows == 0 ? 0 : rows > others + FEWEST ? rows - others : FEWEST;
}

static bool is_passed(const struct watch *watch) {
    return watch->lab && strcmp(record_text(watch->lab, "verdict"), "pass") == 0;
}

static void show_record(const struct watch *watch, struct render *render) {
    render->is_brief = !is_passed(watch) && watch->terminal.has_screen;
    render->rows = rows_for_failure(watch);
    render->focus = watch->focus;
    render_lab(render, watch->lab);
    if (!is_passed(watch))
        return;
    page_blank(&render->page);
    if (!progress_next(&watch->session->book, &watch->targets))
        next_show_end(&render->page, watch->targets.n);
    else if (watch->terminal.has_keys)
        page_text(&render->page, 0, PAGE_STRONG, "Solved. Press n for the next lab.");
}

static void show_keys(const struct watch *watch, const struct page *page) {
    size_t n = count_failures(watch);
    page_blank(page);
    if (n > 1)
        page_text(page, 0, PAGE_FAINT,
                  "failure %zu of %zu: n next · p previous · l next lab · h hint · r run again · q "
                  "quit",
                  watch->focus + 1, n);
    else
        page_text(page, 0, PAGE_FAINT, "h hint · n next lab · r run again · q quit");
}

static void show_gone(const struct watch *watch, const struct page *page) {
    page_text(page, 0, PAGE_WAITING, "%s is not there any more.", target_of(watch)->source);
    page_text(
        page, 0, PAGE_PLAIN,
        "It is checked as soon as it is saved again. ./warpbook reset %.2s brings the skeleton "
        "back.",
        target_of(watch)->lab->name);
}

/* Draws everything anew. */
static void show(const struct watch *watch) {
    struct render render = {.backend = watch->backend};
    page_init(&render.page, stdout, watch->session->options->colour);
    terminal_clear(&watch->terminal);
    if (watch->is_gone)
        show_gone(watch, &render.page);
    else if (watch->lab)
        show_record(watch, &render);
    else if (watch->syntax_errors)
        fputs(watch->syntax_errors, stdout);
    else
        page_text(&render.page, 0, PAGE_FAINT, "checking %s …", target_of(watch)->source);
    if (watch->hint > 0)
        show_hint(watch, &render);
    if (watch->has_left_last) {
        page_blank(&render.page);
        page_text(&render.page, 0, PAGE_FAINT, "No other lab is left to solve.");
    }
    if (watch->terminal.has_keys && watch->terminal.has_screen)
        show_keys(watch, &render.page);
    fflush(stdout);
}

/* Grades the file as it is now. */
static void begin(struct watch *watch, bool is_forced) {
    task_stop(&watch->grade);
    task_stop(&watch->syntax);
    process_end_strays();
    json_decref(watch->lab);
    json_decref(watch->graded);
    free(watch->syntax_errors);
    free(watch->found);
    watch->lab = watch->graded = NULL;
    watch->syntax_errors = watch->found = NULL;
    watch->is_forced = is_forced;
    watch->hint = 0;
    watch->focus = 0;
    watch->is_gone = false;
    watch->has_left_last = false;
    show(watch);
    task_start(&watch->grade);
    task_start(&watch->syntax);
}

static void take_grade(struct watch *watch) {
    task_join(&watch->grade);
    if (!watch->graded)
        return;
    task_stop(&watch->syntax); /* nvcc knows better */
    process_end_strays();
    watch->lab = watch->graded;
    watch->graded = NULL;
    watch->hint = 0;
    if (!watch->is_recalled)
        progress_note(watch->session, target_of(watch), watch->lab);
    show(watch);
}

static void take_syntax(struct watch *watch) {
    task_join(&watch->syntax);
    watch->syntax_errors = watch->found;
    watch->found = NULL;
    if (watch->syntax_errors && !watch->lab)
        show(watch);
}

/* Goes to the next lab that is not solved, this one left out. */
static void go_on(struct watch *watch) {
    for (size_t i = 1; i < watch->targets.n; i++) {
        size_t index = (watch->index + i) % watch->targets.n;
        struct progress progress;
        progress_read(&watch->session->book, &watch->targets.items[index], &progress);
        if (progress.state == PROGRESS_SOLVED || !watch->targets.items[index].manifest)
            continue;
        task_stop(&watch->grade);
        task_stop(&watch->syntax);
        watch->index = index;
        saves_finish(&watch->saves);
        saves_init(&watch->saves, target_of(watch)->source);
        begin(watch, false);
        return;
    }
    watch->has_left_last = true;
    show(watch);
}

/* False where the key ends it all. */
static bool take_key(struct watch *watch, int key) {
    size_t n = count_failures(watch);
    if (key == 'q')
        return false;
    if (key == 'h') {
        next_hint(watch);
        show(watch);
    } else if ((key == 'n' || key == 'p') && n > 1) {
        watch->focus = (watch->focus + (key == 'n' ? 1 : n - 1)) % n;
        watch->hint = 0;
        show(watch);
    } else if (key == 'n' || key == 'l') {
        go_on(watch);
    } else if (key == 'r' || key == '\n') {
        begin(watch, true);
    } else if (key < 0) {
        watch->terminal.has_keys = false; /* the terminal is gone */
    }
    return true;
}

/* Signals that ask for something. False for those that end the program. */
static bool take_signals(struct watch *watch, int fd) {
    struct signalfd_siginfo info;
    while (read(fd, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCONT)
            terminal_resume(&watch->terminal);
        else if (info.ssi_signo != SIGWINCH)
            return false;
        show(watch);
    }
    return true;
}

/* Says that the file was deleted, or shows what was there before where it is back unchanged. */
static void note_gone(struct watch *watch) {
    bool is_gone = saves_is_gone(&watch->saves);
    if (is_gone == watch->is_gone)
        return;
    watch->is_gone = is_gone;
    show(watch);
}

static int loop(struct watch *watch, int signals) {
    saves_init(&watch->saves, target_of(watch)->source);
    begin(watch, false);
    for (;;) {
        struct pollfd fds[] = {
            {.fd = signals, .events = POLLIN},
            {.fd = watch->grade.done_fd, .events = POLLIN},
            {.fd = watch->syntax.done_fd, .events = POLLIN},
            {.fd = watch->terminal.has_keys ? STDIN_FILENO : -1, .events = POLLIN},
            {.fd = watch->saves.fd, .events = POLLIN},
        };
        poll(fds, sizeof fds / sizeof *fds, SAVES_LOOK_MS);
        if (fds[0].revents && !take_signals(watch, signals))
            return GRADER_INTERRUPTED;
        if (fds[1].revents)
            take_grade(watch);
        if (fds[2].revents)
            take_syntax(watch);
        int key = fds[3].revents ? terminal_key(&watch->terminal) : 0;
        if (key != 0 && !take_key(watch, key))
            return GRADER_OK;
        if (saves_look(&watch->saves))
            begin(watch, false);
        else
            note_gone(watch);
    }
}

/* A descriptor for the signals that end a watch, or that make it draw anew. */
static int watch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The lab that is meant, or the next one to solve, or the first. */
static enum grader_status choose(struct watch *watch, struct diag *diag) {
    const struct workbook *book = &watch->session->book;
    const char *argument = watch->session->options->argument;
    enum grader_status status = targets_own(book, NULL, &watch->targets, diag);
    const struct workbook_lab *lab = argument ? workbook_find(book, argument, diag) : NULL;
    const struct target *next = progress_next(book, &watch->targets);
    if (status != GRADER_OK || (argument && !lab))
        return status != GRADER_OK ? status : GRADER_BAD_INPUT;
    if (lab)
        watch->index = (size_t)(lab - book->labs);
    else if (next)
        watch->index = (size_t)(next - watch->targets.items);
    if (target_of(watch)->manifest)
        return GRADER_OK;
    *diag = target_of(watch)->diag;
    return GRADER_FAILED;
}

static int run(struct watch *watch) {
    json_auto_t *record = record_run(watch->session, json_array(), 0);
    struct diag diag;
    watch->backend = json_object_get(record, "backend");
    if (hints_limit(&watch->session->book, NULL, &watch->limit, &diag) != GRADER_OK)
        watch->limit = RENDER_LINE;
    grading_init(&watch->grading, watch->session);
    int signals = watch_signals();
    terminal_open(&watch->terminal);
    int code = loop(watch, signals);
    terminal_close(&watch->terminal);
    task_finish(&watch->grade);
    task_finish(&watch->syntax);
    saves_finish(&watch->saves);
    grading_finish(&watch->grading);
    json_decref(watch->lab);
    json_decref(watch->graded);
    free(watch->syntax_errors);
    free(watch->found);
    close(signals);
    return code;
}

int command_watch(const struct options *options) {
    OWNED_BY(session_finish) struct session session;
    struct watch watch = {.session = &session};
    struct diag diag = {0};
    enum grader_status status = session_init(&session, options, &diag);
    if (status == GRADER_OK)
        status = choose(&watch, &diag);
    if (status == GRADER_OK && (!task_init(&watch.grade, grade_work, &watch) ||
                                !task_init(&watch.syntax, syntax_work, &watch))) {
        diag_set(&diag, NULL, 0, "the system has no descriptors left");
        status = GRADER_FAILED;
    }
    session.interrupt_fd = watch.grade.stop_fd; /* what grading listens to */
    int code = status == GRADER_OK ? run(&watch) : session_fail(status, &diag);
    targets_finish(&watch.targets);
    return code;
}

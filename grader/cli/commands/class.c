/*
 * `grade` of a class: many students' files, graded into a journal. Opens the
 * class, plans it, grades what is not in the journal, and shows all of it.
 *
 * Exit codes: 0 all that was handed in was graded, whatever the points; 2 there is nothing to
 * grade, or the command line, the archive or the journal is wrong; 3 something could not be graded
 * or read by no fault of a student's, or the journal cannot be written; 130 interrupted. After 3
 * and 130 the same command (without --regrade) goes on where it was.
 */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/class/class_json.h"
#include "grader/class/intake/unpack/archive.h"
#include "grader/class/intake/map.h"
#include "grader/class/plan.h"
#include "grader/class/scheduler.h"
#include "grader/class/show.h"
#include "grader/report/formats/publish.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/slurm/slurm.h"

struct class {
    const struct session *session;
    char *root;    /* the folder that the roster's paths lie in, real */
    char *journal; /* its path */
    struct targets labs;
    struct map map;             /* of --map */
    struct enrolment enrolment; /* of --roster */
    struct roster roster;
    char *known_root; /* of --known */
    struct roster known;
    struct plan plan;
    struct notes unpacked;          /* what was refused in archives */
    struct publication publication; /* where --format asks for one */
};

bool class_is_at(const struct workbook *book, const char *path) {
    OWNED_BY(targets_finish) struct targets targets = {0};
    struct diag diag;
    if (!file_is_directory(path))
        return file_is_regular(path) && archive_is_named(path);
    return targets_at(book, path, &targets, &diag) != GRADER_OK;
}

/* The journal's path where none is named: beside the class, "spring.zip.journal". */
static char *journal_path(const struct options *options, const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    OWNED char *plain = text_format("%.*s", (int)length, path), *real = realpath(path, NULL);
    const char *base = file_base(plain);
    bool is_nameless = strcmp(base, ".") == 0 || strcmp(base, "..") == 0; /* hidden, and within */
    char *journal = options->journal
                        ? text_format("%s", options->journal)
                        : text_format("%s.journal", is_nameless && real ? real : plain);
    return journal;
}

/* The folder at a path, unpacked where it is an archive; its own memory. */
static enum grader_status open_folder(const struct session *session, const char *path,
                                      const char *name, struct notes *refused, char **root,
                                      struct diag *diag) {
    enum grader_status status = GRADER_OK;
    bool is_folder = file_is_directory(path);
    if (is_folder && !archive_is_below(path)) {
        *root = realpath(path, NULL);
    } else if ((*root = scratch_folder(session->scratch.path, name, diag))) {
        OWNED char *real = realpath(path, NULL);
        status = (is_folder ? archive_unpack_folder : archive_unpack)(
            real ? real : path, *root, session->interrupt_fd, refused, diag);
    }
    return *root ? status : GRADER_FAILED;
}

/* Reads who handed in in earlier years, as a class of its own: of it nothing is graded. */
static enum grader_status open_known(struct class *class, struct diag *diag) {
    const char *path = class->session->options->known;
    const struct intake intake = {.labs = &class->labs,
                                  .interrupt_fd = class->session->interrupt_fd};
    struct notes refused = {0};
    if (!file_is_directory(path) && !(file_is_regular(path) && archive_is_named(path))) {
        diag_set(diag, path, 0, "--known wants a folder or an archive of what was handed in");
        return GRADER_BAD_INPUT;
    }
    enum grader_status status =
        open_folder(class->session, path, "known", &refused, &class->known_root, diag);
    if (status == GRADER_OK)
        status = roster_read(class->known_root, &intake, &class->known, diag);
    notes_finish(&refused);
    return status;
}

/* Finds the folder, unpacked where it is an archive, and who is in it. */
static enum grader_status open_class(struct class *class, const char *path, struct diag *diag) {
    const struct session *session = class->session;
    bool is_folder = file_is_directory(path);
    enum grader_status status =
        open_folder(session, path, "class", &class->unpacked, &class->root, diag);
    if (!class->root)
        return GRADER_FAILED;
    if (status == GRADER_OK)
        status = targets_own(&session->book, NULL, &class->labs, diag);
    const struct options *options = session->options;
    if (status == GRADER_OK && options->map)
        status = map_read(options->map, &session->book, &class->labs, &class->map, diag);
    if (status == GRADER_OK && options->roster)
        status = enrolment_read(options->roster, &class->enrolment, diag);
    if (status == GRADER_OK && options->known)
        status = open_known(class, diag);
    if (status != GRADER_OK)
        return status;
    const struct intake intake = {
        .labs = &class->labs,
        .map = options->map ? &class->map : NULL,
        .enrolment = options->roster ? &class->enrolment : NULL,
        .unpacked = &class->unpacked,
        .interrupt_fd = session->interrupt_fd,
    };
    status = roster_read(class->root, &intake, &class->roster, diag);
    bool is_unread = status == GRADER_BAD_INPUT || status == GRADER_FAILED;
    if (is_unread && class->roster.n == 0 && !is_folder) /* not where it was unpacked */
        snprintf(diag->file, sizeof diag->file, "%s", path);
    return status;
}

/* True where anybody handed in a file of any lab. A class without any is most likely a wrong path,
 * which is an error. A single submission in a container is graded all the same, so that its report
 * says what is missing. */
static enum grader_status check_files(const struct class *class, struct diag *diag) {
    bool has_any = class->session->options->is_container || class->roster.notes.has_losses;
    for (size_t lab = 0; lab < class->labs.n; lab++)
        has_any |= roster_has_lab(&class->roster, lab);
    for (size_t i = 0; i < class->roster.n; i++)
        has_any |= class->roster.students[i].notes.has_losses;
    if (has_any)
        return GRADER_OK;
    const struct manifest *manifest = class->labs.items[0].manifest;
    diag_set(diag, class->session->options->argument, 0,
             "nobody handed in a file of any lab, such as %s (%zu folder%s or name%s looked "
             "like a student's)",
             manifest ? manifest->source : "that of its lab.yaml", class->roster.n,
             class->roster.n == 1 ? "" : "s", class->roster.n == 1 ? "" : "s");
    return GRADER_BAD_INPUT;
}

static enum grader_status mark_late(struct class *class, struct diag *diag) {
    const char *text = class->session->options->deadline;
    time_t deadline = text ? handed_in_time(text) : 0;
    if (text && deadline == -1) {
        diag_set(diag, NULL, 0, "--deadline wants a time such as '2026-11-21 23:59'");
        return GRADER_BAD_INPUT;
    }
    if (text)
        roster_mark_late(&class->roster, deadline);
    return GRADER_OK;
}

/* What the instructor says of when students handed in goes before all else. */
static void set_dates(struct class *class) {
    for (size_t i = 0; i < class->roster.n; i++) {
        for (size_t lab = 0; lab < class->labs.n; lab++) {
            const struct roster_student *student = &class->roster.students[i];
            time_t handed =
                publish_handed(&class->publication, student->id, student->files[lab].from,
                               class->labs.items[lab].lab->name);
            if (handed > 0)
                roster_set_time(&class->roster, i, lab, handed);
        }
    }
}

/* All that comes before the work. */
static enum grader_status prepare(struct class *class, const char *path, struct diag *diag) {
    const struct options *options = class->session->options;
    class->journal = journal_path(options, path);
    enum grader_status status = open_class(class, path, diag);
    if (status == GRADER_OK)
        status = check_files(class, diag);
    class->plan =
        (struct plan){.session = class->session, .roster = &class->roster, .labs = &class->labs};
    class->plan.known = class->session->options->known ? &class->known : NULL;
    if (status == GRADER_OK && options->given & OPTION_FORMAT)
        status = publish_begin(&class->publication, options, &class->session->book, diag);
    if (status == GRADER_OK)
        set_dates(class);
    if (status == GRADER_OK)
        status = mark_late(class, diag);
    if (options->is_container) /* a class of one: nobody else shows what was to be handed in */
        class->plan.wanted = class->publication.course;
    if (status == GRADER_OK)
        status = journal_open(class->journal, options->given & OPTION_SEED ? &options->seed : NULL,
                              &class->plan.journal, diag);
    if (status == GRADER_OK)
        status = plan_make(&class->plan, class->root, options->regrade, diag);
    return status;
}

/* Writes the report that --format asks for. */
static enum grader_status publish(struct class *class, const json_t *head, struct diag *diag) {
    enum grader_status status = GRADER_OK;
    publish_head(&class->publication, head);
    for (size_t i = 0; i < class->roster.n && status == GRADER_OK; i++) {
        json_auto_t *student = class_json_student(&class->plan, i);
        status = publish_student(&class->publication, student, diag);
    }
    return status == GRADER_OK ? publish_end(&class->publication, diag) : status;
}

/* GRADER_FAILED where anything of a student has no points by no fault of theirs. */
static enum grader_status look_for_losses(const struct class *class) {
    const struct plan *plan = &class->plan;
    bool is_lost = class->roster.notes.has_losses;
    for (size_t i = 0; i < class->roster.n; i++)
        is_lost |= class->roster.students[i].notes.has_losses;
    for (size_t i = 0; i < class->roster.n * class->labs.n; i++)
        is_lost |= strcmp(plan_verdict(&plan->cells[i]), "infrastructure") == 0;
    return is_lost ? GRADER_FAILED : GRADER_OK;
}

/* What is made of the results once all are there. */
static enum grader_status report(struct class *class, struct show *show, double seconds,
                                 enum grader_status status, struct diag *diag) {
    json_t *alike = class_json_alike(&class->plan);
    show_alike(show, alike);
    json_t *head = class_json_head(&class->plan, alike, seconds, (int)status);
    if (class->session->options->is_json)
        class_json_print(&class->plan, head, stdout);
    if (class->publication.format) {
        enum grader_status published = publish(class, head, diag);
        status = published > status ? published : status;
    }
    json_decref(head);
    return status;
}

/* Students of whom nothing is open are shown at once, the others as they finish. */
static int run(struct class *class) {
    const struct session *session = class->session;
    struct plan *plan = &class->plan;
    struct show show;
    struct diag diag = {0};
    size_t n_open = 0;
    double start_ms = process_clock_ms();
    for (size_t i = 0; i < plan->n_work_items; i++)
        n_open += plan->work_items[i]->state == WORK_OPEN;
    show_init(&show, session->options, n_open);
    show_start(&show, plan, class->journal);
    enum grader_status status = session->options->given & OPTION_SLURM
                                    ? slurm_work(plan, class->journal, &show, &diag)
                                    : scheduler_run(plan, &show, &diag);
    show_end(&show, plan, status == GRADER_INTERRUPTED);
    if (status == GRADER_OK && session->options->given & OPTION_CAUSES)
        status = scheduler_find_causes(plan, &diag);
    if (status == GRADER_OK)
        status = look_for_losses(class);
    if (status != GRADER_INTERRUPTED)
        status = report(class, &show, (process_clock_ms() - start_ms) / 1e3, status, &diag);
    if (diag.message[0] || status == GRADER_INTERRUPTED)
        session_fail(status, &diag);
    return (int)status;
}

int class_grade(const struct session *session, const char *path) {
    struct class class = {.session = session};
    struct diag diag = {0};
    enum grader_status status = prepare(&class, path, &diag);
    int code = status == GRADER_OK ? run(&class) : session_fail(status, &diag);
    publish_finish(&class.publication);
    plan_finish(&class.plan);
    journal_close(class.plan.journal);
    roster_finish(&class.roster);
    roster_finish(&class.known);
    map_finish(&class.map);
    enrolment_finish(&class.enrolment);
    targets_finish(&class.labs);
    notes_finish(&class.unpacked);
    free(class.journal);
    free(class.root);
    free(class.known_root);
    return code;
}

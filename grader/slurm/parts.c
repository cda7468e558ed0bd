/* Deals open work out into parts, and writes each with the script that grades it where the machines
 * of a cluster find it. */
#include "grader/slurm/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"

enum { DEFAULT_JOBS = 2 };

/* A task that was requeued first waits until the journal's lock is free: the node that had the task
 * before may be cut off but still at work, and a file server may keep a lost node's lock for a
 * minute or two. Temporary files lie on the node, in a folder of this start alone, since the start
 * before may still be removing its own. The folder is named by the job's name, not by its number:
 * two clusters may share a machine, or count from 1 again. The grader itself handles Slurm's
 * SIGTERM. */
static const char body[] =
    "part=$parts/$SLURM_ARRAY_TASK_ID\n"
    "echo \"task $SLURM_ARRAY_TASK_ID on $(hostname), start ${SLURM_RESTART_COUNT:-0}\"\n"
    "umask 077\n"
    "flock --wait 900 \"$part/journal-lock\" true || exit 3\n"
    "tmp=${TMPDIR:-/tmp}/$SLURM_JOB_NAME.$SLURM_ARRAY_TASK_ID\n"
    "rm -rf \"$tmp\".*\n"
    "export WARPBOOK_TMP=\"$tmp.${SLURM_RESTART_COUNT:-0}\"\n"
    "mkdir \"$WARPBOOK_TMP\" || exit 3\n"
    "trap 'rm -rf \"$WARPBOOK_TMP\"' EXIT\n"
    "trap 'exit 143' TERM INT HUP\n";

int parts_jobs(const struct options *options) {
    return options->given & OPTION_JOBS ? options->jobs : DEFAULT_JOBS;
}

/* Adds "export NAME='value'". */
static void add_export(char **text, const char *name, const char *value) {
    OWNED char *quoted = value ? text_quote(value) : NULL;
    if (quoted)
        text_add(text, "export %s=%s\n", name, quoted);
}

/* Writes FOLDER/task, which grades one part with this same grader; the parts will lie in `parts`
 * when it runs. */
static enum grader_status write_script(const char *folder, const char *parts,
                                       const struct session *session, struct diag *diag) {
    static const char *const variables[] = {
        "PATH",          "LD_LIBRARY_PATH",          "CUDA_HOME",
        "WARPBOOK_NVCC", "WARPBOOK_COMPILE_SECONDS", "WARPBOOK_BUSY_LOAD"};
    const struct options *options = session->options;
    char *self = realpath("/proc/self/exe", NULL), *quoted_parts = text_quote(parts);
    char *program = text_quote(self ? self : "warpbook-grader");
    char *text =
        text_format("#!/bin/sh\n# Made by warpbook grade --slurm.\nparts=%s\n", quoted_parts);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        add_export(&text, variables[i], getenv(variables[i]));
    add_export(&text, "WARPBOOK_ROOT", session->book.root);
    add_export(&text, "WARPBOOK_BUILD", session->book.build);
    text_add(
        &text,
        "%s%s grade \"$part/class\" --journal \"$part/journal\" --backend %s --jobs %d --color "
        "never%s\n",
        body, program, session->device.is_gpu ? "gpu" : "sim", parts_jobs(options),
        options->is_unsandboxed ? " --no-sandbox" : "");
    char *path = text_format("%s/task", folder);
    enum grader_status status = file_write(path, text, strlen(text), diag);
    free(path);
    free(text);
    free(program);
    free(quoted_parts);
    free(self);
    return status;
}

enum { JOB_BYTES = 64 << 20, LOG_BYTES = 16 << 20 };

static const char student_format[] = "%05zu";

char *parts_path(const struct parts *parts, size_t part, const char *what) {
    return text_format("%s/%zu/%s", parts->folder, part, what);
}

static void add_work(struct parts *parts, size_t part, struct plan_work *work, size_t student) {
    if (part >= parts->n) {
        parts->items = grow_list(parts->items, part, sizeof *parts->items);
        memset(&parts->items[parts->n], 0, (part + 1 - parts->n) * sizeof *parts->items);
        parts->n = part + 1;
    }
    struct part *to = &parts->items[part];
    to->work_items = grow_list(to->work_items, to->n, sizeof *to->work_items);
    to->work_items[to->n++] = (struct part_work){.work = work, .student = student};
}

/* Each open piece of work goes to the first student who handed it in. The plan has the work items
 * in the order of its cells. */
static void deal(struct parts *parts, const struct plan *plan, size_t chunk) {
    size_t n_students = 0, last = SIZE_MAX, next = 0;
    for (size_t i = 0; i < plan->roster->n * plan->labs->n && next < plan->n_work_items; i++) {
        struct plan_work *work = plan->work_items[next];
        if (plan->cells[i].work != work)
            continue;
        next++;
        if (work->state != WORK_OPEN)
            continue;
        n_students += i / plan->labs->n != last;
        last = i / plan->labs->n;
        add_work(parts, (n_students - 1) / chunk, work, last);
    }
}

static enum grader_status write_work(const struct parts *parts, size_t part,
                                     const struct part_work *item, struct diag *diag) {
    const struct target *target = &item->work->target;
    char *bytes = NULL, *student = text_format(student_format, item->student);
    char *path = text_format("%s/%zu/class/%s/%s/%s", parts->folder, part, student,
                             target->lab->name, target->manifest->source);
    size_t n_bytes = 0;
    enum grader_status status =
        file_read(target->source, FILE_SOURCE_BYTES, &bytes, &n_bytes, diag);
    if (status == GRADER_OK)
        status = file_write(path, bytes, n_bytes, diag);
    free(path);
    free(student);
    free(bytes);
    return status;
}

static enum grader_status write_part(const struct parts *parts, size_t part,
                                     const struct plan *plan, struct diag *diag) {
    const struct part *item = &parts->items[part];
    struct journal_key *keys = make_zeroed(item->n, sizeof *keys);
    char *journal = parts_path(parts, part, "journal");
    enum grader_status status = GRADER_OK;
    for (size_t i = 0; i < item->n && status == GRADER_OK; i++) {
        keys[i] = item->work_items[i].work->key;
        status = write_work(parts, part, &item->work_items[i], diag);
    }
    if (status == GRADER_OK)
        status = journal_part(plan->journal, journal, keys, item->n, diag);
    free(journal);
    free(keys);
    return status;
}

static enum grader_status write_job(const struct parts *parts, struct diag *diag) {
    json_t *all = json_array();
    for (size_t i = 0; i < parts->n; i++) {
        json_t *work_items = json_array();
        for (size_t k = 0; k < parts->items[i].n; k++) {
            const struct part_work *item = &parts->items[i].work_items[k];
            json_array_append_new(work_items,
                                  json_pack("{s:I, s:s, s:s}", "student", (json_int_t)item->student,
                                            "lab", item->work->key.lab, "file", item->work->file));
        }
        json_array_append_new(all, work_items);
    }
    json_t *job = json_pack("{s:s, s:o}", "name", parts->name, "parts", all);
    OWNED char *path = text_format("%s/job", parts->folder);
    return record_keep(path, job, diag);
}

/* What is not whole yet, or any more; nobody looks there. */
static char *scrap_of(const char *folder) {
    return text_format("%s.scrap", folder);
}

void parts_remove(const char *folder) {
    OWNED char *scrap = scrap_of(folder);
    file_remove_tree(scrap);
    file_remove_tree(rename(folder, scrap) == 0 ? scrap : folder);
}

enum grader_status parts_make(struct parts *parts, const char *folder, const struct plan *plan,
                              size_t chunk, struct diag *diag) {
    *parts = (struct parts){.folder = scrap_of(folder)};
    deal(parts, plan, chunk);
    parts->name = text_format("warpbook-%08x", file_random());
    file_remove_tree(parts->folder);
    mode_t mask = umask(077);
    enum grader_status status = write_job(parts, diag);
    for (size_t i = 0; i < parts->n && status == GRADER_OK; i++)
        status = write_part(parts, i, plan, diag);
    if (status == GRADER_OK)
        status = write_script(parts->folder, folder, plan->session, diag);
    umask(mask);
    if (status == GRADER_OK && rename(parts->folder, folder) != 0) {
        diag_set(diag, folder, 0, "the parts cannot be put here: %s", strerror(errno));
        status = GRADER_FAILED;
    }
    if (status != GRADER_OK)
        file_remove_tree(parts->folder);
    free(parts->folder);
    parts->folder = text_format("%s", folder);
    return status;
}

static struct plan_work *find(const struct plan *plan, const char *lab, const char *file) {
    for (size_t i = 0; i < plan->n_work_items; i++) {
        struct plan_work *work = plan->work_items[i];
        if (strcmp(work->file, file) == 0 && strcmp(work->key.lab, lab) == 0)
            return work;
    }
    return NULL;
}

enum grader_status parts_read(struct parts *parts, const char *folder, const struct plan *plan,
                              struct diag *diag) {
    char *path = text_format("%s/job", folder), *text = NULL;
    size_t n_bytes, i, k;
    json_t *part, *item;
    *parts = (struct parts){.folder = text_format("%s", folder)};
    enum grader_status status = file_read(path, JOB_BYTES, &text, &n_bytes, diag);
    json_t *job = status == GRADER_OK ? json_loads(text, 0, NULL) : NULL;
    const char *name = json_string_value(json_object_get(job, "name"));
    json_array_foreach(json_object_get(job, "parts"), i, part) {
        json_array_foreach(part, k, item) {
            const char *lab = json_string_value(json_object_get(item, "lab"));
            const char *file = json_string_value(json_object_get(item, "file"));
            add_work(parts, i, lab && file ? find(plan, lab, file) : NULL,
                     (size_t)json_integer_value(json_object_get(item, "student")));
        }
    }
    parts->name = name ? text_format("%s", name) : NULL;
    if (status == GRADER_OK && (!name || parts->n == 0)) {
        diag_set(diag, path, 0, "this does not say which job is at work; remove %s to begin anew",
                 folder);
        status = GRADER_BAD_INPUT;
    }
    json_decref(job);
    free(text);
    free(path);
    return status;
}

void parts_finish(struct parts *parts) {
    for (size_t i = 0; i < parts->n; i++)
        free(parts->items[i].work_items);
    free(parts->items);
    free(parts->folder);
    free(parts->name);
    *parts = (struct parts){.n = 0};
}

static char *read_log(const struct parts *parts, size_t part) {
    OWNED char *path = parts_path(parts, part, "log");
    char *text = NULL;
    size_t n_bytes;
    return file_read(path, LOG_BYTES, &text, &n_bytes, NULL) == GRADER_OK ? text : NULL;
}

size_t parts_look(struct parts *parts, size_t part) {
    struct part *item = &parts->items[part];
    size_t n = 0;
    OWNED char *log = read_log(parts, part);
    for (size_t i = 0; i < item->n; i++) {
        struct part_work *of = &item->work_items[i];
        OWNED char *number = text_format(student_format, of->student);
        OWNED char *line = text_format("\n%s ", number); /* as a class is shown: a line a student */
        of->is_seen |= log && strstr(log, line) != NULL;
        n += of->is_seen && of->work && of->work->state == WORK_OPEN;
    }
    return n;
}

char *parts_last_words(const struct parts *parts, size_t part) {
    OWNED char *log = read_log(parts, part);
    if (!log)
        return NULL;
    size_t length = strlen(log);
    while (length > 0 && (log[length - 1] == '\n' || log[length - 1] == ' '))
        log[--length] = '\0';
    const char *newline = strrchr(log, '\n');
    const char *line = newline ? newline + 1 : log;
    return *line ? text_clean(line, strnlen(line, 500), false) : NULL;
}

/* See compile.h. */
#include "grader/compile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "grader/file.h"
#include "grader/messages.h"
#include "grader/process.h"
#include "grader/text.h"

#define INSIDE_OUTPUT "/output/submission.so"
#define GIB           ((uint64_t)1 << 30)

enum { COMPILE_SECONDS = 120, MESSAGES_BYTES = 1 << 16, MAX_FILES = 64, MAX_FLAGS = 48 };
enum { KILLED = 128 + 9, FULL_BYTES = 1 << 20 };

static bool is_sandboxed(const struct build_request *request) {
    return request->sandbox->bwrap != NULL;
}

void compile_names(const struct build_request *request, struct compile_names *names) {
    if (is_sandboxed(request)) {
        names->source = text_format("/submission/%s", file_base(request->source));
        names->lab_folder = text_format("/workbook/labs/%s", file_base(request->lab_folder));
        names->root = text_format("/workbook");
    } else {
        /* A name that begins with a dash would be taken for an option. */
        names->source = text_format("%s%s", request->source[0] == '-' ? "./" : "", request->source);
        names->lab_folder = text_format("%s", request->lab_folder);
        names->root = text_format("%s", request->root);
    }
}

void compile_names_finish(struct compile_names *names) {
    free(names->source);
    free(names->lab_folder);
    free(names->root);
}

/* What is visible inside; the strings are owned. */
struct view {
    struct sandbox_file files[MAX_FILES];
    size_t n;
};

/* Takes both names. */
static void show(struct view *view, char *outside, char *inside, bool is_writable) {
    if (view->n < MAX_FILES) {
        view->files[view->n++] = (struct sandbox_file){outside, inside, is_writable};
        return;
    }
    free(outside);
    free(inside);
}

static void show_headers(struct view *view, const char *folder, const char *inside) {
    struct dirent **entries;
    int n = scandir(folder, &entries, build_is_header, alphasort);
    for (int i = 0; i < n; i++) {
        show(view, text_format("%s/%s", folder, entries[i]->d_name),
             text_format("%s/%s", inside, entries[i]->d_name), false);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* The toolkit is the folder above nvcc's own, wherever links lead. */
static char *folder_above(const char *path) {
    char *folder = realpath(path, NULL);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    return folder;
}

static void view_init(struct view *view, const struct build_request *request,
                      const struct compile_names *names, const char *copy, const char *object) {
    char *bin = folder_above(request->nvcc->path), *toolkit = bin ? folder_above(bin) : NULL;
    char *common = text_format("%s/labs/common", request->root);
    view->n = 0;
    if (toolkit)
        show(view, toolkit, NULL, false);
    show(view, text_format("%s", copy), text_format("%s", names->source), false);
    show(view, text_format("%s", object), text_format("%s", INSIDE_OUTPUT), true);
    show_headers(view, request->lab_folder, names->lab_folder);
    show_headers(view, common, "/workbook/labs/common");
    if (!request->is_foreign) {
        char *source = realpath(request->source, NULL), *beside = folder_above(request->source);
        if (beside && strcmp(beside, request->lab_folder) != 0)
            show_headers(view, beside, "/submission");
        free(source);
        free(beside);
    }
    free(common);
    free(bin);
}

static void view_finish(struct view *view) {
    for (size_t i = 0; i < view->n; i++) {
        free((char *)view->files[i].outside);
        free((char *)view->files[i].inside);
    }
}

/* The whole command line: nvcc's with the names of files, and the sandbox's before it; and the
 * environment to start it with, for nvcc to have the given one. */
static char **make_command(const struct build_request *request, const struct view *view,
                           const struct compile_names *names, char *const *flags,
                           const char *object, char *const *environment,
                           char *const **start_environment) {
    struct sandbox sandbox = {
        .files = view->files,
        .n_files = view->n,
        .environment = environment,
        .may_fork = true,
        .n_processes = 64,
        .n_open_files = 256,
        .memory_bytes = 4 * GIB,
        .file_bytes = GIB / 4,
        .tmp_bytes = GIB / 2,
    };
    char *argv[MAX_FLAGS];
    size_t n = 0;
    char *real = realpath(request->nvcc->path, NULL);
    argv[n++] = is_sandboxed(request) && real ? real : request->nvcc->path;
    for (char *const *flag = flags + 1; *flag && n + 4 < MAX_FLAGS; flag++)
        argv[n++] = *flag;
    argv[n++] = (char *)"-o";
    argv[n++] = is_sandboxed(request) ? (char *)INSIDE_OUTPUT : (char *)object;
    argv[n++] = names->source;
    argv[n] = NULL;
    /* Without a sandbox, no limits either: there a file of the student's own is compiled, in
     * whatever way the student set up. */
    static const struct sandbox_tools none = {.confine = NULL};
    const struct sandbox_tools *tools = is_sandboxed(request) ? request->sandbox : &none;
    char **command = sandbox_command(tools, &sandbox, argv);
    *start_environment = sandbox_environment(tools, &sandbox);
    free(real);
    return command;
}

/* True where a line of nvcc's own says that a program of its was killed: the kernel does that where
 * memory is short, and nobody within the sandbox's limits is. What nvcc quotes of a source comes
 * after the source's name. */
static bool has_killed_part(const char *messages) {
    static const char *const parts[][2] = {{"nvcc error", "died due to signal 9"},
                                           {"g++: fatal error: ", "Killed signal"},
                                           {"gcc: fatal error: ", "Killed signal"},
                                           {"c++: fatal error: ", "Killed signal"},
                                           {"collect2: fatal error: ", "terminated with signal 9"}};
    for (const char *line = messages; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const char *found = strstr(line, parts[i][1]);
            if (strncmp(line, parts[i][0], strlen(parts[i][0])) == 0 && found &&
                found < line + strcspn(line, "\n"))
                return true;
        }
    }
    return false;
}

/* Why it was the machine that made nvcc fail, for `diag`; false where it was the source. */
static bool is_machines(const struct process_result *run, const char *folder, struct diag *diag) {
    struct statvfs disk;
    if (run->exit_status == KILLED || has_killed_part(run->output)) {
        diag_set(diag, NULL, 0, "nvcc was killed; is memory short?");
        return true;
    }
    if (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < FULL_BYTES) {
        diag_set(diag, folder, 0, "the disk is full");
        return true;
    }
    return false;
}

/* Says how nvcc ended; its messages go to `result`, cut where they are too long. */
static enum grader_status take_end(const struct build_request *request, const char *folder,
                                   int seconds, struct process_result *run,
                                   struct build_result *result, struct diag *diag) {
    free(result->messages);
    result->compiled = run->how == PROCESS_ENDED && run->exit_status == 0;
    result->was_stopped = run->how == PROCESS_TIMED_OUT;
    if (run->output_bytes > MESSAGES_BYTES) {
        run->output[MESSAGES_BYTES] = '\0';
        result->messages = text_format("%s\n[… nvcc said more than is kept here]\n", run->output);
    } else {
        result->messages = text_format("%s", run->output);
    }
    switch (run->how) {
    case PROCESS_ENDED:
        return run->exit_status != 0 && is_machines(run, folder, diag) ? GRADER_FAILED : GRADER_OK;
    case PROCESS_INTERRUPTED:
        return GRADER_INTERRUPTED;
    case PROCESS_TIMED_OUT: /* what takes so long is the source's doing */
        free(result->messages);
        result->messages =
            text_format("%s: nvcc was stopped after %d seconds\n", request->source, seconds);
        return GRADER_OK;
    default:
        diag_set(diag, request->nvcc->path, 0, "nvcc cannot be started: %s", strerror(run->error));
        return GRADER_FAILED;
    }
}

/* The longest that nvcc may take. */
static int limit_seconds(void) {
    const char *text = getenv("WARPBOOK_COMPILE_SECONDS");
    int seconds = text ? atoi(text) : 0;
    return seconds > 0 && seconds < 86400 ? seconds : COMPILE_SECONDS;
}

/* The environment, a list that ends with NULL; two strings in `made` are owned, and the list. */
static char **make_environment(const struct build_request *request, const char *folder,
                               char *made[2]) {
    if (!is_sandboxed(request)) {
        /* nvcc's own temporary files go where they are removed, also after a kill. */
        made[0] = text_format("TMPDIR=%s", folder);
        made[1] = NULL;
        return process_environment("TMPDIR=", made, 1);
    }
    char *bin = folder_above(request->nvcc->path);
    char **list = calloc(5, sizeof *list);
    if (!list)
        abort();
    made[0] = list[0] = text_format("PATH=%s:/usr/bin", bin ? bin : "/usr/bin");
    made[1] = NULL;
    list[1] = (char *)"TMPDIR=/tmp";
    list[2] = (char *)"LC_ALL=C";
    free(bin);
    return list;
}

/* An empty file that anybody may write whom the sandbox makes its user; its folder is ours. */
static bool make_object(const char *object) {
    FILE *file = fopen(object, "w");
    return file && fclose(file) == 0 && chmod(object, 0666) == 0;
}

enum grader_status compile_run(const struct build_request *request, char *const *flags,
                               const char *folder, const char *object, struct build_result *result,
                               struct diag *diag) {
    struct compile_names names;
    struct view view;
    char *copy = text_format("%s/source.cu", folder), *made[2];
    int seconds = limit_seconds();
    enum grader_status status = GRADER_OK;
    if (is_sandboxed(request) && !make_object(object)) {
        diag_set(diag, object, 0, "the compiled file cannot be made: %s", strerror(errno));
        status = GRADER_FAILED;
    } else if (is_sandboxed(request)) {
        status = file_write(copy, result->bytes, result->n_bytes, diag);
        chmod(copy, 0644);
    }
    compile_names(request, &names);
    view_init(&view, request, &names, copy, object);
    char **environment = make_environment(request, folder, made);
    char *const *start_environment;
    char **command =
        make_command(request, &view, &names, flags, object, environment, &start_environment);
    if (!command)
        abort();
    if (status == GRADER_OK) {
        struct process process = {
            .path = command[0],
            .argv = command,
            .envp = start_environment,
            .timeout_ms = seconds * 1000,
            .interrupt_fd = request->interrupt_fd,
        };
        struct process_result run;
        process_run(&process, &run);
        status = take_end(request, folder, seconds, &run, result, diag);
        free(run.output);
    }
    sandbox_command_free(command);
    free(environment);
    free(made[0]);
    view_finish(&view);
    compile_names_finish(&names);
    free(copy);
    return status;
}

char *compile_shown(const struct build_request *request, const char *messages) {
    struct compile_names names;
    compile_names(request, &names);
    char *shown = text_replace(messages, names.source, request->source);
    if (is_sandboxed(request)) {
        char *whole = text_replace(shown, "/workbook/labs/", "labs/");
        free(shown);
        shown = whole;
    }
    compile_names_finish(&names);
    messages_say_once(shown);
    return shown;
}

/*
 * Starts nvcc, in the sandbox where there is one, and says how it ended. Its output is cut into
 * messages, each up to where the next one starts; a message that is there already is dropped, since
 * the source is compiled twice, for host and device.
 */
#include "grader/compile/compile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/memory.h"
#include "common/base/system/process.h"
#include "common/base/text.h"

#define INSIDE_OUTPUT "/output/submission.so"
#define GIB           ((uint64_t)1 << 30)

enum { COMPILE_SECONDS = 120, FILE_MIB = 256, MESSAGES_BYTES = 1 << 16, MAX_FLAGS = 48 };
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

/* The toolkit is the folder above nvcc's own, wherever links lead. */
static char *folder_above(const char *path) {
    char *folder = realpath(path, NULL);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    return folder;
}

/* What is visible inside: NVIDIA's toolkit, a copy of the source, the headers, and the file that is
 * to be written. The strings are borrowed but for the toolkit's. */
struct view {
    struct sandbox_file *files;
    size_t n;
    char *toolkit;
};

static void view_init(struct view *view, const struct build_request *request,
                      const struct headers *headers, const struct compile_names *names,
                      const char *copy, const char *object) {
    char *bin = folder_above(request->nvcc->path);
    *view = (struct view){.toolkit = bin ? folder_above(bin) : NULL};
    view->files = make_zeroed(headers->n + 3, sizeof *view->files);
    if (view->toolkit)
        view->files[view->n++] = (struct sandbox_file){view->toolkit, NULL, false};
    view->files[view->n++] = (struct sandbox_file){copy, names->source, false};
    view->files[view->n++] = (struct sandbox_file){object, INSIDE_OUTPUT, true};
    for (size_t i = 0; i < headers->n; i++)
        view->files[view->n++] =
            (struct sandbox_file){headers->items[i].path, headers->items[i].inside, false};
    free(bin);
}

static void view_finish(struct view *view) {
    free(view->files);
    free(view->toolkit);
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
        .file_bytes = (uint64_t)FILE_MIB << 20,
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

/* True where a line says that a program was killed. The source can have nvcc print such lines:
 * alone they prove nothing. */
static bool says_killed(const char *messages) {
    static const char *const parts[] = {"died due to signal 9", "Killed signal",
                                        "terminated with signal 9", "Killed\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(messages, parts[i]))
            return true;
    }
    return false;
}

/* Says in `diag` why the machine made nvcc fail; false where the source did. nvcc's exit status is
 * that of the program that it ran, and SIGKILL in it can't come from a source. Where gcc ran the
 * killed program the status is lost: then a line "killed" in the messages counts only if the
 * kernel's count of processes that it killed for lack of memory has risen. */
static bool is_machines(const struct process_result *run, const char *folder, long n_kills,
                        struct diag *diag) {
    struct statvfs disk;
    if (run->exit_status == KILLED ||
        (memory_count_kills() > n_kills && says_killed(run->output))) {
        diag_set(diag, NULL, 0, "nvcc was killed; is memory short?");
        return true;
    }
    if (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < FULL_BYTES) {
        diag_set(diag, folder, 0, "the disk is full");
        return true;
    }
    /* What nvcc does not accept of a source it says. */
    if (run->output_bytes == 0) {
        diag_set(diag, NULL, 0, "nvcc ended with status %d and said nothing; try again",
                 run->exit_status);
        return true;
    }
    return false;
}

/* Says why the source could not be compiled. */
static void set_reason(struct build_result *result, int seconds) {
    if (result->compiled)
        result->reason[0] = '\0';
    else if (result->was_stopped)
        snprintf(result->reason, sizeof result->reason,
                 "nvcc was not done with the file after %d seconds, and was stopped.", seconds);
    else
        snprintf(result->reason, sizeof result->reason, "nvcc does not accept the file.");
}

/* Where a file that nvcc wrote came to the sandbox's limit, gcc asks for a bug report: says what it
 * was. */
static void explain_limit(const struct build_request *request, const struct process_result *run,
                          struct build_result *result) {
    if (run->exit_status == 0 || !is_sandboxed(request) ||
        !strstr(run->output, "File size limit exceeded signal terminated program"))
        return;
    snprintf(result->reason, sizeof result->reason,
             "What nvcc makes of the file is too large: it may write files of at most %d MiB. "
             "Arrays with initial values, and code that is unrolled, take that much.",
             FILE_MIB);
    free(result->messages);
    result->messages = text_format("%s: %s\n", request->source, result->reason);
}

/* Says how nvcc ended; its messages go to `result`, cut where they are too long. */
static enum grader_status take_end(const struct build_request *request, const char *folder,
                                   int seconds, long n_kills, struct process_result *run,
                                   struct build_result *result, struct diag *diag) {
    free(result->messages);
    result->compiled = run->how == PROCESS_ENDED && run->exit_status == 0;
    result->was_stopped = run->how == PROCESS_TIMED_OUT;
    set_reason(result, seconds);
    if (run->output_bytes > MESSAGES_BYTES) {
        run->output[MESSAGES_BYTES] = '\0';
        result->messages = text_format("%s\n[… nvcc said more than is kept here]\n", run->output);
    } else {
        result->messages = text_format("%s", run->output);
    }
    switch (run->how) {
    case PROCESS_ENDED:
        explain_limit(request, run, result);
        return run->exit_status != 0 && is_machines(run, folder, n_kills, diag) ? GRADER_FAILED
                                                                                : GRADER_OK;
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
    char **list = make_zeroed(5, sizeof *list);
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

enum grader_status compile_run(const struct build_request *request, const struct headers *headers,
                               char *const *flags, const char *folder, const char *object,
                               struct build_result *result, struct diag *diag) {
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
    view_init(&view, request, headers, &names, copy, object);
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
        long n_kills = memory_count_kills();
        process_run(&process, &run);
        status = take_end(request, folder, seconds, n_kills, &run, result, diag);
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
    OWNED_BY(compile_names_finish) struct compile_names names;
    compile_names(request, &names);
    char *shown = text_replace(messages, names.source, request->source);
    if (is_sandboxed(request)) {
        char *whole = text_replace(shown, "/workbook/labs/", "labs/");
        free(shown);
        shown = whole;
    }
    messages_say_once(shown);
    return shown;
}

static const char origin[] = "In file included from ";

static size_t line_length(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? (size_t)(end - line) + 1 : strlen(line);
}

static size_t message_length(const char *text) {
    bool is_origin = true;
    size_t n = 0;
    while (text[n] && (is_origin || strchr(" \t\n", text[n]))) {
        if (!strchr(" \t\n", text[n]))
            is_origin = strncmp(text + n, origin, sizeof origin - 1) == 0;
        n += line_length(text + n);
    }
    return n;
}

/* True where the kept lines have that message. */
static bool is_among(const char *kept, size_t n_kept, const char *message, size_t n) {
    for (const char *at = kept; (at = memmem(at, (size_t)(kept + n_kept - at), message, n)); at++) {
        if (at == kept || at[-1] == '\n')
            return true;
    }
    return false;
}

void messages_say_once(char *text) {
    char *out = text;
    for (const char *from = text; *from;) {
        size_t n = message_length(from);
        if (!is_among(text, (size_t)(out - text), from, n)) {
            memmove(out, from, n);
            out += n;
        }
        from += n;
    }
    *out = '\0';
}

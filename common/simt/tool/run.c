/*
 * The way of one program: what it is, its compilation, its environment, its end.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/owned.h"
#include "common/simt/tool/tool.h"

extern char **environ;

const char tool_usual_budget[] = "68719476736";

const char tool_no_report[] = "warpbook: the program left no report: it made no call of the CUDA "
                              "runtime, or ended by _exit or SIGKILL.\n";

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static char *joined(const char *folder, const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* "NAME=value", or "NAME=value:old" where the variable is a list and has a value. */
static char *setting(const char *name, const char *value, bool is_list) {
    const char *old = is_list ? getenv(name) : NULL;
    bool has_old = old && *old != '\0';
    char *text;
    int length = asprintf(&text, "%s=%s%s%s", name, value, has_old ? ":" : "", has_old ? old : "");
    return length < 0 ? NULL : text;
}

/* The caller's environment with the settings in place of variables of the same names. */
static char **environment(char *const *settings, size_t n) {
    size_t n_old = 0, n_all = 0;
    while (environ[n_old])
        n_old++;
    char **all = calloc(n_old + n + 1, sizeof *all);
    for (size_t i = 0; all && i < n_old; i++) {
        bool is_replaced = false;
        for (size_t k = 0; k < n; k++) {
            size_t name = strcspn(settings[k], "=") + 1;
            is_replaced |= strncmp(environ[i], settings[k], name) == 0;
        }
        if (!is_replaced)
            all[n_all++] = environ[i];
    }
    for (size_t k = 0; all && k < n; k++)
        all[n_all++] = settings[k];
    return all;
}

int tool_start(const struct tool_options *options, const struct tool_start *start) {
    enum { MAX_SETTINGS = 16 };
    char *settings[MAX_SETTINGS];
    size_t n = 0, n_arguments = 0;
    int status = -1;
    /* The library's folder for the loader; the library itself for programs with a folder of their
     * own built in, which comes first otherwise. */
    OWNED char *folder = strdup(options->dropin);
    char *slash = !folder ? NULL : strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    settings[n++] = setting("LD_LIBRARY_PATH", slash ? folder : ".", true);
    settings[n++] = setting("LD_PRELOAD", options->dropin, true);
    settings[n++] = setting("SIMT_REPORT", start->report, false);
    if (options->device)
        settings[n++] = setting("SIMT_DEVICE", options->device, false);
    if (start->seed)
        settings[n++] = setting("SIMT_SEED", start->seed, false);
    if (start->digests)
        settings[n++] = setting("SIMT_DIGESTS", "1", false);
    if (options->budget || !getenv("SIMT_BUDGET"))
        settings[n++] =
            setting("SIMT_BUDGET", options->budget ? options->budget : tool_usual_budget, false);
    if (options->timeout_ms)
        settings[n++] = setting("SIMT_TIMEOUT_MS", options->timeout_ms, false);
    if (options->no_checks)
        settings[n++] = setting("SIMT_CHECKS", "0", false);
    while (options->arguments[n_arguments])
        n_arguments++;
    char **argv = calloc(n_arguments + 2, sizeof *argv);
    bool is_whole = argv && folder;
    for (size_t i = 0; i < n; i++)
        is_whole = is_whole && settings[i];
    char **envp = is_whole ? environment(settings, n) : NULL;
    errno = ENOMEM;
    if (envp) {
        argv[0] = (char *)(uintptr_t)start->path;
        memcpy(argv + 1, options->arguments, n_arguments * sizeof *argv);
        status = tool_spawn(start->path, argv, envp, &start->streams);
    }
    int error = errno;
    for (size_t i = 0; i < n; i++)
        free(settings[i]);
    free(envp);
    free(argv);
    errno = error;
    return status;
}

/* Says why a program can't be run, or what of it can't; true where it can. */
static bool is_runnable(const char *program, FILE *out) {
    if (access(program, F_OK) != 0) {
        fprintf(out, "warpbook: there is no file %s.\n", program);
        return false;
    }
    const struct tool_program facts = tool_inspect(program);
    switch (facts.linkage) {
    case TOOL_STATIC:
        fprintf(
            out,
            "warpbook: %s has NVIDIA's runtime library within, which nothing can take the place "
            "of. Link it with the shared one: compile with nvcc -cudart shared (for a build "
            "that you don't want to change: NVCC_APPEND_FLAGS='-cudart shared -lineinfo'), then "
            "run it again.\n",
            program);
        return false;
    case TOOL_OTHER_MAJOR:
        fprintf(out,
                "warpbook: %s was linked with another major version of the CUDA runtime; compile "
                "it with CUDA 13.\n",
                program);
        return false;
    default:
        break;
    }
    if (facts.libraries[0] != '\0')
        fprintf(out,
                "warpbook: %s is linked with NVIDIA's %s, which the simulator does not have: calls "
                "of it fail or end the program, and none of its kernels run. Do those steps in "
                "kernels of your own, or run the program on a GPU.\n",
                program, facts.libraries);
    return true;
}

static bool copy_file(const char *from, const char *to) {
    char buffer[1 << 14];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = !in ? NULL : fopen(to, "wb");
    bool good = out;
    while (good && (n = fread(buffer, 1, sizeof buffer, in)) > 0)
        good = fwrite(buffer, 1, n, out) == n;
    if (in)
        fclose(in);
    if (out)
        good &= fclose(out) == 0;
    return good;
}

/* Compiles the source to `built`. TOOL_FAILED and the like with a sentence; 0 when done. */
static int compile(const struct tool_options *options, const char *built, FILE *out) {
    if (access(options->program, R_OK) != 0) {
        fprintf(out, "warpbook: there is no file %s.\n", options->program);
        return TOOL_BAD_INPUT;
    }
    if (!options->nvcc)
        return TOOL_FAILED;
    int status = tool_compile(options->nvcc, options->program, options->device, built);
    if (status == 0)
        return 0;
    if (status < 0)
        fprintf(out, "warpbook: %s can't be started: %s.\n", options->nvcc, strerror(errno));
    else
        fprintf(out, "warpbook: %s does not compile.\n", options->program);
    return status < 0 ? TOOL_FAILED : 1;
}

/* Runs it once and says what its kernels did. */
static int run_once(const struct tool_options *options, const char *path, FILE *out) {
    OWNED char *report = joined(options->scratch, "report.json");
    struct tool_start start = {.path = path, .report = report, .seed = options->seed};
    errno = ENOMEM;
    int status = !report ? -1 : tool_start(options, &start);
    if (status < 0)
        ;
    else if (!tool_summarise(report, out))
        fprintf(out, "%s", tool_no_report);
    else if (options->json && !copy_file(report, options->json))
        fprintf(out, "warpbook: %s can't be written.\n", options->json);
    return status;
}

int tool_run(const struct tool_options *options, FILE *out) {
    char *built = joined(options->scratch, "program");
    const char *path = options->program;
    int status = TOOL_FAILED;
    if (!built)
        goto out;
    if (ends_with(options->program, ".cu")) {
        status = compile(options, built, out);
        if (status != 0)
            goto out;
        path = built;
    } else if (!is_runnable(options->program, out)) {
        status = TOOL_BAD_INPUT;
        goto out;
    }
    status =
        options->n_schedules != 0 ? tool_explore(options, path, out) : run_once(options, path, out);
    if (status < 0) {
        fprintf(out, "warpbook: %s can't be started: %s.\n", options->program, strerror(errno));
        status = TOOL_BAD_INPUT;
    }
out:
    free(built);
    return status;
}

/*
 * The command line for bubblewrap. As root no user namespace is made: warpbook-confine becomes a
 * user of its own instead, one for each sandbox, so that the kernel's limit on a user's processes
 * holds for the sandbox alone. Everybody else gets a user namespace, where it does, too.
 */
#include "common/sandbox/sandbox.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/grow.h"
#include "common/base/system/process.h"

enum { DEV_SHM_BYTES = 64 << 20, PROBE_MS = 60000 };

/* A command line under construction: words, each a string of its own. */
struct words {
    char **list; /* ends with NULL once something was added */
    size_t n, capacity;
    bool has_failed; /* no memory: the rest is missing */
};

/* Adds a word, which belongs to the list then. */
static void append(struct words *words, char *word) {
    char **list = grow_room(words->list, words->n + 1, &words->capacity, 64, sizeof *list);

    if (!word || !list) {
        words->has_failed = true;
        free(word);
        return;
    }
    words->list = list;
    words->list[words->n++] = word;
    words->list[words->n] = NULL;
}

/* Adds the words up to a NULL. */
static __attribute__((sentinel)) void words_add(struct words *words, ...) {
    va_list list;

    va_start(list, words);
    for (const char *word; (word = va_arg(list, const char *));)
        append(words, strdup(word));
    va_end(list);
}

/* Adds one word, made by printf's rules. */
static __attribute__((format(printf, 2, 3))) void words_format(struct words *words,
                                                               const char *format, ...) {
    char *word = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&word, format, list) < 0)
        word = NULL;
    va_end(list);
    append(words, word);
}

/* Folders between the root and a file are made as root and for root only, unless told. */
static void add_folders_above(struct words *words, const char *path) {
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        words_add(words, "--perms", "0755", "--dir", NULL);
        words_format(words, "%.*s", (int)(slash - path), path);
    }
}

static void add_file(struct words *words, const char *outside, const char *inside,
                     bool is_writable) {
    add_folders_above(words, inside);
    words_add(words, is_writable ? "--bind-try" : "--ro-bind-try", outside, inside, NULL);
}

static bool is_of_system(const char *path) {
    return strncmp(path, "/usr/", 5) == 0;
}

/* The hidden folder's real path, where it lies below /usr. */
static bool find_hidden(const char *folder, char real[PATH_MAX]) {
    return folder && realpath(folder, real) && is_of_system(real);
}

/* True where the path is seen inside without being added. */
static bool is_seen(const struct sandbox_tools *tools, const char *path) {
    char hidden[PATH_MAX];

    for (size_t i = 0; i < SANDBOX_HIDDEN; i++) {
        if (find_hidden(tools->hidden[i], hidden) && strncmp(path, hidden, strlen(hidden)) == 0 &&
            strchr("/", path[strlen(hidden)]))
            return false;
    }
    return is_of_system(path);
}

/* A file under its own name. */
static void add_own_name(struct words *words, const struct sandbox_tools *tools, const char *path,
                         bool is_writable) {
    char real[PATH_MAX];

    if (path[0] != '/' || !realpath(path, real))
        return;
    if (!is_seen(tools, real))
        add_file(words, real, real, is_writable);
    if (!is_seen(tools, path) && strcmp(path, real) != 0)
        add_file(words, real, path, is_writable);
}

/* Empty folders in place of the hidden ones; `how` is what is done to them. */
static void add_hidden(struct words *words, const struct sandbox_tools *tools, const char *how) {
    char hidden[PATH_MAX];

    for (size_t i = 0; i < SANDBOX_HIDDEN; i++) {
        if (find_hidden(tools->hidden[i], hidden))
            words_add(words, how, hidden, NULL);
    }
}

struct libraries {
    struct words *words;
    const struct sandbox_tools *tools;
};

/* Folders outside /usr that our own libraries came from (a staged build has some): the programs
 * inside are built like us and need them, too. */
static int add_library_folder(struct dl_phdr_info *info, size_t size, void *context) {
    const struct libraries *libraries = context;
    const char *slash = strrchr(info->dlpi_name, '/');
    char folder[PATH_MAX], real[PATH_MAX];

    (void)size;
    if (!slash || slash == info->dlpi_name)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - info->dlpi_name), info->dlpi_name);
    if (realpath(folder, real) && !is_seen(libraries->tools, real))
        add_own_name(libraries->words, libraries->tools, folder, false);
    return 0;
}

static void add_gpu(struct words *words) {
    static const char *const patterns[] = {"/dev/nvidia[0-9]*", "/dev/nvidiactl",
                                           "/dev/nvidia-uvm*", "/dev/dxg"};
    glob_t found;

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (glob(patterns[i], 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            words_add(words, "--dev-bind", found.gl_pathv[k], found.gl_pathv[k], NULL);
        globfree(&found);
    }
}

static void add_system(struct words *words, const struct sandbox *sandbox) {
    static const char *const links[] = {"bin", "sbin", "lib", "lib32", "lib64"};
    static const char *const settings[] = {"/etc/ld.so.cache", "/etc/alternatives"};

    words_add(words, "--ro-bind", "/usr", "/usr", NULL);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        words_add(words, "--symlink", NULL);
        words_format(words, "usr/%s", links[i]);
        words_format(words, "/%s", links[i]);
    }
    words_add(words, "--perms", "0755", "--dir", "/etc", NULL);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        words_add(words, "--ro-bind-try", settings[i], settings[i], NULL);
    words_add(words, "--proc", "/proc", "--dev", "/dev", "--size", NULL);
    words_format(words, "%d", DEV_SHM_BYTES);
    words_add(words, "--perms", "1777", "--tmpfs", "/dev/shm", NULL);
    if (sandbox->has_gpu)
        add_gpu(words);
    else /* shared mappings of it are memory that no limit counts; what opens it there fails */
        words_add(words, "--ro-bind", "/dev/null", "/dev/zero", NULL);
    words_add(words, "--remount-ro", "/dev", "--size", NULL);
    words_format(words, "%" PRIu64, sandbox->tmp_bytes);
    words_add(words, "--perms", "1777", "--tmpfs", "/tmp", NULL);
}

static void add_environment(struct words *words, char *const *environment) {
    words_add(words, "--clearenv", NULL);
    for (char *const *entry = environment; entry && *entry; entry++) {
        size_t length = strcspn(*entry, "=");
        words_add(words, "--setenv", NULL);
        words_format(words, "%.*s", (int)length, *entry);
        words_format(words, "%s", *entry + length + ((*entry)[length] == '='));
    }
}

static void add_bwrap(struct words *words, const struct sandbox_tools *tools,
                      const struct sandbox *sandbox) {
    words_add(words, tools->bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net",
              "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--new-session",
              "--hostname", "sandbox", "--cap-drop", "ALL", NULL);
    if (geteuid() == 0)
        words_add(words, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", NULL);
    else
        words_add(words, "--unshare-user", NULL);
    if (sandbox->is_server) /* it ends children that are other users by then */
        words_add(words, "--as-pid-1", "--cap-add", "CAP_KILL", NULL);
    add_environment(words, sandbox->environment);
    add_system(words, sandbox);
    add_hidden(words, tools, "--tmpfs");
    dl_iterate_phdr(add_library_folder, &(struct libraries){words, tools});
    add_own_name(words, tools, tools->confine, false);
    for (size_t i = 0; i < sandbox->n_files; i++) {
        if (sandbox->files[i].inside)
            add_file(words, sandbox->files[i].outside, sandbox->files[i].inside,
                     sandbox->files[i].is_writable);
        else
            add_own_name(words, tools, sandbox->files[i].outside, sandbox->files[i].is_writable);
    }
    add_hidden(words, tools, "--remount-ro");
    words_add(words, "--remount-ro", "/", "--chdir", "/tmp", "--", NULL);
}

static void add_limits(struct words *words, const struct sandbox_tools *tools,
                       const struct sandbox *sandbox) {
    if (!tools->confine)
        return;
    words_format(words, "user=%d", tools->bwrap || tools->as_user);
    words_format(words, "fork=%d", sandbox->may_fork);
    words_format(words, "shared=%d", sandbox->has_gpu);
    words_format(words, "processes=%u", sandbox->n_processes);
    words_format(words, "open=%u", sandbox->n_open_files);
    words_format(words, "memory=%" PRIu64, sandbox->memory_bytes);
    words_format(words, "file=%" PRIu64, sandbox->file_bytes);
}

char **sandbox_command(const struct sandbox_tools *tools, const struct sandbox *sandbox,
                       char *const *argv) {
    struct words words = {.list = NULL};

    if (tools->bwrap)
        add_bwrap(&words, tools, sandbox);
    if (sandbox->is_server)
        words_add(&words, *argv++, NULL);
    else if (tools->confine)
        words_add(&words, tools->confine, NULL);
    add_limits(&words, tools, sandbox);
    if (sandbox->is_server || tools->confine)
        words_add(&words, "--", NULL);
    for (; *argv; argv++)
        words_add(&words, *argv, NULL);
    if (!words.has_failed)
        return words.list;
    sandbox_command_free(words.list);
    return NULL;
}

void sandbox_command_free(char **command) {
    for (char **word = command; word && *word; word++)
        free(*word);
    free(command);
}

char *const *sandbox_environment(const struct sandbox_tools *tools, const struct sandbox *sandbox) {
    static char *const none[] = {NULL};

    return tools->bwrap || !sandbox->environment ? none : sandbox->environment;
}

bool sandbox_probe(const struct sandbox_tools *tools, char *why, size_t why_bytes) {
    static char program[] = "/usr/bin/true";
    char *const argv[] = {program, NULL};
    const struct sandbox sandbox = {.n_processes = 64,
                                    .n_open_files = 64,
                                    .memory_bytes = 1 << 30,
                                    .file_bytes = 1 << 20,
                                    .tmp_bytes = 1 << 20};

    snprintf(why, why_bytes, "bubblewrap is not installed");
    if (!tools->bwrap)
        return false;
    char **command = sandbox_command(tools, &sandbox, argv);
    if (!command) {
        snprintf(why, why_bytes, "%s", strerror(ENOMEM));
        return false;
    }
    struct process_result result;
    process_run(&(struct process){.path = command[0],
                                  .argv = command,
                                  .envp = sandbox_environment(tools, &sandbox),
                                  .timeout_ms = PROBE_MS,
                                  .interrupt_fd = -1},
                &result);
    sandbox_command_free(command);
    bool is_good = result.how == PROCESS_ENDED && result.exit_status == 0;
    snprintf(why, why_bytes, "%s",
             result.how == PROCESS_ENDED       ? result.output
             : result.how == PROCESS_TIMED_OUT ? "it does not end"
                                               : strerror(result.error));
    why[strcspn(why, "\n")] = '\0';
    if (!why[0])
        snprintf(why, why_bytes, "%s ended with status %d and said nothing", tools->bwrap,
                 result.exit_status);
    free(result.output);
    return is_good;
}

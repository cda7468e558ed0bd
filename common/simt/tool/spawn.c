/*
 * Starting other programs: nvcc, and the one to run.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/simt/cudart/device/devices.h"
#include "common/simt/tool/tool.h"

extern char **environ;

static void redirect(posix_spawn_file_actions_t *actions, const struct tool_streams *streams) {
    const int truncate = O_WRONLY | O_CREAT | O_TRUNC;
    if (!streams)
        return;
    if (streams->input)
        posix_spawn_file_actions_addopen(actions, STDIN_FILENO, streams->input, O_RDONLY, 0);
    if (streams->output)
        posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, streams->output, truncate, 0600);
    if (streams->errors)
        posix_spawn_file_actions_addopen(actions, STDERR_FILENO, streams->errors, truncate, 0600);
}

int tool_spawn(const char *path, char *const *argv, char *const *envp,
               const struct tool_streams *streams) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old_int, old_quit;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t defaults;
    pid_t pid;
    int status = 0;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    redirect(&actions, streams);
    /* Ctrl-C is for the program; the summary comes after it. */
    sigaction(SIGINT, &ignore, &old_int);
    sigaction(SIGQUIT, &ignore, &old_quit);
    int error = posix_spawn(&pid, path, &actions, &attributes, argv, !envp ? environ : envp);
    while (error == 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            error = errno;
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGQUIT, &old_quit, NULL);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return WIFSIGNALED(status) ? TOOL_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int tool_compile(const char *nvcc, const char *source, const char *device, const char *to) {
    const struct cudart_device *known = !device ? NULL : cudart_device_find(device);
    const int arch = !known ? cudart_devices[0].arch : known->arch;
    char ptx[64];
    snprintf(ptx, sizeof ptx, "arch=compute_%d,code=compute_%d", arch, arch);
    const char *const argv[] = {
        nvcc,       "-O3",    "-Xcompiler", "-g1",
        "-cudart",  "shared", "-lineinfo",  "--compress-mode=none",
        "-gencode", ptx,      "-o",         to,
        source,     NULL,
    };
    return tool_spawn(nvcc, (char *const *)argv, NULL, NULL);
}

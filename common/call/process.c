/*
 * Starting and ending a worker. It gets a clean environment: no seed, no path of ours, no
 * descriptor but its three streams and the socket (a test framework's own channels would be a way
 * to forge results).
 */
#include "common/call/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/call/wire.h"

extern char **environ;

#define GIB ((uint64_t)1 << 30)

enum { LOWEST_FD = 10, MAX_ENVIRONMENT = 8, END_MS = 10000, RELEASE_MS = 2000 };

void process_init(struct call_process *process) {
    *process = (struct call_process){.pidfd = -1, .socket = -1, .output = -1};
}

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Moves a descriptor out of the range that the child's own will have. */
static bool raise_fd(int *fd) {
    int high = fcntl(*fd, F_DUPFD_CLOEXEC, LOWEST_FD);

    close_fd(fd);
    *fd = high;
    return high >= 0;
}

/* The few variables that the worker may see, as pointers into our own environment. */
static void pick_environment(char *picked[MAX_ENVIRONMENT]) {
    static const char *const allowed[] = {"PATH=", "LD_LIBRARY_PATH=", "CUDA_VISIBLE_DEVICES="};
    size_t n = 0;

    for (char **entry = environ; entry && *entry && n + 1 < MAX_ENVIRONMENT; entry++) {
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
            if (strncmp(*entry, allowed[i], strlen(allowed[i])) == 0)
                picked[n++] = *entry;
        }
    }
    picked[n] = NULL;
}

static int prepare_files(posix_spawn_file_actions_t *actions, int socket, int output) {
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);

    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, output, 2);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, socket, WIRE_SOCKET);
    if (!error)
        error = posix_spawn_file_actions_addclosefrom_np(actions, WIRE_SOCKET + 1);
    return error;
}

/* A session and group of its own, without our terminal; no signal blocked, all at their defaults.
 */
static int prepare_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
}

/* The worker's command line, in its sandbox if it is to have one. */
static char **make_command(const struct call_settings *settings, char **environment) {
    const struct sandbox_file files[] = {
        {settings->worker, NULL, false},
        {settings->cudart, NULL, false},
        {settings->submission ? settings->submission : "", NULL, false},
    };
    bool is_gpu = settings->backend == CALL_GPU;
    const struct sandbox sandbox = {
        .files = files,
        .n_files = sizeof files / sizeof *files,
        .environment = environment,
        .has_gpu = is_gpu,
        .n_processes = 1024, /* threads: the CUDA runtime's, the simulator's, the student's */
        .n_open_files = 1024,
        .memory_bytes = (is_gpu ? 16 : 4) * GIB,
        .file_bytes = (is_gpu ? 4 * GIB : GIB / 4),
        .tmp_bytes = GIB / 16,
    };
    char *const argv[] = {(char *)settings->worker, NULL};

    return sandbox_command(&settings->sandbox, &sandbox, argv);
}

static int spawn(const struct call_settings *settings, int socket, int output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *environment[MAX_ENVIRONMENT];
    int error;

    pick_environment(environment);
    char **command = make_command(settings, environment);
    if (!command)
        return ENOMEM;
    posix_spawn_file_actions_init(&actions);
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = prepare_files(&actions, socket, output);
        if (!error)
            error = prepare_attributes(&attributes);
        if (!error)
            error = posix_spawn(pid, command[0], &actions, &attributes, command, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    sandbox_command_free(command);
    return error;
}

bool process_start(struct call_process *process, const struct call_settings *settings, char *error,
                   size_t error_bytes) {
    int sockets[2] = {-1, -1}, pipes[2] = {-1, -1}, failed;
    pid_t pid = 0;

    process_init(process);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 ||
        pipe2(pipes, O_CLOEXEC) != 0 || !raise_fd(&sockets[1]) || !raise_fd(&pipes[1]) ||
        fcntl(pipes[0], F_SETFL, O_NONBLOCK) != 0)
        failed = errno;
    else
        failed = spawn(settings, sockets[1], pipes[1], &pid);
    close_fd(&sockets[1]);
    close_fd(&pipes[1]);
    process->socket = sockets[0];
    process->output = pipes[0];
    process->pid = failed ? 0 : pid;
    if (!failed) {
        process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
        failed = process->pidfd < 0 ? errno : 0;
    }
    if (failed) {
        snprintf(error, error_bytes, "the worker %s could not be started: %s", settings->worker,
                 strerror(failed));
        process_end(process);
    }
    return !failed;
}

static void await(int fd, int events, int limit_ms) {
    struct pollfd wait = {.fd = fd, .events = (short)events};

    while (poll(&wait, 1, limit_ms) < 0 && errno == EINTR)
        ;
}

/* A killed process may hang on in a device's driver; it must not take us along. In a sandbox the
 * process that we started is gone before the worker is, whose device memory the next one may need:
 * all that had the socket open are gone when it hangs up. */
static void await_end(const struct call_process *process) {
    await(process->pidfd, POLLIN, END_MS);
    await(process->socket, 0, RELEASE_MS);
}

int process_end(struct call_process *process) {
    int status = -1;

    if (process->pid > 0) {
        /* Not reaped yet, so the number is still ours; the group may outlive its leader. */
        kill(-process->pid, SIGKILL);
        kill(process->pid, SIGKILL);
        await_end(process);
        if (waitpid(process->pid, &status, WNOHANG) != process->pid)
            status = -1;
    }
    close_fd(&process->pidfd);
    close_fd(&process->socket);
    close_fd(&process->output);
    process_init(process);
    return status;
}

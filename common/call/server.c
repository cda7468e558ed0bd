/*
 * Starting and ending a server. It gets a clean environment: no seed, no path of ours, no
 * descriptor but its three streams and the socket (a test framework's own channels would be a way
 * to forge results).
 */
#include "common/call/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/call/wire.h"

extern char **environ;

#define GIB ((uint64_t)1 << 30)

enum { LOWEST_FD = 10, MAX_ENVIRONMENT = 8, START_MS = 30000, END_MS = 2000 };

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
    static const char *const allowed[] = {
        "LD_LIBRARY_PATH=", "CUDA_VISIBLE_DEVICES=", "SIMT_THREADS="};
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

/* Starts the server, in its sandbox if it is to have one. A GPU's runtime can't be loaded ahead:
 * its context does not survive a fork. */
static int spawn_in_sandbox(const struct call_settings *settings, char *const *environment,
                            const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, pid_t *pid) {
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
        .is_server = true,
        .n_processes = 1024, /* threads: the CUDA runtime's, the simulator's, the student's */
        .n_open_files = 1024,
        .memory_bytes = is_gpu ? 16 * GIB : CALL_SIM_MEMORY_BYTES,
        .file_bytes = (is_gpu ? 4 * GIB : GIB / 4),
        .tmp_bytes = GIB / 16,
    };
    char *const argv[] = {(char *)settings->worker, is_gpu ? NULL : (char *)settings->cudart, NULL};

    char **command = sandbox_command(&settings->sandbox, &sandbox, argv);
    int error = ENOMEM;

    if (command)
        error = posix_spawn(pid, command[0], actions, attributes, command,
                            (char **)sandbox_environment(&settings->sandbox, &sandbox));
    sandbox_command_free(command);
    return error;
}

static int spawn(const struct call_settings *settings, int socket, int output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *environment[MAX_ENVIRONMENT];
    int error;

    pick_environment(environment);
    posix_spawn_file_actions_init(&actions);
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = prepare_files(&actions, socket, output);
        if (!error)
            error = prepare_attributes(&attributes);
        if (!error)
            error = spawn_in_sandbox(settings, environment, &actions, &attributes, pid);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits for its word that it is ready. False, with what it or the sandbox said in place of it. */
static bool await_ready(const struct call_server *server, int output, char *said, size_t bytes) {
    struct pollfd fds[] = {{.fd = server->socket, .events = POLLIN},
                           {.fd = server->pidfd, .events = POLLIN}};
    struct wire_header ready = {.magic = 0};

    while (poll(fds, 2, START_MS) < 0 && errno == EINTR)
        ;
    if (recv(server->socket, &ready, sizeof ready, MSG_DONTWAIT) == sizeof ready &&
        ready.magic == WIRE_MAGIC && ready.version == WIRE_VERSION && ready.kind == WIRE_START)
        return true;
    ssize_t got = read(output, said, bytes - 1);
    said[got > 0 ? got : 0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    return false;
}

struct call_server *server_start(const struct call_settings *settings, char *error,
                                 size_t error_bytes) {
    struct call_server *server = calloc(1, sizeof *server);
    int sockets[2] = {-1, -1}, pipes[2] = {-1, -1}, failed = 0;
    char said[256] = "";

    if (!server)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 ||
        pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0 || !raise_fd(&sockets[1]) || !raise_fd(&pipes[1]))
        failed = errno;
    else
        failed = spawn(settings, sockets[1], pipes[1], &server->pid);
    close_fd(&sockets[1]);
    close_fd(&pipes[1]);
    server->socket = sockets[0];
    server->pidfd = failed ? -1 : (int)syscall(SYS_pidfd_open, server->pid, 0);
    if (!failed && server->pidfd < 0)
        failed = errno;
    bool is_ready = !failed && await_ready(server, pipes[0], said, sizeof said);
    close_fd(&pipes[0]);
    if (is_ready)
        return server;
    snprintf(error, error_bytes, "the worker %s could not be started: %s", settings->worker,
             failed    ? strerror(failed)
             : said[0] ? said
                       : "it said nothing");
    call_server_close(server);
    return NULL;
}

bool server_fork(const struct call_server *server, const int fds[]) {
    union {
        char bytes[CMSG_SPACE(WIRE_N_STARTED * sizeof(int))];
        struct cmsghdr align;
    } control = {.bytes = ""};
    struct wire_header start = {.magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_START};
    struct iovec part = {.iov_base = &start, .iov_len = sizeof start};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);

    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(WIRE_N_STARTED * sizeof(int));
    memcpy(CMSG_DATA(rights), fds, WIRE_N_STARTED * sizeof(int));
    return sendmsg(server->socket, &packet, MSG_NOSIGNAL) == sizeof start;
}

bool call_server_is_alive(const struct call_server *server) {
    struct pollfd fds[] = {{.fd = server->pidfd, .events = POLLIN}, {.fd = server->socket}};

    return poll(fds, 2, 0) == 0;
}

/* By its number only while that is its own: the parent alone keeps it from being another's. */
void server_kill(const struct call_server *server) {
    if (syscall(SYS_pidfd_send_signal, server->pidfd, SIGKILL, NULL, 0) == 0)
        kill(-server->pid, SIGKILL);
}

struct call_server *call_server_open(const struct call_settings *settings) {
    char error[512];

    return server_start(settings, error, sizeof error);
}

/* A killed process may hang on in a device's driver; it must not take us along. In a sandbox the
 * process that we started is gone before those inside are: all that had the socket open are gone
 * when it hangs up. */
void call_server_close(struct call_server *server) {
    if (!server)
        return;
    if (server->pid > 0 && server->pidfd >= 0) {
        struct pollfd end[] = {{.fd = server->pidfd, .events = POLLIN}};
        struct pollfd last[] = {{.fd = server->socket}};
        shutdown(server->socket, SHUT_WR); /* it ends by itself, and bubblewrap takes note */
        if (poll(end, 1, END_MS) <= 0) {
            server_kill(server);
            poll(end, 1, END_MS);
        }
        poll(last, 1, END_MS);
        waitpid(server->pid, NULL, WNOHANG);
    }
    close_fd(&server->pidfd);
    close_fd(&server->socket);
    free(server);
}

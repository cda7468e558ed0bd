/*
 * Starting and ending processes. The fork server gets a clean environment: no seed, no path of
 * ours, no descriptor but its three streams and the socket; by a test framework's own channels a
 * submission could forge results. A fork server that does not report in time that a worker has
 * ended is killed, and the worker with it.
 */
#include "common/call/client/server.h"

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

enum {
    LOWEST_FD = 10,
    MAX_ENVIRONMENT = 8,
    START_MS = 30000,
    END_MS = 2000,
    WORKER_END_MS = 10000,
};

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

/* What is started: the fork server of workers, or of simulators. A GPU's runtime can't be loaded
 * ahead: its context does not survive a fork. */
struct program {
    const struct call_settings *settings;
    const char *path, *library;
    bool is_simulator;
};

/* Starts the server, in its sandbox if it is to have one. The simulator's sees nothing but itself.
 */
static int spawn_in_sandbox(const struct program *program, char *const *environment,
                            const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, pid_t *pid) {
    const struct call_settings *settings = program->settings;
    const struct sandbox_file files[] = {
        {program->path, NULL, false},
        {settings->cudart, NULL, false},
        {settings->submission ? settings->submission : "", NULL, false},
    };
    bool is_gpu = settings->backend == CALL_GPU;
    const struct sandbox sandbox = {
        .files = files,
        .n_files = program->is_simulator ? 1 : sizeof files / sizeof *files,
        .environment = environment,
        .has_gpu = is_gpu,
        .is_server = true,
        .n_processes = 1024, /* threads: the CUDA runtime's, the simulator's, the student's */
        .n_open_files = 1024,
        .memory_bytes = is_gpu ? 16 * GIB : CALL_SIM_MEMORY_BYTES,
        .file_bytes = (is_gpu ? 4 * GIB : GIB / 4),
        .tmp_bytes = GIB / 16,
    };
    char *const argv[] = {(char *)program->path, (char *)program->library, NULL};

    char **command = sandbox_command(&settings->sandbox, &sandbox, argv);
    int error = ENOMEM;

    if (command)
        error = posix_spawn(pid, command[0], actions, attributes, command,
                            (char **)sandbox_environment(&settings->sandbox, &sandbox));
    sandbox_command_free(command);
    return error;
}

static int spawn(const struct program *program, int socket, int output, pid_t *pid) {
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
            error = spawn_in_sandbox(program, environment, &actions, &attributes, pid);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits until the server says that it is ready. False, with what it or the sandbox printed instead.
 */
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

/* Kills the server with all that it started. Its process group is killed by number only where the
 * pidfd shows that the number is still the server's own. */
static void kill_server(const struct call_server *server) {
    if (syscall(SYS_pidfd_send_signal, server->pidfd, SIGKILL, NULL, 0) == 0)
        kill(-server->pid, SIGKILL);
}

/* A server on its way. */
struct start {
    struct call_server *server; /* NULL: no memory */
    int output, failed;         /* what it says meanwhile; an errno */
};

static struct start begin_start(const struct program *program) {
    struct start start = {.server = calloc(1, sizeof *start.server), .output = -1};
    int sockets[2] = {-1, -1}, pipes[2] = {-1, -1};

    if (!start.server)
        return start;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 ||
        pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0 || !raise_fd(&sockets[1]) || !raise_fd(&pipes[1]))
        start.failed = errno;
    else
        start.failed = spawn(program, sockets[1], pipes[1], &start.server->pid);
    close_fd(&sockets[1]);
    close_fd(&pipes[1]);
    start.output = pipes[0];
    start.server->socket = sockets[0];
    start.server->pidfd = start.failed ? -1 : (int)syscall(SYS_pidfd_open, start.server->pid, 0);
    if (!start.failed && start.server->pidfd < 0)
        start.failed = errno;
    return start;
}

/* The server once it is ready. NULL, with a sentence in `error`, where it does not come to that. */
static struct call_server *finish_start(const struct program *program, struct start *start,
                                        char *error, size_t error_bytes) {
    char said[256] = "";

    if (!start->server)
        return NULL;
    bool is_ready = !start->failed && await_ready(start->server, start->output, said, sizeof said);
    close_fd(&start->output);
    if (is_ready)
        return start->server;
    snprintf(error, error_bytes, "the %s %s could not be started: %s",
             program->is_simulator ? "simulator" : "worker", program->path,
             start->failed ? strerror(start->failed)
             : said[0]     ? said
                           : "it said nothing");
    call_server_close(start->server);
    return NULL;
}

/* Both sandboxes are made at the same time. */
struct call_server *server_start(const struct call_settings *settings, char *error,
                                 size_t error_bytes) {
    bool is_sim = settings->backend == CALL_SIM, is_apart = is_sim && settings->simulator;
    const struct program worker = {.settings = settings,
                                   .path = settings->worker,
                                   .library = is_sim ? settings->cudart : NULL};
    const struct program simulator = {
        .settings = settings, .path = settings->simulator, .is_simulator = true};
    struct start first = begin_start(&worker);
    struct start second = {.output = -1};

    if (is_apart)
        second = begin_start(&simulator);
    struct call_server *server = finish_start(&worker, &first, error, error_bytes);
    struct call_server *simulators =
        is_apart ? finish_start(&simulator, &second, error, error_bytes) : NULL;
    if (server && (simulators || !is_apart)) {
        server->simulators = simulators;
        return server;
    }
    call_server_close(server);
    call_server_close(simulators);
    return NULL;
}

bool call_server_is_alive(const struct call_server *server) {
    struct pollfd fds[] = {{.fd = server->pidfd, .events = POLLIN}, {.fd = server->socket}};

    return poll(fds, 2, 0) == 0 &&
           (!server->simulators || call_server_is_alive(server->simulators));
}

struct call_server *call_server_open(const struct call_settings *settings) {
    char error[512];

    return server_start(settings, error, sizeof error);
}

/* No wait is without a limit: a killed process may hang in a device's driver. In a sandbox the
 * process that we started (bubblewrap) ends before those inside do: they have all ended once nobody
 * has the other end of the socket open. */
void call_server_close(struct call_server *server) {
    if (!server)
        return;
    call_server_close(server->simulators);
    if (server->pid > 0 && server->pidfd >= 0) {
        struct pollfd end[] = {{.fd = server->pidfd, .events = POLLIN}};
        struct pollfd last[] = {{.fd = server->socket}};
        shutdown(server->socket, SHUT_WR); /* it ends by itself, and bubblewrap takes note */
        if (poll(end, 1, END_MS) <= 0) {
            kill_server(server);
            poll(end, 1, END_MS);
        }
        poll(last, 1, END_MS);
        waitpid(server->pid, NULL, WNOHANG);
    }
    close_fd(&server->pidfd);
    close_fd(&server->socket);
    free(server);
}

void call_process_init(struct call_process *process) {
    *process = (struct call_process){.socket = -1, .output = -1, .life = -1, .device_life = -1};
}

static void close_all(struct call_process *process) {
    close_fd(&process->socket);
    close_fd(&process->output);
    close_fd(&process->life);
}

/* Has the server fork a worker that gets these descriptors (wire.h). */
static bool ask_for_worker(const struct call_server *server, const int fds[]) {
    struct wire_header start = wire_header_of(WIRE_START, 0);
    size_t n_fds = fds[WIRE_STARTED_LINK] < 0 ? WIRE_STARTED_LINK : WIRE_N_STARTED;

    return wire_send(server->socket, &start, sizeof start, fds, n_fds, 0) == sizeof start;
}

bool call_process_start(struct call_process *process, const struct call_server *server, int link) {
    int sockets[2] = {-1, -1}, pipes[2] = {-1, -1}, lives[2] = {-1, -1};
    bool is_started = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0 &&
                      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lives) == 0 &&
                      pipe2(pipes, O_CLOEXEC) == 0 && fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0;

    is_started = is_started && ask_for_worker(server, (int[]){[WIRE_STARTED_SOCKET] = sockets[1],
                                                              [WIRE_STARTED_OUTPUT] = pipes[1],
                                                              [WIRE_STARTED_LIFE] = lives[1],
                                                              [WIRE_STARTED_LINK] = link});
    int error = errno;
    close_fd(&sockets[1]);
    close_fd(&pipes[1]);
    close_fd(&lives[1]);
    *process = (struct call_process){sockets[0], pipes[0], lives[0], -1};
    if (!is_started)
        close_all(process);
    errno = error;
    return is_started;
}

static bool await(int fd, int limit_ms) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int n;

    while ((n = poll(&wait, 1, limit_ms)) < 0 && errno == EINTR)
        ;
    return n > 0;
}

int call_process_end(struct call_process *process, const struct call_server *server) {
    int status = SIGKILL, said;

    if (process->life >= 0) {
        shutdown(process->life, SHUT_WR);
        if (!await(process->life, WORKER_END_MS))
            kill_server(server);
        else if (recv(process->life, &said, sizeof said, MSG_DONTWAIT) == sizeof said)
            status = said;
    }
    close_all(process);
    return status;
}

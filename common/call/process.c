/*
 * Starting and ending a worker. The client lets go of it by hanging up on its life, which holds
 * also where the client dies; a server that then does not say in time that it is gone is ended
 * itself, and the worker with it.
 */
#include "common/call/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/call/wire.h"

enum { END_MS = 10000 };

void process_init(struct call_process *process) {
    *process = (struct call_process){.socket = -1, .output = -1, .life = -1};
}

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_all(struct call_process *process) {
    close_fd(&process->socket);
    close_fd(&process->output);
    close_fd(&process->life);
}

bool process_start(struct call_process *process, const struct call_server *server) {
    int sockets[2] = {-1, -1}, pipes[2] = {-1, -1}, lives[2] = {-1, -1};
    bool is_started = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0 &&
                      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lives) == 0 &&
                      pipe2(pipes, O_CLOEXEC) == 0 && fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0;

    is_started = is_started && server_fork(server, (int[]){[WIRE_STARTED_SOCKET] = sockets[1],
                                                           [WIRE_STARTED_OUTPUT] = pipes[1],
                                                           [WIRE_STARTED_LIFE] = lives[1]});
    int error = errno;
    close_fd(&sockets[1]);
    close_fd(&pipes[1]);
    close_fd(&lives[1]);
    *process = (struct call_process){sockets[0], pipes[0], lives[0]};
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

int process_end(struct call_process *process, const struct call_server *server) {
    int status = SIGKILL, said;

    if (process->life >= 0) {
        shutdown(process->life, SHUT_WR);
        if (!await(process->life, END_MS))
            server_kill(server);
        else if (recv(process->life, &said, sizeof said, MSG_DONTWAIT) == sizeof said)
            status = said;
    }
    close_all(process);
    return status;
}

/*
 * In a sandbox the fork server is process 1: by the kernel's rules no process inside can kill, stop
 * or trace it, and all inside end with it. After the fork each worker gets a user and limits of its
 * own. Where a worker has left files or System V IPC, the server ends after it: the next worker
 * gets a new sandbox. What the server says of a worker's end is used for the message alone.
 */
#include "common/call/worker/forkserver.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "common/call/wire.h"
#include "common/sandbox/confine.h"

/* The free room of a folder in which workers can write: less, once one left something there. */
struct room {
    fsblkcnt_t blocks;
    fsfilcnt_t files;
};

static const char *const writable[] = {"/tmp", "/dev/shm"};
enum { N_WRITABLE = sizeof writable / sizeof *writable };

#ifdef __SANITIZE_ADDRESS__
/* It looks for leaks by ptrace, which the sandbox refuses: each exit() would be an error. */
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
#endif

struct server {
    struct confine confine;
    struct room room[N_WRITABLE]; /* at first */
    pid_t worker;                 /* 0 for none */
    int pidfd;                    /* of the worker; -1 for none */
    int life;                     /* its life line: the client closes it to end it; -1 for none */
};

static struct room room_in(const char *folder) {
    struct statvfs found;

    if (statvfs(folder, &found) != 0)
        return (struct room){0, 0};
    return (struct room){found.f_bfree, found.f_ffree};
}

/* True where a sandbox's files or its System V IPC are not as at first. */
static bool has_traces(const struct server *server) {
    struct shm_info memory = {0};
    struct seminfo semaphores = {0};
    struct msginfo queues = {0};

    if (getpid() != 1)
        return false; /* these are the machine's */
    for (size_t i = 0; i < N_WRITABLE; i++) {
        struct room now = room_in(writable[i]);
        if (now.blocks != server->room[i].blocks || now.files != server->room[i].files)
            return true;
    }
    shmctl(0, SHM_INFO, (struct shmid_ds *)&memory);
    semctl(0, 0, SEM_INFO, &semaphores);
    msgctl(0, MSG_INFO, (struct msqid_ds *)&queues);
    return memory.used_ids != 0 || semaphores.semusz != 0 || queues.msgpool != 0;
}

static int wait_for(pid_t pid) {
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Sends the client, which may be gone, the wait status of the worker, and forgets the worker. */
static void report_end(struct server *server, int status) {
    ssize_t sent = send(server->life, &status, sizeof status, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)sent;
    close(server->life);
    if (server->pidfd >= 0)
        close(server->pidfd);
    server->worker = 0;
    server->pidfd = server->life = -1;
}

/* Receives a request for a worker, with the worker's descriptors. */
static bool receive(int fds[WIRE_N_STARTED]) {
    struct wire_header header;
    ssize_t got = wire_receive(WIRE_SOCKET, &header, sizeof header, fds, WIRE_N_STARTED);

    return got == sizeof header && header.magic == WIRE_MAGIC && header.version == WIRE_VERSION &&
           header.kind == WIRE_START && fds[WIRE_STARTED_LIFE] >= 0;
}

/* In the child: takes the descriptors, and confines itself. */
static void become_worker(const struct server *server, const int fds[WIRE_N_STARTED]) {
    const int link = fds[WIRE_STARTED_LINK];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(fds[WIRE_STARTED_SOCKET], WIRE_SOCKET);
    dup2(fds[WIRE_STARTED_OUTPUT], 1);
    dup2(fds[WIRE_STARTED_OUTPUT], 2);
    if (link >= 0)
        dup2(link, WIRE_LINK);
    close_range(link >= 0 ? WIRE_LINK + 1 : WIRE_LINK, ~0U, 0);
    const char *failed = confine_apply(&server->confine);
    if (failed) {
        fprintf(stderr, "warpbook-worker: %s: %s\n", failed, strerror(errno));
        _exit(CONFINE_REFUSED);
    }
}

/* Takes one request and forks. True in the worker. Ends the server where the client is gone, or
 * where it can't fork. */
static bool start(struct server *server) {
    int fds[WIRE_N_STARTED];

    if (!receive(fds))
        _exit(0);
    server->worker = fork();
    if (server->worker == 0) {
        become_worker(server, fds);
        return true;
    }
    close(fds[WIRE_STARTED_SOCKET]);
    close(fds[WIRE_STARTED_OUTPUT]);
    if (fds[WIRE_STARTED_LINK] >= 0)
        close(fds[WIRE_STARTED_LINK]);
    server->life = fds[WIRE_STARTED_LIFE];
    if (server->worker < 0)
        _exit(1);
    server->pidfd = (int)syscall(SYS_pidfd_open, server->worker, 0);
    return false;
}

/* Waits for a request, for the client to drop the worker, or for the worker's end: then reaps the
 * worker. True in a new worker. */
static bool serve_once(struct server *server) {
    struct pollfd fds[] = {{.fd = WIRE_SOCKET, .events = POLLIN},
                           {.fd = server->life, .events = POLLIN},
                           {.fd = server->pidfd, .events = POLLIN}};

    if (poll(fds, 3, -1) < 0)
        return false;
    bool has_ended = fds[2].revents != 0;
    if (server->worker > 0 && (fds[0].revents || fds[1].revents || has_ended)) {
        if (!has_ended)
            kill(server->worker, SIGKILL);
        int status = wait_for(server->worker);
        bool is_last = has_traces(server);
        if (is_last)
            close(WIRE_SOCKET); /* before the client can ask for another */
        report_end(server, status);
        if (is_last)
            _exit(0);
    }
    return fds[0].revents && start(server);
}

/* Takes the options up to "--", and the library after it. */
static bool take_arguments(struct server *server, int argc, char **argv, const char **library) {
    int i = 1;

    confine_init(&server->confine);
    while (i < argc && strcmp(argv[i], "--") != 0 && confine_take(&server->confine, argv[i]))
        i++;
    *library = i + 1 < argc ? argv[i + 1] : NULL;
    return i < argc && strcmp(argv[i], "--") == 0;
}

bool forkserver_run(int argc, char **argv, void (*load_ahead)(const char *library)) {
    struct server server = {.pidfd = -1, .life = -1};
    struct wire_header ready = wire_header_of(WIRE_START, 0);
    const char *library;
    int type = 0;
    socklen_t type_bytes = sizeof type;

    if (getsockopt(WIRE_SOCKET, SOL_SOCKET, SO_TYPE, &type, &type_bytes) != 0 ||
        type != SOCK_SEQPACKET || !take_arguments(&server, argc, argv, &library))
        return false;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    confine_prepare(&server.confine);
    if (load_ahead)
        load_ahead(library);
    for (size_t i = 0; i < N_WRITABLE; i++)
        server.room[i] = room_in(writable[i]);
    if (send(WIRE_SOCKET, &ready, sizeof ready, MSG_NOSIGNAL) != sizeof ready)
        return false;
    while (!serve_once(&server))
        ;
    return true;
}

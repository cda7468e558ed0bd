/*
 * In a sandbox the fork server is process 1: by the kernel's rules no process inside can kill, stop
 * or trace it, and all inside end with it. After the fork each worker gets a user and limits of its
 * own. Where a worker has left files or System V IPC, the server ends after it: the next worker
 * gets a new sandbox. What the server says of a worker's end is used for the message alone.
 *
 * The kernel's limit on private memory counts what can be written just now: memory that was filled,
 * and then made read-only, is free of charge (getrlimit(2), RLIMIT_DATA; may_expand_vm in the
 * kernel's mm/mmap.c). So the server also looks at what a worker has in use, and ends one that has
 * more than its limit.
 *
 * A worker that stays says on a socket to the server when it is done with a client, and gets the
 * next one's descriptors there. One that does not say so in time is killed as the others are.
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

enum {
    NEXT_SOCKET = WIRE_LINK + 1, /* of a worker that stays: to the server */
    DONE_MS = 200,               /* in which it is done with a client that is gone */
    LOOK_MS = 100,               /* between looks at its memory */
};

#ifdef __SANITIZE_ADDRESS__
/* It looks for leaks by ptrace, which the sandbox refuses: each exit() would be an error. */
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
#endif

struct server {
    struct confine confine;
    struct room room[N_WRITABLE]; /* at first */
    bool stays;                   /* workers do, for the next client */
    pid_t worker;                 /* 0 for none */
    int pidfd;                    /* of the worker; -1 for none */
    int next;                     /* the other end of its NEXT_SOCKET; -1 for none */
    int life; /* socket of the client, which closes it to end the worker; -1: none */
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

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Sends the client, which may be gone, the wait status of the worker. */
static void report_end(struct server *server, int status) {
    ssize_t sent = send(server->life, &status, sizeof status, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)sent;
    close_fd(&server->life);
}

/* Receives a request for a worker, with the worker's descriptors. */
static bool receive(int socket, int fds[WIRE_N_STARTED]) {
    struct wire_header header;
    ssize_t got = wire_receive(socket, &header, sizeof header, fds, WIRE_N_STARTED);

    return got == sizeof header && header.magic == WIRE_MAGIC && header.version == WIRE_VERSION &&
           header.kind == WIRE_START && fds[WIRE_STARTED_LIFE] >= 0;
}

/* In the worker: puts the descriptors where they belong. */
static void take_places(const int fds[WIRE_N_STARTED]) {
    dup2(fds[WIRE_STARTED_SOCKET], WIRE_SOCKET);
    dup2(fds[WIRE_STARTED_OUTPUT], 1);
    dup2(fds[WIRE_STARTED_OUTPUT], 2);
    if (fds[WIRE_STARTED_LINK] >= 0)
        dup2(fds[WIRE_STARTED_LINK], WIRE_LINK);
    else
        close(WIRE_LINK);
}

/* In the child: takes the descriptors, and confines itself. */
static void become_worker(const struct server *server, const int fds[WIRE_N_STARTED], int next) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    take_places(fds);
    if (next >= 0)
        dup2(next, NEXT_SOCKET);
    close_range(next >= 0 ? NEXT_SOCKET + 1 : WIRE_LINK + 1, ~0U, 0);
    const char *failed = confine_apply(&server->confine);
    if (failed) {
        fprintf(stderr, "warpbook-worker: %s: %s\n", failed, strerror(errno));
        _exit(CONFINE_REFUSED);
    }
}

/* Forks. True in the worker. Ends the server where it can't fork. */
static bool fork_worker(struct server *server, const int fds[WIRE_N_STARTED]) {
    int ends[2] = {-1, -1};

    if (server->stays && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        _exit(1);
    server->worker = fork();
    if (server->worker == 0) {
        become_worker(server, fds, ends[1]);
        return true;
    }
    if (server->worker < 0)
        _exit(1);
    close_fd(&ends[1]);
    server->next = ends[0];
    server->pidfd = (int)syscall(SYS_pidfd_open, server->worker, 0);
    return false;
}

/* Hands a request on to the worker that has stayed. */
static bool hand_on(const struct server *server, const int fds[WIRE_N_STARTED]) {
    struct wire_header start = wire_header_of(WIRE_START, 0);
    size_t n = fds[WIRE_STARTED_LINK] < 0 ? WIRE_STARTED_LINK : WIRE_N_STARTED;

    return wire_send(server->next, &start, sizeof start, fds, n, MSG_DONTWAIT) == sizeof start;
}

/* Ends the worker, if there is one, and reaps it. Where it has left something behind, the server
 * ends, too. */
static void end_worker(struct server *server) {
    if (server->worker == 0)
        return;
    kill(server->worker, SIGKILL);
    int status = wait_for(server->worker);
    bool is_last = has_traces(server);
    if (is_last)
        close(WIRE_SOCKET); /* before the client can ask for another */
    report_end(server, status);
    if (is_last)
        _exit(0);
    server->worker = 0;
    close_fd(&server->pidfd);
    close_fd(&server->next);
}

/* Takes one request. True in a new worker. Ends the server where the client is gone. */
static bool start(struct server *server) {
    int fds[WIRE_N_STARTED];
    bool is_new = false;

    if (!receive(WIRE_SOCKET, fds)) {
        end_worker(server);
        _exit(0);
    }
    if (server->worker == 0 || !hand_on(server, fds)) {
        end_worker(server);
        is_new = fork_worker(server, fds);
    }
    if (is_new)
        return true;
    close(fds[WIRE_STARTED_SOCKET]);
    close(fds[WIRE_STARTED_OUTPUT]);
    close_fd(&fds[WIRE_STARTED_LINK]);
    server->life = fds[WIRE_STARTED_LIFE];
    return false;
}

/* Whether the worker, whose client is gone, stays for the next one. */
static bool is_done(const struct server *server) {
    struct pollfd fd = {.fd = server->next, .events = POLLIN};
    struct wire_header done;

    return server->next >= 0 && poll(&fd, 1, DONE_MS) > 0 &&
           recv(server->next, &done, sizeof done, MSG_DONTWAIT) == sizeof done;
}

/* Bytes in use of a process's private memory; 0 where the kernel does not say. */
static uint64_t bytes_in_use(pid_t pid) {
    unsigned long resident = 0, shared = 0;
    char path[32];

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    bool is_told = fscanf(file, "%*u %lu %lu", &resident, &shared) == 2;
    fclose(file);
    return is_told && resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void watch_memory(const struct server *server) {
    if (bytes_in_use(server->worker) > server->confine.limit[CONFINE_MEMORY])
        kill(server->worker, SIGKILL);
}

/* Waits for a request, for the client to drop the worker, or for the worker's end: then reaps the
 * worker, unless it stays. True in a new worker. */
static bool serve_once(struct server *server) {
    struct pollfd fds[] = {{.fd = WIRE_SOCKET, .events = POLLIN},
                           {.fd = server->life, .events = POLLIN},
                           {.fd = server->pidfd, .events = POLLIN}};

    const bool is_watched = server->worker != 0 && server->confine.is_limited[CONFINE_MEMORY];
    int n = poll(fds, 3, is_watched ? LOOK_MS : -1);

    if (n == 0)
        watch_memory(server);
    if (n <= 0)
        return false;
    bool has_client = server->life >= 0, has_ended = fds[2].revents != 0;
    bool is_over = has_client && (fds[0].revents || fds[1].revents);
    if (is_over && !has_ended && is_done(server))
        report_end(server, 0);
    else if (is_over || has_ended)
        end_worker(server);
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

bool forkserver_run(int argc, char **argv, bool stays, void (*load_ahead)(const char *library)) {
    struct server server = {.stays = stays, .pidfd = -1, .next = -1, .life = -1};
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

bool forkserver_next(void) {
    struct wire_header done = wire_header_of(WIRE_START, 0);
    int fds[WIRE_N_STARTED];

    close(WIRE_SOCKET);
    close(WIRE_LINK);
    if (send(NEXT_SOCKET, &done, sizeof done, MSG_NOSIGNAL) != sizeof done ||
        !receive(NEXT_SOCKET, fds))
        return false;
    take_places(fds);
    close_range(NEXT_SOCKET + 1, ~0U, 0);
    return true;
}

/*
 * In a sandbox the server is process 1, which no process inside can kill, stop or trace: the
 * kernel sees to that, and all inside ends with it. Each worker gets a user and limits of its own
 * after the fork. A worker that leaves anything behind was the last one of its server: the next has
 * another sandbox. What the server says of a worker's end only words a verdict.
 */
#include "common/call/worker/server.h"

#include <dlfcn.h>
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

/* What there is room for where workers can write: less, once one left something. */
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
    int life;                     /* its client's hold on it; -1 for none */
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

/* Tells the client, who may have gone. */
static void bury(struct server *server, int status) {
    ssize_t sent = send(server->life, &status, sizeof status, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)sent;
    close(server->life);
    if (server->pidfd >= 0)
        close(server->pidfd);
    server->worker = 0;
    server->pidfd = server->life = -1;
}

static bool receive(int fds[WIRE_N_STARTED]) {
    union {
        char bytes[CMSG_SPACE(WIRE_N_STARTED * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct wire_header header;
    struct iovec part = {.iov_base = &header, .iov_len = sizeof header};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(WIRE_SOCKET, &packet, MSG_CMSG_CLOEXEC);
    struct cmsghdr *rights = got > 0 ? CMSG_FIRSTHDR(&packet) : NULL;

    if (got != sizeof header || header.magic != WIRE_MAGIC || header.version != WIRE_VERSION ||
        header.kind != WIRE_START || !rights || rights->cmsg_type != SCM_RIGHTS ||
        rights->cmsg_len != CMSG_LEN(WIRE_N_STARTED * sizeof(int)))
        return false;
    memcpy(fds, CMSG_DATA(rights), WIRE_N_STARTED * sizeof(int));
    return true;
}

/* Makes of a fresh child a worker. */
static void become_worker(const struct server *server, const int fds[WIRE_N_STARTED]) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(fds[WIRE_STARTED_SOCKET], WIRE_SOCKET);
    dup2(fds[WIRE_STARTED_OUTPUT], 1);
    dup2(fds[WIRE_STARTED_OUTPUT], 2);
    close_range(WIRE_SOCKET + 1, ~0U, 0);
    const char *failed = confine_apply(&server->confine);
    if (failed) {
        fprintf(stderr, "warpbook-worker: %s: %s\n", failed, strerror(errno));
        _exit(CONFINE_REFUSED);
    }
    prctl(PR_SET_DUMPABLE, 1); /* its own files in /proc are its own; the server's are not */
}

/* Takes one request. True in the worker; ends the server with its client, or where it can't fork.
 */
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
    server->life = fds[WIRE_STARTED_LIFE];
    if (server->worker < 0)
        _exit(1);
    server->pidfd = (int)syscall(SYS_pidfd_open, server->worker, 0);
    return false;
}

/* Waits for what is next. True in a worker. */
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
        bury(server, status);
        if (is_last)
            _exit(0);
    }
    return fds[0].revents && start(server);
}

/* The wishes up to "--", and what comes after it. */
static bool take_words(struct server *server, int argc, char **argv, const char **library) {
    int i = 1;

    confine_init(&server->confine);
    while (i < argc && strcmp(argv[i], "--") != 0 && confine_take(&server->confine, argv[i]))
        i++;
    *library = i + 1 < argc ? argv[i + 1] : NULL;
    return i < argc && strcmp(argv[i], "--") == 0;
}

/* What a worker and its submission would have to load each time. Where that fails, a worker says
 * why. */
static void load_ahead(const char *library) {
    if (library)
        dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL); /* nvcc links it to all that it compiles */
}

bool server_run(int argc, char **argv) {
    struct server server = {.pidfd = -1, .life = -1};
    struct wire_header ready = {.magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_START};
    const char *library;
    int type = 0;
    socklen_t type_bytes = sizeof type;

    if (getsockopt(WIRE_SOCKET, SOL_SOCKET, SO_TYPE, &type, &type_bytes) != 0 ||
        type != SOCK_SEQPACKET || !take_words(&server, argc, argv, &library))
        return false;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    load_ahead(library);
    for (size_t i = 0; i < N_WRITABLE; i++)
        server.room[i] = room_in(writable[i]);
    if (send(WIRE_SOCKET, &ready, sizeof ready, MSG_NOSIGNAL) != sizeof ready)
        return false;
    while (!serve_once(&server))
        ;
    return true;
}

/*
 * Three processes: the one that the client started and watches, the first one of the new PID
 * namespace, which reaps and whose end is everybody's there, and the worker. The first could not be
 * the worker: the kernel keeps signals like abort()'s from it.
 */
#include "common/call/worker/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/call/wire.h"

static bool write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return is_written;
}

/* The same user and group inside, and no other. */
static bool map_user(unsigned user, unsigned group) {
    char users[64], groups[64];

    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    return write_file("/proc/self/uid_map", users) && write_file("/proc/self/setgroups", "deny") &&
           write_file("/proc/self/gid_map", groups);
}

/* Whoever only waits holds nothing open that the client watches. */
static void close_streams(void) {
    for (int fd = 0; fd <= WIRE_SOCKET; fd++)
        close(fd);
}

static int await(pid_t child) {
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Ends this process as another ended. */
static _Noreturn void end_alike(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

/* The first process inside: its exit status can't hold a signal, so the wait status goes by pipe.
 * A child of the worker that outlives its parent comes to this process, too. */
static _Noreturn void reap(pid_t worker, int fd) {
    int status = 0;
    pid_t ended;

    close_streams();
    do
        ended = waitpid(-1, &status, 0);
    while (ended != worker && (ended >= 0 || errno == EINTR));
    _exit(write(fd, &status, sizeof status) == sizeof status ? 0 : 1);
}

/* Inside: /proc shows the processes of this namespace, where it may be mounted; a child goes on. */
static void start_inside(int fd) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    pid_t worker = fork();
    if (worker < 0)
        _exit(1);
    if (worker > 0)
        reap(worker, fd);
    close(fd);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

bool isolate(void) {
    const int spaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS;
    unsigned user = geteuid(), group = getegid();
    int fds[2], status = 0;

    if (pipe2(fds, O_CLOEXEC) != 0)
        return false;
    if (unshare(spaces) != 0) {
        close(fds[0]);
        close(fds[1]);
        return false;
    }
    /* Half inside is no place to be; the client starts another worker without all this. */
    if (!map_user(user, group))
        _exit(1);
    pid_t first = fork();
    if (first < 0)
        _exit(1);
    if (first == 0) {
        close(fds[0]);
        start_inside(fds[1]);
        return true;
    }
    close_streams();
    close(fds[1]);
    ssize_t got = read(fds[0], &status, sizeof status);
    int first_status = await(first);
    end_alike(got == sizeof status ? status : first_status);
}

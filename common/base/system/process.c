/* A process that dies with us, a pidfd to wait by where there is one, a signalfd to be interrupted
 * by: no handler, no global. */
#include "common/base/grow.h"
#include "common/base/system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUT_BYTES = 1 << 20, GRACE_MS = 300, LOOK_MS = 20 };

double process_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int process_interrupts(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool process_is_interrupted(int interrupt_fd) {
    struct pollfd poll_fd = {.fd = interrupt_fd, .events = POLLIN};
    return interrupt_fd >= 0 && poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLIN);
}

char **process_environment(const char *prefix, char *const *more, size_t n) {
    size_t n_own = 0, kept = 0;
    while (environ[n_own])
        n_own++;
    char **list = make_zeroed(n_own + n + 1, sizeof *list);
    for (size_t i = 0; i < n_own; i++) {
        if (strncmp(environ[i], prefix, strlen(prefix)) != 0)
            list[kept++] = environ[i];
    }
    for (size_t i = 0; i < n; i++)
        list[kept++] = more[i];
    return list;
}

/* The next child of our main thread, which is also the one that takes over orphans; 0: no more. */
static pid_t next_child(FILE *children) {
    long pid = 0;
    return children && fscanf(children, "%ld", &pid) == 1 ? (pid_t)pid : 0;
}

static FILE *open_children(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    return fopen(path, "re");
}

void process_end_strays(void) {
    /* Ending one may hand its own children to us: until there are none. */
    for (int round = 0; round < 100; round++) {
        FILE *children = open_children();
        int n = 0;
        for (pid_t pid; (pid = next_child(children)) > 0; n++)
            kill(pid, SIGKILL);
        if (children)
            fclose(children);
        if (n == 0)
            return;
        while (n-- > 0 && waitpid(-1, NULL, 0) > 0)
            continue;
    }
}

/* Reaps orphans that have ended. What we started ourselves, whose end another thread may wait for,
 * is told from them by our session: sandboxes begin one of their own. */
static void reap_orphans(void) {
    FILE *children = open_children();
    for (pid_t pid; (pid = next_child(children)) > 0;) {
        if (getsid(pid) != getsid(0))
            waitpid(pid, NULL, WNOHANG);
    }
    if (children)
        fclose(children);
}

/* The copy stays open in the program; what is not copied has to be told so. */
static void pass_line(const struct process_line *line) {
    if (line && line->its_fd == PROCESS_LINE)
        fcntl(PROCESS_LINE, F_SETFD, 0);
    else if (line)
        dup2(line->its_fd, PROCESS_LINE);
}

/* Becomes the program, after the fork: only what is safe between a fork of threads and an exec.
 * Writes errno to `error_fd` where that fails. */
static _Noreturn void become(const struct process *process, pid_t parent, int out_fd,
                             int error_fd) {
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    /* A grader that is killed leaves nothing running; it may have been before we asked for that. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int in_fd = open("/dev/null", O_RDONLY);
    if (getppid() == parent && in_fd >= 0 && dup2(in_fd, STDIN_FILENO) >= 0 &&
        dup2(out_fd, STDOUT_FILENO) >= 0 && dup2(out_fd, STDERR_FILENO) >= 0) {
        if (in_fd > STDERR_FILENO)
            close(in_fd);
        pass_line(process->line);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(process->path, process->argv, process->envp ? process->envp : environ);
    }
    int error = errno;
    if (write(error_fd, &error, sizeof error) < 0)
        _exit(126); /* we are told of it by the exit status then */
    _exit(127);
}

/* Starts the program in a process group of its own with `out_fd` as stdout and stderr, no stdin and
 * no signal blocked. Returns errno. */
static int spawn(const struct process *process, int out_fd, pid_t *pid) {
    int error_fds[2], error = 0;
    pid_t parent = getpid();
    if (pipe2(error_fds, O_CLOEXEC) != 0)
        return errno;
    *pid = fork();
    if (*pid == 0)
        become(process, parent, out_fd, error_fds[1]);
    if (*pid < 0)
        error = errno;
    close(error_fds[1]);
    /* Until the exec closes the pipe. */
    if (*pid > 0 && read(error_fds[0], &error, sizeof error) == sizeof error)
        waitpid(*pid, NULL, 0);
    close(error_fds[0]);
    return error;
}

/* What a run needs while it waits. */
struct wait {
    pid_t pid;
    int pid_fd; /* readable once it has ended; -1 where the kernel gives none: look at times then */
    int read_fd; /* -1: nothing is captured */
    int line_fd; /* -1: nothing is asked */
    bool has_ended;
};

/* Looks whether it has ended, and leaves it to be reaped. */
static bool has_ended(const struct wait *wait) {
    siginfo_t info = {0};
    int failed = waitid(P_PID, (id_t)wait->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return failed ? errno == ECHILD : info.si_pid == wait->pid;
}

/* Waits for the descriptors, the first of which is `pid_fd`, at most until `end_ms`. */
static int poll_until(const struct wait *wait, struct pollfd *fds, nfds_t n, double end_ms) {
    double left_ms = end_ms - process_clock_ms();
    int limit_ms = left_ms > 0 ? (int)left_ms + 1 : 0;
    return poll(fds, n, wait->pid_fd < 0 && limit_ms > LOOK_MS ? LOOK_MS : limit_ms);
}

/* Takes what is there to read; everything beyond the limit is thrown away. */
static void drain(struct wait *wait, struct process_result *result) {
    char bytes[16384];
    for (;;) {
        ssize_t n = wait->read_fd < 0 ? 0 : read(wait->read_fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            if (wait->read_fd >= 0)
                close(wait->read_fd);
            wait->read_fd = -1;
            return;
        }
        size_t room = OUTPUT_BYTES - result->output_bytes;
        size_t taken = (size_t)n < room ? (size_t)n : room;
        memcpy(result->output + result->output_bytes, bytes, taken);
        result->output_bytes += taken;
    }
}

/* Answers the program. Returns how long that took. */
static double answer(struct wait *wait, const struct process_line *line) {
    double start_ms = process_clock_ms();
    if (!line->answer(line->context))
        wait->line_fd = -1;
    return process_clock_ms() - start_ms;
}

/* Waits until the process has ended, the time is over or an interrupt comes. */
static void wait_until(struct wait *wait, double end_ms, const struct process *process,
                       struct process_result *result) {
    while (!wait->has_ended) {
        struct pollfd fds[4] = {
            {.fd = wait->pid_fd, .events = POLLIN},
            {.fd = wait->read_fd, .events = POLLIN},
            {.fd = process->interrupt_fd, .events = POLLIN},
            {.fd = wait->line_fd, .events = POLLIN},
        };
        if (process_clock_ms() >= end_ms) {
            result->how = PROCESS_TIMED_OUT;
            return;
        }
        if (poll_until(wait, fds, 4, end_ms) < 0 && errno != EINTR)
            return;
        if (fds[1].revents)
            drain(wait, result);
        if (fds[2].revents) {
            result->how = PROCESS_INTERRUPTED;
            return;
        }
        if (fds[3].revents)
            end_ms += answer(wait, process->line);
        wait->has_ended = has_ended(wait);
    }
    result->how = PROCESS_ENDED;
}

/* Ends what is left of the group, politely first where the leader still lives, and reaps it. The
 * group is killed before the leader is reaped, while its number cannot be anybody else's. */
static void finish(struct wait *wait, struct process_result *result) {
    siginfo_t info = {0};
    if (!wait->has_ended) {
        kill(-wait->pid, SIGTERM);
        struct pollfd ended = {.fd = wait->pid_fd, .events = POLLIN};
        for (double end_ms = process_clock_ms() + GRACE_MS;
             !has_ended(wait) && process_clock_ms() < end_ms;)
            poll_until(wait, &ended, 1, end_ms);
    }
    kill(-wait->pid, SIGKILL);
    while (waitid(P_PID, (id_t)wait->pid, &info, WEXITED) != 0 && errno == EINTR)
        continue;
    result->exit_status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    drain(wait, result);
    if (wait->read_fd >= 0)
        close(wait->read_fd);
    if (wait->pid_fd >= 0)
        close(wait->pid_fd);
    reap_orphans();
}

void process_run(const struct process *process, struct process_result *result) {
    *result = (struct process_result){.how = PROCESS_NOT_STARTED};
    double start_ms = process_clock_ms();
    int pipe_fds[2] = {-1, -1}, out_fd = -1;
    result->output = make_zeroed(1, OUTPUT_BYTES + 1);
    if (process->output_path) {
        out_fd = open(process->output_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    } else if (pipe2(pipe_fds, O_CLOEXEC) == 0) {
        fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK);
        out_fd = pipe_fds[1];
    }
    struct wait wait = {
        .pid_fd = -1, .read_fd = pipe_fds[0], .line_fd = process->line ? process->line->fd : -1};
    result->error = out_fd < 0 ? errno : spawn(process, out_fd, &wait.pid);
    if (out_fd >= 0)
        close(out_fd);
    if (result->error == 0) {
        wait.pid_fd = (int)syscall(SYS_pidfd_open, wait.pid, 0);
        wait_until(&wait, start_ms + process->timeout_ms, process, result);
        finish(&wait, result);
    } else if (wait.read_fd >= 0) {
        close(wait.read_fd);
    }
    result->ms = process_clock_ms() - start_ms;
}

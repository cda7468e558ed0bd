/* Programs that end, that don't, and that print too much. */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/system/process.h"
#include "common/base/tests/temporary.h"

static struct process_result run_script(const char *script, int timeout_ms, int interrupt_fd) {
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    struct process process = {
        .path = "/bin/sh", .argv = argv, .timeout_ms = timeout_ms, .interrupt_fd = interrupt_fd};
    struct process_result result;
    process_run(&process, &result);
    return result;
}

Test(process, gives_output_and_exit_status) {
    struct process_result result = run_script("echo out; echo err >&2; exit 3", 5000, -1);
    cr_expect_eq(result.how, PROCESS_ENDED);
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.output, "out\nerr\n");
    free(result.output);
}

Test(process, tells_a_signal_from_an_exit) {
    struct process_result result = run_script("kill -SEGV $$", 5000, -1);
    cr_expect_eq(result.exit_status, 128 + 11);
    free(result.output);
}

Test(process, keeps_a_mebibyte_of_output_and_drains_the_rest) {
    struct process_result result = run_script("head -c 3000000 /dev/zero | tr '\\0' x", 20000, -1);
    cr_expect_eq(result.how, PROCESS_ENDED);
    cr_expect_eq(result.exit_status, 0);
    cr_expect_eq(result.output_bytes, (size_t)1 << 20);
    free(result.output);
}

/* A program's questions, each of which takes a while to answer. */
static struct { int fds[2], n_asked, n_answered; } asked;

enum { ANSWER_MS = 400 };

static bool answer(void *context) {
    char byte;
    if (recv(asked.fds[0], &byte, 1, 0) != 1)
        return false;
    asked.n_asked += byte == *(const char *)context;
    usleep(ANSWER_MS * 1000);
    return send(asked.fds[0], "y", 1, MSG_NOSIGNAL) == 1;
}

static struct process_result run_asking(const char *script, int timeout_ms) {
    char *argv[] = {"bash", "-c", (char *)script, NULL};
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, asked.fds), 0);
    struct process_line line = {asked.fds[0], asked.fds[1], answer, "?"};
    struct process process = {.path = "/bin/bash",
                              .argv = argv,
                              .timeout_ms = timeout_ms,
                              .interrupt_fd = -1,
                              .line = &line};
    struct process_result result;
    process_run(&process, &result);
    return result;
}

/* What was answered, the program has read. */
Test(process, answers_by_a_line_while_the_programs_time_stands_still) {
    struct process_result result =
        run_asking("for i in 1 2 3; do printf '?' >&3; read -r -N1 -u3 word; printf $word; done",
                   ANSWER_MS * 2);
    cr_expect_eq(result.how, PROCESS_ENDED);
    cr_expect_str_eq(result.output, "yyy");
    cr_expect_eq(asked.n_asked, 3);
    cr_expect_geq(result.ms, 3 * ANSWER_MS);
    free(result.output);
    result = run_asking("printf '?' >&3; read -r -N1 -u3 word; printf $word; sleep 60", ANSWER_MS);
    cr_expect_eq(result.how, PROCESS_TIMED_OUT);
    cr_expect_str_eq(result.output, "y");
    free(result.output);
}

Test(process, goes_on_without_a_line_that_its_program_closes) {
    struct process_result result = run_asking("exec 3>&-; sleep 0.3; echo on", 5000);
    cr_expect_eq(result.how, PROCESS_ENDED);
    cr_expect_str_eq(result.output, "on\n");
    free(result.output);
}

/* True once the process is gone, or a zombie; it may need a moment, on a busy machine. */
static bool is_gone(int pid) {
    char script[256];
    snprintf(script, sizeof script,
             "for i in $(seq 100); do test -e /proc/%d || exit 0;"
             " grep -q '^State:.Z' /proc/%d/status && exit 0; sleep 0.1; done; exit 1",
             pid, pid);
    return system(script) == 0;
}

Test(process, ends_what_runs_too_long_with_its_children) {
    char *folder = support_folder(), script[512];
    snprintf(script, sizeof script, "trap '' TERM; sleep 60 & echo $! >%s/pid; sleep 60", folder);
    struct process_result result = run_script(script, 1500, -1);
    cr_expect_eq(result.how, PROCESS_TIMED_OUT);
    snprintf(script, sizeof script, "%s/pid", folder);
    char *pid = support_read(script);
    cr_expect(is_gone(atoi(pid)), "the child %s lives on", pid);
    free(result.output);
    support_remove(folder);
}

/* What the script wrote to a file `pid` of the folder, once it has. */
static int written_pid(const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%s/pid", folder);
    for (;;) {
        char *text = access(path, F_OK) == 0 ? support_read(path) : NULL;
        int pid = text ? atoi(text) : 0;
        free(text);
        if (pid)
            return pid;
        usleep(10000);
    }
}

Test(process, ends_with_a_parent_that_is_killed) {
    char *folder = support_folder(), script[512];
    snprintf(script, sizeof script, "echo $$ >%s/pid; exec sleep 60", folder);
    pid_t grader = fork();
    if (grader == 0) {
        run_script(script, 60000, -1);
        _exit(0);
    }
    int pid = written_pid(folder);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
    cr_expect(is_gone(pid), "%d lives on", pid);
    support_remove(folder);
}

Test(process, reaps_orphans_that_come_to_it) {
    char *folder = support_folder(), script[1024];
    snprintf(
        script, sizeof script,
        "setsid sh -c 'echo $$ >%s/pid; sleep 0.3' & until test -s %s/pid; do sleep 0.01; done",
        folder, folder);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    free(run_script(script, 20000, -1).output);
    int pid = written_pid(folder);
    for (int i = 0; i < 100 && kill(pid, 0) == 0; i++)
        free(run_script("sleep 0.05", 20000, -1).output);
    cr_expect_neq(kill(pid, 0), 0, "%d is a zombie", pid);
    support_remove(folder);
}

/* Has the kernel refuse a system call to this test, as an older one does. */
static void refuse_call(unsigned number) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        cr_skip_test("no filter of system calls can be set here");
}

Test(process, needs_no_pidfd) {
    refuse_call(SYS_pidfd_open);
    struct process_result result = run_script("echo out; exit 3", 20000, -1);
    cr_expect_eq(result.how, PROCESS_ENDED);
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.output, "out\n");
    free(result.output);
    result = run_script("sleep 60", 100, -1);
    cr_expect_eq(result.how, PROCESS_TIMED_OUT);
    free(result.output);
}

Test(process, stops_on_an_interrupt) {
    int interrupt_fd = eventfd(1, EFD_CLOEXEC);
    struct process_result result = run_script("sleep 30", 20000, interrupt_fd);
    cr_expect_eq(result.how, PROCESS_INTERRUPTED);
    cr_expect(process_is_interrupted(interrupt_fd));
    close(interrupt_fd);
    free(result.output);
}

Test(process, says_what_cannot_be_started) {
    char *argv[] = {"nothing", NULL};
    struct process process = {
        .path = "/nonexistent/nothing", .argv = argv, .timeout_ms = 1000, .interrupt_fd = -1};
    struct process_result result;
    process_run(&process, &result);
    cr_expect_eq(result.how, PROCESS_NOT_STARTED);
    cr_expect_neq(result.error, 0);
    free(result.output);
}

/* Programs that end, that don't, and that print too much. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "grader/process.h"
#include "grader/tests/support.h"

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

Test(process, ends_what_runs_too_long_with_its_children) {
    char *folder = support_folder(), script[512];
    snprintf(script, sizeof script, "trap '' TERM; sleep 60 & echo $! >%s/pid; sleep 60", folder);
    struct process_result result = run_script(script, 1500, -1);
    cr_expect_eq(result.how, PROCESS_TIMED_OUT);
    snprintf(script, sizeof script, "%s/pid", folder);
    char *pid = support_read(script);
    /* A killed process may need a moment to be gone, on a busy machine. */
    snprintf(script, sizeof script,
             "for i in $(seq 100); do test -e /proc/%d || exit 0;"
             " grep -q '^State:.Z' /proc/%d/status && exit 0; sleep 0.1; done; exit 1",
             atoi(pid), atoi(pid));
    cr_expect_eq(system(script), 0, "the child %s lives on", pid);
    free(pid);
    free(result.output);
    support_remove(folder);
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

/*
 * What student code may do to its process, and that each has an outcome of its own. After each the
 * same client makes a good call: a failure costs its own call alone.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "common/call/tests/support.h"

enum { SHORT_MS = 400, LONG_MS = 30000 };

/* `function(int *out)` ends with `outcome` and a message that holds `words`. */
static void expect_in(enum call_backend backend, const char *function, int timeout_ms,
                      enum call_outcome outcome, const char *words) {
    struct call_settings settings = support_settings(backend);
    int out[2] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 2, sizeof *out)};

    settings.timeout_ms = timeout_ms;
    struct call_worker *worker = call_open(&settings);
    call_run(worker, function, args, 1, support_anew());
    cr_expect_eq(last.outcome, outcome, "%s: %s, not %s: %s", function,
                 call_outcome_word(last.outcome), call_outcome_word(outcome), last.message);
    cr_expect(strstr(last.message, words), "%s: \"%s\" says nothing of \"%s\"", function,
              last.message, words);

    call_run(worker, "do_nothing", args, 1, support_anew());
    cr_expect_eq(last.outcome, CALL_OK, "after %s: %s", function, last.message);
    call_close(worker);
}

static void expect(const char *function, int timeout_ms, enum call_outcome outcome,
                   const char *words) {
    expect_in(CALL_SIM, function, timeout_ms, outcome, words);
}

Test(failure, names_the_signal_of_a_crash) {
    expect("use_null", LONG_MS, CALL_CRASH, "SIGSEGV");
    expect("use_null", LONG_MS, CALL_CRASH, "null pointer (address 0x40), in use_null+0x");
    expect("fail_assert", LONG_MS, CALL_CRASH, "SIGABRT");
    expect("fail_assert", LONG_MS, CALL_CRASH, "in fail_assert+0x");
    expect("divide_by_zero", LONG_MS, CALL_CRASH, "SIGFPE");
    expect("kill_self", LONG_MS, CALL_CRASH, "SIGKILL");
}

Test(failure, says_that_the_stack_overflowed) {
    expect("overflow_stack", LONG_MS, CALL_CRASH, "the stack overflowed");
}

Test(failure, names_device_memory_that_host_code_touched) {
    expect("touch_device_memory", LONG_MS, CALL_CRASH,
           "host code touched \"out\", which is device memory");
    expect("touch_simulated_memory", LONG_MS, CALL_CRASH,
           "host code touched address 0x300000000000, which is device memory");
    expect_in(CALL_GPU, "touch_device_memory", LONG_MS, CALL_CRASH, "device memory");
}

Test(failure, tells_crash_from_exit) {
    expect("exit_zero", LONG_MS, CALL_EXITED, "status 0");
    expect("quick_exit_three", LONG_MS, CALL_EXITED, "status 3");
}

Test(failure, stops_what_does_not_come_back) {
    expect("spin", SHORT_MS, CALL_TIMEOUT, "within 400 ms");
    expect("ignore_and_spin", SHORT_MS, CALL_TIMEOUT, "within 400 ms");
    expect("stop_self", SHORT_MS, CALL_TIMEOUT, "within 400 ms");
    expect("flood_and_spin", SHORT_MS, CALL_TIMEOUT, "within 400 ms");
    expect("fork_many", SHORT_MS, CALL_TIMEOUT, "within 400 ms");
}

Test(failure, tells_errors_of_cuda_apart) {
    expect("not_written", LONG_MS, CALL_NOT_WRITTEN, "");
    expect("return_error", LONG_MS, CALL_CUDA_ERROR,
           "return_error returned cudaErrorIllegalAddress (an illegal memory access");
    expect("leave_pending", LONG_MS, CALL_CUDA_ERROR, "did not look at was pending");
    expect("leave_pending", LONG_MS, CALL_CUDA_ERROR, "cudaErrorInvalidConfiguration");
}

static void expect_device_error(int error, enum call_outcome outcome, const char *words) {
    int out[1];
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 1, sizeof *out),
                              support_i32(error)};
    struct call_worker *worker = support_open(CALL_SIM);

    call_run(worker, "fail_on_device", args, 2, support_anew());
    cr_expect_eq(last.outcome, outcome, "%d: %s", error, last.message);
    cr_expect_eq(last.cuda_error, error);
    cr_expect(strstr(last.message, words), "%s", last.message);
    /* The error sticks to the process; the next call has another. */
    call_run(worker, "do_nothing", args, 1, support_anew());
    cr_expect_eq(last.outcome, CALL_OK, "%s", last.message);
    call_close(worker);
}

Test(failure, tells_errors_of_the_device_apart) {
    expect_device_error(700, CALL_CUDA_ERROR, "illegal memory access");
    expect_device_error(2, CALL_OUT_OF_MEMORY, "cudaErrorMemoryAllocation");
    expect_device_error(801, CALL_UNSUPPORTED, "kernel.cu:7: the instruction wgmma");
    expect_device_error(702, CALL_TIMEOUT, "");
}

Test(failure, bounds_host_memory) {
#ifndef __SANITIZE_ADDRESS__
    expect("eat_memory", LONG_MS, CALL_OUT_OF_MEMORY, "used up the memory");
    expect("hide_memory", LONG_MS, CALL_CRASH, "SIGKILL");
#endif
}

Test(failure, says_when_the_device_has_no_room_for_the_buffers) {
    struct call_worker *worker = support_open(CALL_GPU);
    struct call_arg args[] = {
        support_buffer(CALL_ARG_SCRATCH, "scratch", NULL, (size_t)1 << 40, 4)};

    call_run(worker, "do_nothing", args, 1, support_anew());
    cr_expect_eq(last.outcome, CALL_OUT_OF_MEMORY, "%s", last.message);
    call_close(worker);
}

Test(failure, refuses_arguments_that_have_no_size) {
    struct call_worker *worker = support_open(CALL_SIM);
    struct call_arg rows[] = {support_buffer(CALL_ARG_OUT, "x", NULL, 4, 4),
                              support_buffer(CALL_ARG_OUT, "x", rows, 4, 0),
                              support_buffer(CALL_ARG_OUT, "x", rows, SIZE_MAX / 2, 16),
                              support_buffer(CALL_ARG_OUT, "x", rows, SIZE_MAX / 2, 1)};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        call_run(worker, "do_nothing", &rows[i], 1, support_anew());
        cr_expect_eq(last.outcome, CALL_INFRASTRUCTURE, "row %zu: %s", i, last.message);
    }
    call_close(worker);
}

Test(failure, takes_nothing_that_student_code_sends) {
    expect("send_own_answer", LONG_MS, CALL_PROTOCOL, "message that can't be right");
    expect("close_all", LONG_MS, CALL_PROTOCOL, "closed its connection");
}

Test(failure, bounds_what_is_printed) {
    struct call_worker *worker = support_open(CALL_SIM);
    struct call_arg args[] = {support_size(20 << 20)};

    call_run(worker, "flood", args, 1, support_anew());
    cr_expect_eq(last.outcome, CALL_OK, "%s", last.message);
    cr_expect_eq(strlen(last.output), CALL_OUTPUT_BYTES);
    cr_expect_eq(last.output_dropped, (20 << 20) - CALL_OUTPUT_BYTES, "%zu", last.output_dropped);
    call_close(worker);
}

Test(failure, makes_what_is_printed_safe_to_quote) {
    cr_expect_eq(support_call(CALL_SIM, "print_escapes", LONG_MS, support_anew()), CALL_OK);
    cr_expect_str_eq(last.output, "?[2J?[1mPASS??\xc3\xa9");
    cr_expect_eq(support_call(CALL_SIM, "print_and_crash", LONG_MS, support_anew()), CALL_CRASH);
    cr_expect_str_eq(last.output, "before the end\n");
    cr_expect_eq(support_call(CALL_SIM, "close_streams", LONG_MS, support_anew()), CALL_OK);
}

Test(failure, lets_student_code_start_no_process) {
    struct call_worker *worker = support_open(CALL_SIM);

    cr_expect_eq(support_host(worker, "fork_and_return"), EPERM);
    call_close(worker);
}

Test(failure, signals_nobody_outside) {
    support_need_sandbox();
    expect("kill_all", LONG_MS, CALL_OK, "");
}

Test(failure, shows_the_worker_nothing_of_ours) {
    struct call_settings settings = support_settings(CALL_SIM);

    cr_assert_eq(clearenv(), 0);
    setenv("WARPBOOK_SEED", "0123456789abcdef", 1);
    setenv("HOME", "/nowhere", 1);
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    struct call_worker *worker = call_open(&settings);
    char host[256] = "";
    struct call_arg args[] = {support_buffer(CALL_ARG_HOST_OUT, "host", host, sizeof host, 1),
                              support_size(sizeof host)};

    call_run(worker, "show_environment", args, 2, support_anew());
    cr_expect_eq(last.outcome, CALL_OK, "%s", last.message);
    cr_expect_eq(strncmp(host, "CUDA_VISIBLE_DEVICES;CUDA_MODULE_LOADING;", sizeof host), 0,
                 "%.200s", host);
    cr_expect_eq(support_host(worker, "count_descriptors"), 4, "three streams and the socket");
    call_close(worker);
}

static void expect_settings(const struct call_settings *settings, enum call_outcome outcome,
                            const char *words) {
    struct call_worker *worker = call_open(settings);

    call_run(worker, "do_nothing", NULL, 0, support_anew());
    cr_expect_eq(last.outcome, outcome, "%s", last.message);
    cr_expect(strstr(last.message, words), "%s", last.message);
    call_close(worker);
}

Test(failure, tells_its_own_failures_from_the_student_s) {
    struct call_settings settings = support_settings(CALL_SIM);

    settings.submission = "/nowhere/submission.so";
    expect_settings(&settings, CALL_LOAD_FAILED, "cannot open shared object file");
    settings.submission = getenv("CALL_TEST_WORKER");
    expect_settings(&settings, CALL_LOAD_FAILED, "");
    settings.submission = getenv("CALL_TEST_BLAS");
    expect_settings(&settings, CALL_LOAD_FAILED,
                    "undefined symbol: cublasCreate_v2. It belongs to cuBLAS, which labs are not");
    settings.cudart = "/nowhere/libcudart.so.13";
    expect_settings(&settings, CALL_INFRASTRUCTURE, "CUDA runtime could not be loaded");
    settings.cudart = getenv("CALL_TEST_SUBMISSION");
    expect_settings(&settings, CALL_INFRASTRUCTURE, "CUDA runtime");
    settings.worker = "/nowhere/worker";
    expect_settings(&settings, CALL_INFRASTRUCTURE, "No such file");
    settings.worker = "/bin/true";
    expect_settings(&settings, CALL_INFRASTRUCTURE, "could not be started");
}

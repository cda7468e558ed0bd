/*
 * Under what conditions the simulator runs a call, and what it tells of the call beside its
 * findings: with real kernels, as test_kernels.c has them.
 */
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/call/client/server.h"
#include "common/call/tests/support.h"

/* Calls `function(int *out)`. */
static enum call_outcome call(struct call_worker *worker, const char *function) {
    int out[4];
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 4, sizeof *out)};

    return call_run(worker, function, args, 1, support_anew());
}

/* A call of a function of which that call of its own is refused: what it was, and the error. */
static void refuse(struct call_worker *worker, const char *function, unsigned number,
                   enum simt_refusable what, int error) {
    call_under(worker, &(struct call_conditions){.refused = number});
    cr_expect_eq(call(worker, function) == CALL_OK, error == 0, "%s", last.message);
    cr_expect_eq(last.returned, error);
    cr_expect_eq(last.refusal.what, what);
    cr_expect_eq(last.refusal.error, error);
}

Test(conditions, an_allocation_a_launch_a_fill_or_a_stream_is_refused) {
    enum { INVALID_VALUE = 1, MEMORY_ALLOCATION = 2, OUT_OF_RESOURCES = 701 };
    struct call_worker *worker = support_open(CALL_SIM);

    refuse(worker, "keep_memory", 1, SIMT_ALLOCATION, MEMORY_ALLOCATION);
    cr_expect_eq(last.kept_allocations, 0);
    cr_expect_eq(last.refusal.n_failed, 0, "an allocation is no launch");
    refuse(worker, "keep_memory", 2, SIMT_LAUNCH, OUT_OF_RESOURCES);
    cr_expect_eq(last.refusal.n_calls, 2);
    cr_expect_eq(last.refusal.n_failed, 1);
    refuse(worker, "keep_memory", 3, SIMT_NO_CALL, 0);
    refuse(worker, "clear_only", 1, SIMT_FILL, INVALID_VALUE);
    refuse(worker, "tell_place", 2, SIMT_NO_CALL, 0);
    refuse(worker, "make_objects", 1, SIMT_OBJECT, MEMORY_ALLOCATION);
    refuse(worker, "make_objects", 2, SIMT_OBJECT, MEMORY_ALLOCATION);
    refuse(worker, "make_objects", 3, SIMT_NO_CALL, 0);
    call_close(worker);
}

/* How a call ends whose launch, its call of this number, is refused, and the one after it. */
static void refuse_and_go_on(const char *function, unsigned number, enum call_outcome next) {
    struct call_worker *worker = support_open(CALL_SIM);

    call_under(worker, &(struct call_conditions){.refused = number});
    cr_expect_eq(call(worker, function), CALL_CUDA_ERROR);
    cr_expect_eq(last.returned, 701);
    call_under(worker, &(struct call_conditions){.refused = 0});
    cr_expect_eq(call(worker, function), next, "%s: %s", function, last.message);
    cr_expect_eq(last.returned, next == CALL_OK ? 0 : 701);
    cr_expect_eq(call(worker, function), CALL_OK, "%s: %s", function, last.message);
    call_close(worker);
}

Test(conditions, an_error_that_a_function_leaves_pending_meets_its_next_call) {
    refuse_and_go_on("peek_at_error", 1, CALL_CUDA_ERROR);
    refuse_and_go_on("keep_memory", 2, CALL_OK);
    refuse_and_go_on("return_what_the_launch_says", 1, CALL_OK);
}

Test(conditions, memory_that_stays_allocated_is_counted) {
    struct call_worker *worker = support_open(CALL_SIM);

    for (int i = 0; i < 2; i++) {
        cr_expect_eq(call(worker, "keep_memory"), CALL_OK);
        cr_expect_eq(last.kept_allocations, 1);
        cr_expect_eq(last.kept_bytes, 400);
    }
    cr_expect_eq(call(worker, "tell_place"), CALL_OK);
    cr_expect_eq(last.kept_allocations, 0, "what was there before is not the call's");
    call_close(worker);
}

Test(conditions, a_call_whose_kernels_store_nothing_is_idle) {
    struct call_worker *worker = support_open(CALL_SIM);

    cr_expect_eq(call(worker, "clear_only"), CALL_OK);
    cr_expect(last.is_idle);
    cr_expect_eq(call(worker, "tell_place"), CALL_OK);
    cr_expect(!last.is_idle);
    call_close(worker);
}

static uint64_t place_of(struct call_worker *worker, size_t n) {
    uint64_t out[64] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, n, sizeof *out)};

    cr_assert_eq(call_run(worker, "tell_place", args, 1, support_anew()), CALL_OK, "%s",
                 last.message);
    return out[0];
}

Test(conditions, buffers_of_one_size_lie_at_one_place) {
    struct call_worker *worker = support_open(CALL_SIM);
    uint64_t first = place_of(worker, 8);

    cr_expect_neq(place_of(worker, 8), first, "a pointer that was kept must not be right again");
    call_under(worker, &(struct call_conditions){.same_places = true});
    first = place_of(worker, 8);
    cr_expect_eq(place_of(worker, 8), first);
    cr_expect_neq(place_of(worker, 16), first);
    call_close(worker);
}

Test(conditions, work_that_does_not_wait_for_the_default_stream_is_found) {
    struct call_worker *worker = support_open(CALL_SIM);
    int in[8] = {0}, out[8];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 8, sizeof *in), support_size(8),
                              support_buffer(CALL_ARG_OUT, "out", out, 8, sizeof *out)};

    call_run(worker, "add_one", args, 3, support_anew());
    cr_expect_null(last.report, "%s", last.report);
    call_run(worker, "add_one_elsewhere", args, 3, support_anew());
    cr_assert_not_null(last.report);
    cr_expect_not_null(strstr(last.report, "orders their streams"), "%s", last.report);
    call_close(worker);
}

Test(conditions, an_order_that_is_drawn_gives_the_same) {
    struct call_worker *worker = support_open(CALL_SIM);

    for (uint64_t seed = 1; seed <= 4; seed++) {
        call_under(worker, &(struct call_conditions){.schedule = seed});
        cr_expect_neq(place_of(worker, 8), 0);
    }
    call_close(worker);
}

/* The process in which the server's simulator is: the last of those that its first one started. */
static pid_t simulator_of(const struct call_server *server) {
    pid_t pid = server->simulators->pid;

    for (bool is_last = false; !is_last;) {
        char path[64];
        int child;
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
        FILE *file = fopen(path, "r");
        is_last = !file || fscanf(file, "%d", &child) != 1;
        pid = is_last ? pid : child;
        if (file)
            fclose(file);
    }
    return pid;
}

/* What a worker of its own finds: where buffers lie, what is left, what nobody has written. */
static uint64_t use_simulator(const struct call_settings *settings) {
    struct call_worker *worker = call_open(settings);
    int scratch[2], out[4];
    struct call_arg args[] = {
        support_buffer(CALL_ARG_SCRATCH, "scratch", scratch, 2, sizeof *scratch),
        support_buffer(CALL_ARG_OUT, "out", out, 4, sizeof *out)};
    uint64_t place = place_of(worker, 8);

    cr_expect_eq(last.kept_allocations, 0);
    cr_expect_null(last.report, "%s", last.report);
    cr_expect_eq(call(worker, "keep_memory"), CALL_OK);
    cr_expect_eq(last.kept_allocations, 1);
    call_run(worker, "read_scratch", args, 2, support_anew());
    cr_assert_not_null(last.report);
    cr_expect_not_null(strstr(last.report, "uninitialised"), "%s", last.report);
    call_close(worker);
    return place;
}

Test(conditions, a_simulator_that_stays_is_as_new) {
    struct call_settings settings = support_settings(CALL_SIM);
    struct call_server *server = settings.server = call_server_open(&settings);

    cr_assert_not_null(server);
    pid_t forker = simulator_of(server);
    uint64_t place = use_simulator(&settings);
    pid_t simulator = simulator_of(server);
    cr_assert_neq(simulator, forker);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(use_simulator(&settings), place);
    cr_expect_eq(simulator_of(server), simulator, "it has stayed");
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, simulator, 0), .events = POLLIN};
    cr_assert_eq(kill(simulator, SIGKILL), 0);
    cr_assert_eq(poll(&end, 1, 20000), 1);
    close(end.fd);
    cr_expect_eq(use_simulator(&settings), place);
    cr_expect_neq(simulator_of(server), simulator, "it is replaced once it has ended");
    call_server_close(server);
}

/* As a machine without memory does: no student's code can. */
static void kill_later(pid_t victim) {
    cr_assert_geq(victim, 0);
    if (fork() == 0) {
        usleep(300000);
        kill(victim, SIGKILL);
        _exit(0);
    }
}

Test(conditions, a_simulator_that_is_killed_is_not_the_kernels_time_out) {
    struct call_settings settings = support_settings(CALL_SIM);
    struct call_server *server = settings.server = call_server_open(&settings);

    cr_assert_not_null(server);
    settings.timeout_ms = 20000;
    use_simulator(&settings);
    kill_later(simulator_of(server));
    struct call_worker *worker = call_open(&settings);
    cr_expect_eq(call(worker, "run_for_ever"), CALL_CRASH, "%s", last.message);
    cr_expect_eq(last.signal, SIGKILL);
    cr_expect_not_null(strstr(last.message, "the machine ran out of memory"), "%s", last.message);
    call_close(worker);
    call_server_close(server);
}

Test(conditions, a_simulator_whose_kernel_never_ends_is_none_for_the_next_worker) {
    struct call_settings settings = support_settings(CALL_SIM);
    struct call_server *server = settings.server = call_server_open(&settings);
    struct call_worker *worker;

    cr_assert_not_null(server);
    settings.timeout_ms = 200;
    worker = call_open(&settings);
    cr_expect_eq(call(worker, "run_for_ever"), CALL_TIMEOUT, "%s", last.message);
    call_close(worker);
    cr_expect_neq(use_simulator(&settings), 0);
    cr_expect(call_server_is_alive(server));
    call_server_close(server);
}

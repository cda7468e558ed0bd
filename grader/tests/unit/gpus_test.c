/* Turns on GPUs that need not be there. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/machine/gpus.h"
#include "grader/tests/support.h"

static struct gpus gpus;

static void pretend_gpus(const char *locks) {
    gpus = (struct gpus){
        .n = 1, .folder = locks, .uuids = {"GPU-1", "GPU-2"}, .turns = GPU_TURNS_FREE};
}

FOLDER_SUITE(gpus, pretend_gpus(folder));

/* A descriptor that always says "stop": who would have to wait, is told. */
static int stopped(void) {
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "", 1), 1);
    return fds[0];
}

static bool is_free(enum gpus_kind kind) {
    struct gpus_turn turn;
    bool taken = gpus_take(&gpus, kind, stopped(), &turn);
    gpus_give(&turn);
    return taken;
}

Test(gpus, are_shared_but_by_who_measures) {
    struct gpus_turn one, other;
    cr_assert(gpus_take(&gpus, GPUS_SHARED, -1, &one));
    cr_assert(gpus_take(&gpus, GPUS_SHARED, -1, &other));
    cr_expect_not(is_free(GPUS_ALONE));
    gpus_give(&one);
    cr_expect_not(is_free(GPUS_ALONE));
    gpus_give(&other);
    cr_assert(gpus_take(&gpus, GPUS_ALONE, -1, &one));
    cr_expect_not(is_free(GPUS_ALONE));
    cr_expect_not(is_free(GPUS_SHARED));
    gpus_give(&one);
    cr_expect(is_free(GPUS_ALONE));
}

Test(gpus, are_measured_on_one_each) {
    struct gpus_turn one, other;
    gpus.n = 2;
    cr_assert(gpus_take(&gpus, GPUS_ALONE, -1, &one));
    cr_assert(gpus_take(&gpus, GPUS_ALONE, -1, &other));
    cr_expect_str_neq(one.uuid, other.uuid);
    cr_expect_not(is_free(GPUS_SHARED));
    gpus_give(&one);
    cr_expect(is_free(GPUS_SHARED));
    gpus_give(&other);
}

Test(gpus, let_nobody_overtake_who_waits_to_be_alone) {
    struct gpus_turn shared, alone;
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    cr_assert(gpus_take(&gpus, GPUS_SHARED, -1, &shared));
    pid_t child = fork();
    if (child == 0) {
        gpus_give(&shared); /* the parent still has it */
        bool taken = gpus_take(&gpus, GPUS_ALONE, -1, &alone);
        _exit(taken && write(fds[1], "", 1) == 1 ? 0 : 1);
    }
    while (is_free(GPUS_SHARED)) /* until the child is at the gate */
        usleep(1000);
    gpus_give(&shared);
    char byte;
    cr_expect_eq(read(fds[0], &byte, 1), 1);
    waitpid(child, NULL, 0);
    cr_expect(is_free(GPUS_ALONE));
}

Test(gpus, are_free_again_when_their_holder_is_killed) {
    int fds[2];
    char byte;
    cr_assert_eq(pipe(fds), 0);
    pid_t child = fork();
    if (child == 0) {
        struct gpus_turn turn;
        if (gpus_take(&gpus, GPUS_ALONE, -1, &turn) && write(fds[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    cr_assert_eq(read(fds[0], &byte, 1), 1);
    cr_expect_not(is_free(GPUS_SHARED));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    cr_expect(is_free(GPUS_ALONE));
}

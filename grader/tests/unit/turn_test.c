/* Turns of test programs on a GPU that need not be there: shell scripts stand in for them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/grade/turn.h"
#include "grader/tests/support.h"

static struct grading grading;

static void pretend_gpu(const char *locks) {
    grading = (struct grading){
        .gpus = {.n = 1, .folder = locks, .uuids = {"GPU-1"}, .turns = GPU_TURNS_FREE}};
    pthread_rwlock_init(&grading.machine, NULL);
}

FOLDER_SUITE(turn, pretend_gpu(folder));

static const struct turn_wish tests = {.wants_gpu = true, .jobs = 1};
static const struct turn_wish speed = {.wants_gpu = true, .is_speed = true, .jobs = 1};
static const struct turn_wish on_simulator = {.jobs = 1};
static const struct turn_wish all_cores = {.wants_gpu = true, .jobs = 4};
static const struct turn_wish last_try = {.wants_gpu = true, .is_last_try = true, .jobs = 1};

static struct run_request request = {.interrupt_fd = -1};
static struct diag diag;

static void take(const struct turn_wish *wish, struct turn *turn) {
    cr_assert_eq(turn_take(&grading, wish, &request, turn, &diag), GRADER_OK, "%s", diag.message);
}

/* Runs the script with the line of the turn; what it printed. */
static char *run(const char *script) {
    char *argv[] = {"bash", "-c", (char *)script, NULL};
    struct process process = {.path = "/bin/bash",
                              .argv = argv,
                              .timeout_ms = 5000,
                              .interrupt_fd = -1,
                              .line = request.line};
    struct process_result result;
    process_run(&process, &result);
    return result.output;
}

static const struct gpu_use *use(void) {
    return &grading.gpus.turns.uses[0];
}

/* A byte 0 is read as nothing, by which bash says 0. */
#define AWAIT     "IFS= read -r -d '' -n1 -u3; printf %s $?; "
#define ASK       "printf w >&3; " AWAIT
#define ASK_ALONE "printf a >&3; " AWAIT

Test(turn, of_tests_begins_once_the_program_asks) {
    struct turn turn;
    take(&tests, &turn);
    cr_expect_str_eq(request.gpu, "GPU-1");
    cr_expect_eq(use()->n_shared, 0, "it makes its context");
    OWNED char *said = run(ASK);
    cr_expect_str_eq(said, "0");
    cr_expect_eq(use()->n_shared, 1);
    cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
    cr_expect_eq(use()->n_shared + use()->n_here[GPUS_SHARED], 0);
}

Test(turn, of_speed_is_had_alone_and_may_be_given_back_early) {
    struct turn turn, other;
    take(&speed, &turn);
    OWNED char *said = run(ASK_ALONE ASK_ALONE);
    cr_expect_str_eq(said, "00", "who is in may ask again");
    cr_expect(use()->is_alone);
    OWNED char *more = run("printf d >&3; sleep 0.2");
    cr_expect_not(use()->is_alone);
    const struct run_request first = request;
    take(&speed, &other);
    cr_expect_eq(turn_give(&other, &diag), GRADER_OK);
    request = first;
    OWNED char *again = run("printf d >&3; " ASK_ALONE);
    cr_expect_str_eq(again, "0");
    cr_expect(use()->is_alone, "another process of it may go in later");
    OWNED char *shared = run("printf d >&3; " ASK);
    cr_expect_str_eq(shared, "0");
    cr_expect(!use()->is_alone && use()->n_shared == 1, "or beside others");
    cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
}

Test(turn, of_tests_goes_on_to_one_of_speed) {
    struct turn turn;
    take(&tests, &turn);
    OWNED char *said = run(ASK "printf d >&3; " ASK_ALONE);
    cr_expect_str_eq(said, "00");
    cr_expect(use()->is_alone);
    cr_expect_eq(use()->n_shared, 0);
    cr_expect_eq(use()->n_here[GPUS_SHARED], 0);
    cr_expect_eq(use()->n_here[GPUS_ALONE], 1);
    cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
    cr_expect_not(use()->is_alone);
    cr_expect_eq(use()->n_here[GPUS_ALONE], 0);
}

Test(turn, is_there_at_once_for_who_has_the_machine_alone) {
    const struct turn_wish *const wishes[] = {&all_cores, &last_try};
    struct turn turn;
    for (size_t i = 0; i < 2; i++) {
        take(wishes[i], &turn);
        cr_expect(use()->is_alone == (wishes[i] == &last_try) &&
                  use()->n_shared == (wishes[i] == &all_cores));
        cr_expect_neq(pthread_rwlock_tryrdlock(&grading.machine), 0);
        cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
    }
    cr_expect_eq(pthread_rwlock_tryrdlock(&grading.machine), 0);
}

Test(turn, of_several_tests_at_once_ends_with_their_last_on_the_gpu) {
    struct turn turn;
    take(&all_cores, &turn);
    OWNED char *said = run(ASK ASK "printf d >&3; sleep 0.2");
    cr_expect_str_eq(said, "00", "two processes may be there");
    cr_expect_eq(use()->n_shared, 0);
    cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
}

Test(turn, of_the_last_try_lasts_to_its_end) {
    struct turn turn;
    take(&last_try, &turn);
    cr_expect_null(request.line);
    cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
}

Test(turn, on_the_simulator_needs_no_gpu) {
    struct turn gpu, turn;
    take(&last_try, &gpu);
    pthread_rwlock_unlock(&grading.machine); /* as if it had this alone */
    take(&on_simulator, &turn);
    cr_expect_null(request.gpu);
    cr_expect_null(request.line);
    cr_expect_eq(turn_give(&turn, &diag), GRADER_OK);
}

Test(turn, is_refused_where_there_is_no_lock) {
    struct turn turn;
    grading.gpus.folder = "/nowhere";
    cr_expect_eq(turn_take(&grading, &last_try, &request, &turn, &diag), GRADER_FAILED);
    cr_expect_not_null(strstr(diag.message, "no lock for a GPU"));
    take(&tests, &turn);
    OWNED char *said = run(ASK);
    cr_expect_str_eq(said, "1");
    cr_expect_eq(turn_give(&turn, &diag), GRADER_FAILED);
    cr_expect_eq(pthread_rwlock_trywrlock(&grading.machine), 0, "nothing is held");
    cr_expect_eq(use()->n_here[GPUS_SHARED] + use()->n_here[GPUS_ALONE], 0);
}

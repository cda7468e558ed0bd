/*
 * Runs the tests of a lab's program, in place of Criterion's runner: that starts the program anew
 * for each test, which costs more than what most of them do. Here each test on the simulator is a
 * process made by fork, and its workers come from a fork server that was started before it. Tests
 * on a GPU wait in a queue for a few processes, each of which reuses its worker.
 *
 *   tests [--quiet] [-jN] [--filter=PATTERN] [--list]
 *
 * The options are Criterion's. The tests are, too, and found where it finds its tests; but of its
 * functions there are only those that `Test` needs: a lab's test says what is wrong by lab.h.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/experiment/experiment.h"
#include "common/harness/run/runner.h"

enum { EXIT_USAGE = 2 };

/* What `Test` calls around a test. */
void criterion_internal_test_setup(void) {
}

void criterion_internal_test_main(void (*test)(void)) {
    test();
}

void criterion_internal_test_teardown(void) {
}

static void start_test(struct slot *slot, const struct criterion_test *test) {
    slot_have_server(slot, test->category);
    if (!slot_start(slot, test->category, test->name))
        return;
    test->test();
    run_end();
}

/* The linker's names of the section in which Criterion's `Test` leaves a pointer to each test. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];

static bool is_meant(const struct runner *runner, const struct criterion_test *test) {
    char name[256];

    snprintf(name, sizeof name, "%s/%s", test->category, test->name);
    return !runner->filter || fnmatch(runner->filter, name, FNM_EXTMATCH) == 0;
}

/* Starts a tier's tests; those on a GPU go to the queue. */
static void start_tier(struct runner *runner, const char *tier) {
    bool is_on_gpu = runner->is_gpu && lab_settings_backend(&runner->settings, tier) == CALL_GPU;
    struct gpu_queue *queue = &runner->queue;

    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        if (strcmp((*test)->category, tier) != 0 || !is_meant(runner, *test))
            continue;
        runner->n_judged += strcmp(tier, "speed") != 0;
        if (runner->is_list)
            printf("%s.%s\n", (*test)->category, (*test)->name);
        else if (is_on_gpu && queue->n < MAX_TESTS)
            gpu_queue_add(queue, *test);
        else
            start_test(slots_free(runner), *test);
    }
}

/* Adds a tier's tests to the experiments. */
static void add_tier(const struct runner *runner, const char *tier) {
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
        if (strcmp((*test)->category, tier) == 0 && is_meant(runner, *test))
            (*test)->test();
}

/* Looks for the causes of the failures in a process of its own. */
static void run_experiments(struct runner *runner) {
    struct slot *slot = slots_free(runner);
    struct lab_settings settings = runner->settings;

    slot_have_server(slot, "safety");
    if (!slot_start(slot, "experiments", "all")) {
        run_finish(runner);
        return;
    }
    settings.server = run_here.server;
    settings.workers = &run_here.workers;
    run_here.experiments = lab_experiments_open(&settings);
    if (!run_here.experiments)
        exit(EXIT_FAILURE);
    add_tier(runner, "example");
    add_tier(runner, "edge");
    add_tier(runner, "safety");
    add_tier(runner, "technique");
    lab_experiments_run(run_here.experiments);
    lab_experiments_close(run_here.experiments);
    run_end();
}

/* True where a test of this program, or of one before it, has noted such calls. */
static bool has_idle_calls(void) {
    struct lab_settings settings;
    char why[256];

    return lab_settings_read(&settings, why, sizeof why) && settings.has_idle_calls;
}

/* A GPU does not say whether kernels did the work. Where the simulator saw that they did not in its
 * own tests, those that passed on the GPU, in this program or in one before it, are run there as
 * well. */
static void look_at_hosts_work(struct runner *runner) {
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        const char *tier = (*test)->category;
        if (strcmp(tier, "example") == 0 || strcmp(tier, "edge") == 0)
            look_start(runner, *test, NULL);
    }
    run_finish(runner);
}

/* Simple tests first: there a kernel that never ends costs least. Speed is measured last, one test
 * at a time; where one process has all tests on the GPU, in the same context, since to make one
 * costs more than most of what is done with it. */
static void run_all(struct runner *runner) {
    bool is_one_process = runner->jobs == 1 && runner->settings.turn_fd >= 0;

    start_tier(runner, "example");
    start_tier(runner, "edge");
    if (is_one_process)
        start_tier(runner, "speed");
    gpu_queue_start(runner, MAX_GPU_PROCESSES);
    start_tier(runner, "safety");
    start_tier(runner, "technique");
    run_finish(runner);
    gpu_queue_look_again(runner);
    if (runner->is_gpu && runner->n_judged > 0 && has_idle_calls())
        look_at_hosts_work(runner);
    if (runner->settings.experiments && runner->settings.results && runner->n_failed > 0 &&
        !runner->is_list)
        run_experiments(runner);
    if (!is_one_process) {
        start_tier(runner, "speed");
        gpu_queue_start(runner, 1);
        run_finish(runner);
        gpu_queue_empty(&runner->queue);
    }
    for (int i = 0; i < runner->jobs; i++)
        call_server_close(runner->slots[i].server);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"quiet", no_argument, NULL, 'q'},
                                            {"filter", required_argument, NULL, 'f'},
                                            {"jobs", required_argument, NULL, 'j'},
                                            {"list", no_argument, NULL, 'l'},
                                            {NULL, 0, NULL, 0}};
    struct runner runner = {.jobs = 1};

    for (int option; (option = getopt_long(argc, argv, "qf:j:l", options, NULL)) != -1;) {
        if (option == 'f')
            runner.filter = optarg;
        else if (option == 'j')
            runner.jobs = atoi(optarg);
        else if (option == 'l')
            runner.is_list = true;
        else if (option != 'q') /* it says little as it is */
            return EXIT_USAGE;
    }
    if (runner.jobs < 1 || runner.jobs > MAX_JOBS)
        runner.jobs = runner.jobs < 1 ? 1 : MAX_JOBS;
    char why[256]; /* a test will say it */
    runner.is_gpu =
        lab_settings_read(&runner.settings, why, sizeof why) && runner.settings.backend == CALL_GPU;
    if (!gpu_queue_init(&runner.queue)) {
        perror("no memory to share with tests");
        return EXIT_FAILURE;
    }
    run_all(&runner);
    return runner.n_failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

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
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/harness/experiment/experiment.h"

enum { MAX_JOBS = 64, MAX_GPU_PROCESSES = 2, MAX_TESTS = 128, EXIT_USAGE = 2, EXIT_IDLE = 3 };

/* A place for a process that runs tests, one at a time. */
struct slot {
    pid_t pid;                  /* 0: free */
    const char *suite, *name;   /* of its test, for messages */
    struct call_server *server; /* of the simulator; NULL for none */
};

/* What the processes of a queue share. */
struct shared {
    atomic_size_t n_taken;
    /* Of the examples: how many have ended, and with which verdicts, as bits. */
    atomic_size_t n_examples;
    atomic_uint verdicts;
    atomic_bool is_broken; /* a process was killed, perhaps in an example */
};

/* Tests on a GPU. Each process takes the next one as long as there is one. */
struct queue {
    const struct criterion_test *tests[MAX_TESTS];
    size_t n;
    size_t n_examples; /* these come first */
    size_t n_shared;   /* these come before those for which nobody else may use the GPU */
    struct shared *shared;
};

struct runner {
    const char *filter; /* NULL: all */
    bool is_list;
    int jobs;
    bool is_gpu; /* the settings could be read, and say so */
    struct lab_settings settings;
    struct slot slots[MAX_JOBS];
    struct queue queue;
    int n_failed;
    int n_idle; /* of these, tests in which no kernel did the work */
};

/* Of the process that runs a test. A test takes no argument and returns nothing, hence the static.
 */
static struct {
    struct call_server *server; /* of its slot */
    struct lab_workers workers;
    struct lab_experiments *experiments; /* tests that are called don't run, but are added */
    struct queue *queue;                 /* of tests on a GPU; NULL for none */
    bool is_alone;                       /* on the GPU */
    bool looks_again;                    /* at tests that passed on a GPU */
    int n_failed;
} here;

/* What `Test` calls around a test. */
void criterion_internal_test_setup(void) {
}

void criterion_internal_test_main(void (*test)(void)) {
    test();
}

void criterion_internal_test_teardown(void) {
}

/* Replaces the result of a test that passed on a GPU where no kernel did its work. */
static void look_again(const struct lab_settings *settings, const char *tier, const char *name,
                       lab_body *body) {
    OWNED char *path = text_format("%s/%s.%s.json", settings->results, tier, name);
    json_auto_t *passed = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const char *verdict = json_string_value(json_object_get(passed, "verdict"));

    if (!verdict || strcmp(verdict, "pass") != 0)
        return;
    json_auto_t *idle = lab_perform_idle(settings, tier, name, body);
    if (idle && !lab_result_write(idle, settings->results))
        exit(EXIT_FAILURE); /* the grader sees it: the file that was there is broken or gone */
}

void lab_run(const char *tier, const char *name, lab_body *body) {
    struct lab_settings settings;
    char why[256];

    if (here.experiments) {
        lab_experiments_add(here.experiments, tier, name, body);
        return;
    }
    if (!lab_settings_read(&settings, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        exit(EXIT_FAILURE);
    }
    settings.server = here.server;
    settings.workers = &here.workers;
    if (here.workers.yardsticks.is_asking) {
        lab_rehearse(&settings, tier, name, body);
        return;
    }
    if (here.looks_again) {
        look_again(&settings, tier, name, body);
        return;
    }
    json_auto_t *document = lab_perform(&settings, tier, name, body);
    const char *verdict = json_string_value(json_object_get(document, "verdict"));
    if (!verdict || (settings.results && !lab_result_write(document, settings.results))) {
        fprintf(stderr, "%s.%s: the result could not be written\n", tier, name);
        exit(EXIT_FAILURE);
    }
    if (lab_result_hangs(document))
        lab_settings_note_timeout(&settings);
    bool is_right = strcmp(verdict, "pass") == 0 || strcmp(verdict, "skipped") == 0;
    if (!settings.results)
        printf("%s.%s: %s: %s\n", tier, name, verdict,
               json_string_value(json_object_get(document, "reason")));
    here.n_failed += !is_right;
    if (here.queue && strcmp(tier, "example") == 0)
        atomic_fetch_or(&here.queue->shared->verdicts, 1u << lab_verdict_of(verdict));
}

/* Makes sure that the slot has a fork server for its tests on the simulator. Where none can be had,
 * the test starts its own, and reports what fails. */
static void have_server(struct slot *slot, const char *tier) {
    struct lab_settings settings;
    struct call_settings call;
    char why[256];

    if (slot->server && call_server_is_alive(slot->server))
        return;
    call_server_close(slot->server);
    slot->server = NULL;
    if (!lab_settings_read(&settings, why, sizeof why) ||
        lab_settings_backend(&settings, tier) != CALL_SIM)
        return;
    call = lab_call_settings(&settings, CALL_SIM, settings.timeout_ms);
    slot->server = call_server_open(&call);
}

/* Forks. True in the new process; where fork fails the slot stays free. */
static bool start(struct slot *slot, const char *suite, const char *name) {
    slot->suite = suite;
    slot->name = name;
    fflush(NULL);
    slot->pid = fork();
    if (slot->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        here.server = slot->server;
        return true;
    }
    if (slot->pid < 0) {
        fprintf(stderr, "%s.%s: %s\n", suite, name, strerror(errno));
        slot->pid = 0;
    }
    return false;
}

/* Others may have the GPU once nothing of this process runs on it. Of tests that passed nothing is
 * left there but the context, which takes a while to end. */
static void end(void) {
    struct lab_settings settings;
    char why[256];
    const bool has_turn = here.queue && lab_settings_read(&settings, why, sizeof why);

    if (has_turn && here.n_failed == 0)
        lab_settings_give_turn(&settings);
    lab_workers_close(&here.workers);
    if (has_turn && here.n_failed > 0)
        lab_settings_give_turn(&settings);
    if (here.n_failed > 0)
        exit(here.workers.n_idle_calls > 0 ? EXIT_IDLE : EXIT_FAILURE);
    exit(EXIT_SUCCESS);
}

static void start_test(struct slot *slot, const struct criterion_test *test) {
    have_server(slot, test->category);
    if (!start(slot, test->category, test->name))
        return;
    test->test();
    end();
}

/* True where all examples ended in the same way, which each other test would end in, too: nothing
 * is written, or nothing can be called. The grader says so then of the tests that are not run. */
static bool is_of_whole_file(const struct shared *shared) {
    const unsigned verdicts = atomic_load(&shared->verdicts);

    return verdicts == 1u << LAB_NOT_WRITTEN || verdicts == 1u << LAB_NO_ENTRY ||
           verdicts == 1u << LAB_LOAD_FAILED;
}

/* Has the tests say which copies they will be held against. */
static void ask_for_yardsticks(const struct queue *queue) {
    here.workers.yardsticks.is_asking = true;
    for (size_t i = queue->n_shared; i < queue->n; i++)
        queue->tests[i]->test();
    here.workers.yardsticks.is_asking = false;
}

/* Makes a context, where there is none, waits for the grader to let us use the GPU, and measures
 * what timed tests are held against. False where this process may not use it. Other failures the
 * tests will say. */
static bool come_in(const struct queue *queue, bool is_alone) {
    struct lab_settings settings;
    char why[256];

    here.is_alone = is_alone;
    if (!lab_settings_read(&settings, why, sizeof why))
        return true;
    settings.workers = &here.workers;
    if (is_alone) {
        ask_for_yardsticks(queue);
        lab_yardsticks_look(&here.workers, settings.yardsticks);
    }
    lab_workers_open(&settings);
    if (!lab_settings_take_turn(&settings, is_alone))
        return false;
    if (is_alone && !lab_yardsticks_measure(&here.workers, settings.yardsticks))
        fprintf(stderr, "%s: the copies' times could not be written there\n", settings.yardsticks);
    return true;
}

/* After tests of correctness, those of speed, with the same context. False where they are not to be
 * run, since a test hung. */
static bool go_alone(const struct queue *queue) {
    struct lab_settings settings;
    char why[256];

    if (!lab_settings_read(&settings, why, sizeof why) || settings.is_short)
        return false;
    lab_settings_give_turn(&settings);
    if (!come_in(queue, true))
        exit(EXIT_FAILURE);
    return true;
}

/* Runs one test of the queue. False where it need not be run: after all examples have ended. */
static bool run_queued(struct queue *queue, size_t index) {
    struct shared *shared = queue->shared;
    bool is_example = index < queue->n_examples;

    while (!is_example && atomic_load(&shared->n_examples) < queue->n_examples &&
           !atomic_load(&shared->is_broken))
        usleep(1000);
    if (!is_example && !atomic_load(&shared->is_broken) && is_of_whole_file(shared))
        return false;
    if (index >= queue->n_shared && !here.is_alone && !go_alone(queue)) {
        atomic_store(&shared->n_taken, queue->n); /* nor any other one */
        return false;
    }
    queue->tests[index]->test();
    if (is_example)
        atomic_fetch_add(&shared->n_examples, 1);
    return true;
}

static void start_gpu_process(struct slot *slot, struct queue *queue) {
    bool is_for_one = queue->n == 1; /* so it is when a test is run again, alone */

    have_server(slot, "safety"); /* what fails is run on the simulator, too */
    if (!start(slot, is_for_one ? queue->tests[0]->category : "tests on the GPU",
               is_for_one ? queue->tests[0]->name : "queue"))
        return;
    here.queue = queue;
    if (!come_in(queue, atomic_load(&queue->shared->n_taken) >= queue->n_shared))
        exit(EXIT_FAILURE);
    for (size_t i; (i = atomic_fetch_add(&queue->shared->n_taken, 1)) < queue->n;)
        if (!run_queued(queue, i))
            break;
    end();
}

/* A test process was killed by a signal. Where the test raised it itself, a number that the worker
 * reported may be the cause: that counts as a result once it has happened to the test alone, too.
 * Any other signal, above all SIGKILL, comes from the machine and leaves no result. */
static void note_signal(const struct runner *runner, const struct slot *slot, int signal) {
    static const int own[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP};
    const struct lab_settings *settings = &runner->settings;

    fprintf(stderr, "%s.%s: the test itself was killed by signal %d\n", slot->suite, slot->name,
            signal);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (signal != own[i] || settings->is_first_try || !settings->results)
            continue;
        json_auto_t *document = lab_broken_document(settings, slot->suite, slot->name, signal);
        lab_result_write(document, settings->results);
    }
}

/* Waits for one test to end. */
static void await_one(struct runner *runner) {
    int status;
    pid_t pid = wait(&status);

    for (int i = 0; i < runner->jobs; i++) {
        struct slot *slot = &runner->slots[i];
        if (pid <= 0 || slot->pid != pid)
            continue;
        slot->pid = 0;
        runner->n_failed += status != 0;
        runner->n_idle += WIFEXITED(status) && WEXITSTATUS(status) == EXIT_IDLE;
        if (WIFSIGNALED(status))
            note_signal(runner, slot, WTERMSIG(status));
        if (!WIFEXITED(status))
            atomic_store(&runner->queue.shared->is_broken, true);
    }
}

static struct slot *free_slot(struct runner *runner) {
    for (;;) {
        for (int i = 0; i < runner->jobs; i++) {
            if (runner->slots[i].pid == 0)
                return &runner->slots[i];
        }
        await_one(runner);
    }
}

static bool is_busy(const struct runner *runner) {
    for (int i = 0; i < runner->jobs; i++) {
        if (runner->slots[i].pid != 0)
            return true;
    }
    return false;
}

/* The linker's names of the section in which Criterion's `Test` leaves a pointer to each test. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];

static bool is_meant(const struct runner *runner, const struct criterion_test *test) {
    char name[256];

    snprintf(name, sizeof name, "%s/%s", test->category, test->name);
    return !runner->filter || fnmatch(runner->filter, name, FNM_EXTMATCH) == 0;
}

static void queue_test(struct queue *queue, const struct criterion_test *test) {
    queue->tests[queue->n++] = test;
    queue->n_examples += strcmp(test->category, "example") == 0;
    queue->n_shared += strcmp(test->category, "speed") != 0;
}

/* Starts a tier's tests; those on a GPU go to the queue. */
static void start_tier(struct runner *runner, const char *tier) {
    bool is_on_gpu = runner->is_gpu && lab_settings_backend(&runner->settings, tier) == CALL_GPU;
    struct queue *queue = &runner->queue;

    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        if (strcmp((*test)->category, tier) != 0 || !is_meant(runner, *test))
            continue;
        if (runner->is_list)
            printf("%s.%s\n", (*test)->category, (*test)->name);
        else if (is_on_gpu && queue->n < MAX_TESTS)
            queue_test(queue, *test);
        else
            start_test(free_slot(runner), *test);
    }
}

static void start_gpu_processes(struct runner *runner, int most) {
    for (int i = 0; i < most && i < runner->jobs && (size_t)i < runner->queue.n; i++)
        start_gpu_process(free_slot(runner), &runner->queue);
}

/* Waits for all that was started. Where a GPU process was killed, another one takes the rest of the
 * queue. */
static void finish(struct runner *runner) {
    struct queue *queue = &runner->queue;

    while (is_busy(runner)) {
        await_one(runner);
        if (!is_busy(runner) && atomic_load(&queue->shared->n_taken) < queue->n &&
            !is_of_whole_file(queue->shared))
            start_gpu_process(free_slot(runner), queue);
    }
    queue->n = queue->n_examples = queue->n_shared = 0;
    *queue->shared = (struct shared){0};
}

/* Adds a tier's tests to the experiments. */
static void add_tier(const struct runner *runner, const char *tier) {
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
        if (strcmp((*test)->category, tier) == 0 && is_meant(runner, *test))
            (*test)->test();
}

/* Looks for the causes of the failures in a process of its own. */
static void run_experiments(struct runner *runner) {
    struct slot *slot = free_slot(runner);
    struct lab_settings settings = runner->settings;

    have_server(slot, "safety");
    if (!start(slot, "experiments", "all")) {
        finish(runner);
        return;
    }
    settings.server = here.server;
    settings.workers = &here.workers;
    here.experiments = lab_experiments_open(&settings);
    if (!here.experiments)
        exit(EXIT_FAILURE);
    add_tier(runner, "example");
    add_tier(runner, "edge");
    add_tier(runner, "safety");
    add_tier(runner, "technique");
    lab_experiments_run(here.experiments);
    lab_experiments_close(here.experiments);
    end();
}

/* A GPU does not say whether kernels did the work. Where the simulator saw that they did not in its
 * own tests, those that passed on the GPU are run there as well. */
static void look_at_hosts_work(struct runner *runner) {
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        const char *tier = (*test)->category;
        if (strcmp(tier, "example") != 0 && strcmp(tier, "edge") != 0)
            continue;
        struct slot *slot = free_slot(runner);
        have_server(slot, "safety");
        if (!start(slot, tier, (*test)->name))
            continue;
        here.looks_again = true;
        (*test)->test();
        end();
    }
    finish(runner);
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
    start_gpu_processes(runner, MAX_GPU_PROCESSES);
    start_tier(runner, "safety");
    start_tier(runner, "technique");
    finish(runner);
    if (runner->is_gpu && runner->n_idle > 0 && runner->settings.results)
        look_at_hosts_work(runner);
    if (runner->settings.experiments && runner->settings.results && runner->n_failed > 0 &&
        !runner->is_list)
        run_experiments(runner);
    if (!is_one_process) {
        start_tier(runner, "speed");
        start_gpu_processes(runner, 1);
        finish(runner);
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
    runner.queue.shared = mmap(NULL, sizeof *runner.queue.shared, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (runner.queue.shared == MAP_FAILED) {
        perror("no memory to share with tests");
        return EXIT_FAILURE;
    }
    run_all(&runner);
    return runner.n_failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/*
 * Runs the tests of a lab's program, in place of Criterion's runner: that starts the program anew
 * for each test, which costs more than what most of them do. Here a test is a process made by fork,
 * and those on the simulator get their workers from a server that is there before them.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check/context.h"
#include "common/check/result.h"

enum { MAX_JOBS = 64, EXIT_USAGE = 2 };

/* Each runs one test at a time. */
struct slot {
    pid_t pid;                  /* 0: free */
    const char *suite, *name;   /* of its test */
    struct call_server *server; /* of the simulator; NULL for none */
};

struct runner {
    const char *filter; /* NULL: all */
    bool is_list;
    int jobs;
    struct slot slots[MAX_JOBS];
    int n_failed;
};

/* That of the slot whose test this process runs. A test takes no argument, hence the static. */
static struct call_server *server_here;

/* What `Test` calls around a test. */
void criterion_internal_test_setup(void) {
}

void criterion_internal_test_main(void (*test)(void)) {
    test();
}

void criterion_internal_test_teardown(void) {
}

void lab_run(const char *tier, const char *name, lab_body *body) {
    struct lab_settings settings;
    char why[256];

    if (!lab_settings_read(&settings, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        exit(EXIT_FAILURE);
    }
    settings.server = server_here;
    json_t *document = lab_perform(&settings, tier, name, body);
    const char *verdict = json_string_value(json_object_get(document, "verdict"));
    if (!verdict || (settings.results && !lab_result_write(document, settings.results))) {
        fprintf(stderr, "%s.%s: the result could not be written\n", tier, name);
        exit(EXIT_FAILURE);
    }
    if (strcmp(verdict, "timeout") == 0)
        lab_settings_note_timeout(&settings);
    bool is_right = strcmp(verdict, "pass") == 0 || strcmp(verdict, "skipped") == 0;
    if (!settings.results)
        printf("%s.%s: %s: %s\n", tier, name, verdict,
               json_string_value(json_object_get(document, "reason")));
    json_decref(document);
    exit(is_right ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* A server for the slot's tests on the simulator, where it has none that is alive. Without one, a
 * test looks after itself, and says what fails. */
static void serve(struct slot *slot, const char *tier) {
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
    call = lab_call_settings(&settings, CALL_SIM);
    slot->server = call_server_open(&call);
}

static void start(struct slot *slot, const struct criterion_test *test) {
    serve(slot, test->category);
    slot->suite = test->category;
    slot->name = test->name;
    fflush(NULL);
    slot->pid = fork();
    if (slot->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        server_here = slot->server;
        test->test();
        _exit(EXIT_SUCCESS); /* lab_run has ended it */
    }
    if (slot->pid < 0) {
        fprintf(stderr, "%s.%s: %s\n", slot->suite, slot->name, strerror(errno));
        slot->pid = 0;
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
        if (WIFSIGNALED(status))
            fprintf(stderr, "%s.%s: the test itself was killed by signal %d\n", slot->suite,
                    slot->name, WTERMSIG(status));
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

static void run_tier(struct runner *runner, const char *tier) {
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        if (strcmp((*test)->category, tier) != 0 || !is_meant(runner, *test))
            continue;
        if (runner->is_list)
            printf("%s.%s\n", (*test)->category, (*test)->name);
        else
            start(free_slot(runner), *test);
    }
}

/* Simple tests first: what never ends shows there at the least cost. */
static void run_all(struct runner *runner) {
    static const char *const tiers[] = {"example", "edge", "safety", "technique", "speed"};

    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++)
        run_tier(runner, tiers[i]);
    while (is_busy(runner))
        await_one(runner);
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
    run_all(&runner);
    return runner.n_failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Processes made by fork, each in a slot, which has the simulator's fork server for them. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/harness/run/runner.h"

struct run_here run_here;

void slot_have_server(struct slot *slot, const char *tier) {
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

bool slot_start(struct slot *slot, const char *suite, const char *name) {
    slot->suite = suite;
    slot->name = name;
    fflush(NULL);
    slot->pid = fork();
    if (slot->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run_here.server = slot->server;
        return true;
    }
    if (slot->pid < 0) {
        fprintf(stderr, "%s.%s: %s\n", suite, name, strerror(errno));
        slot->pid = 0;
        slot->is_on_gpu = false;
    }
    return false;
}

/* Others may have the GPU once nothing of this process runs on it. Of tests that passed nothing is
 * left there but the context, which takes a while to end: the only process there says so before. */
void run_end(void) {
    struct lab_settings settings;
    char why[256];

    if (run_here.queue && !run_here.queue->has_helper && run_here.n_failed == 0 &&
        lab_settings_read(&settings, why, sizeof why))
        lab_settings_give_turn(&settings);
    lab_workers_close(&run_here.workers);
    exit(run_here.n_failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS);
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

/* Of a process that was killed, workers may be there still: the next one ends the turn, or the
 * program's end does. */
static void note_end_on_gpu(struct runner *runner, struct slot *ended, bool is_in_order) {
    ended->is_on_gpu = false;
    if (!is_in_order)
        return;
    for (int i = 0; i < runner->jobs; i++)
        if (runner->slots[i].is_on_gpu)
            return;
    lab_settings_give_turn(&runner->settings);
}

void slots_await_one(struct runner *runner) {
    int status;
    pid_t pid = wait(&status);

    for (int i = 0; i < runner->jobs; i++) {
        struct slot *slot = &runner->slots[i];
        if (pid <= 0 || slot->pid != pid)
            continue;
        slot->pid = 0;
        if (slot->is_on_gpu)
            note_end_on_gpu(runner, slot, WIFEXITED(status));
        runner->n_failed += status != 0;
        if (WIFSIGNALED(status))
            note_signal(runner, slot, WTERMSIG(status));
        if (!WIFEXITED(status))
            atomic_store(&runner->queue.shared->is_broken, true);
    }
}

struct slot *slots_free(struct runner *runner) {
    for (;;) {
        for (int i = 0; i < runner->jobs; i++) {
            if (runner->slots[i].pid == 0)
                return &runner->slots[i];
        }
        slots_await_one(runner);
    }
}

bool slots_are_busy(const struct runner *runner) {
    for (int i = 0; i < runner->jobs; i++) {
        if (runner->slots[i].pid != 0)
            return true;
    }
    return false;
}

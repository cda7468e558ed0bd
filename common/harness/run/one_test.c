/* What a process does of one test: on the simulator, on a GPU, or there after the GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/harness/experiment/experiment.h"
#include "common/harness/run/runner.h"

/* A worker that a test leaves unfit for the next one, by a crash for example, costs a context, and
 * the driver makes few of them in a second. Where two tests of a file did so, the others run on the
 * simulator first, where most fail as well. */
enum { MOST_LOST = 2 };

/* True where the code is to blame, wherever it ran. */
static bool is_of_code(enum lab_verdict verdict) {
    return verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING || verdict == LAB_TECHNIQUE ||
           verdict == LAB_CRASH || verdict == LAB_TIMEOUT || verdict == LAB_EXITED ||
           verdict == LAB_CUDA_ERROR || verdict == LAB_DAMAGE;
}

/* Ends this process, without a result of its test, for which those after it need not wait. */
static _Noreturn void give_up(const char *tier, const char *name, const char *why) {
    fprintf(stderr, "%s.%s: %s\n", tier, name, why);
    if (run_here.queue)
        atomic_store(&run_here.queue->shared->is_broken, true);
    exit(EXIT_FAILURE);
}

/* Leaves a result for the grader. */
static void write_result(const struct lab_settings *settings, const json_t *document,
                         const char *tier, const char *name) {
    if (!lab_result_write(document, settings->results))
        give_up(tier, name, "the result could not be written");
}

static void set_doubted(bool is_doubted) {
    if (run_here.is_doubted)
        atomic_store(run_here.is_doubted, is_doubted);
}

/* A test on the simulator, after it failed on a GPU or was not run there, or passed there though no
 * kernel may have done its work: a GPU says neither. The simulator's result takes the place of the
 * GPU's where it is a failure, or says whose work it was. Where it can't be written there is none,
 * so that the first one does not count. */
static void look_again(struct lab_settings *settings, const char *tier, const char *name,
                       lab_body *body) {
    OWNED char *path = lab_result_path(settings->results, tier, name);
    json_auto_t *there = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const bool has_passed = lab_result_verdict(there) == LAB_PASS,
               hung = lab_result_verdict(there) == LAB_TIMEOUT;

    /* What hung on the GPU would take its whole time there once more. */
    if (has_passed || hung)
        set_doubted(false);
    if ((hung && settings->never_loads) || (!run_here.is_doubted && !has_passed))
        return;
    settings->backend = CALL_SIM;
    json_auto_t *here = lab_perform(settings, tier, name, body);
    /* Where the clock stopped it, the machine may have too much to do: let the GPU say it. */
    if (has_passed ? lab_result_verdict(here) != LAB_TECHNIQUE
                   : !is_of_code(lab_result_verdict(here)) || (!hung && lab_result_hangs(here)))
        return;
    set_doubted(false);
    unlink(path);
    write_result(settings, here, tier, name);
}

/* True where the simulator is to say how the test fails. */
static bool is_to_be_asked(const char *tier, enum lab_verdict verdict) {
    return strcmp(tier, "speed") != 0 && verdict != LAB_PASS && verdict != LAB_NOT_WRITTEN &&
           verdict != LAB_NO_ENTRY && verdict != LAB_LOAD_FAILED && verdict != LAB_SKIPPED;
}

static void perform(struct lab_settings *settings, const char *tier, const char *name,
                    lab_body *body) {
    json_auto_t *document = lab_perform(settings, tier, name, body);
    const enum lab_verdict verdict = lab_result_verdict(document);

    if (verdict == LAB_N_VERDICTS)
        give_up(tier, name, "this machine has no memory for the result");
    if (settings->results)
        write_result(settings, document, tier, name);
    else
        printf("%s.%s: %s: %s\n", tier, name, lab_verdict_word(verdict),
               json_string_value(json_object_get(document, "reason")));
    if (lab_result_hangs(document))
        lab_settings_note_timeout(settings);
    if (verdict != LAB_PASS && verdict != LAB_SKIPPED) {
        run_here.n_failed++;
        if (run_here.workers.n_idle_calls > 0)
            lab_settings_note_idle_calls(settings);
    }
    if (!run_here.queue)
        return;
    set_doubted(is_to_be_asked(tier, verdict));
    if (strcmp(tier, "example") == 0)
        atomic_fetch_or(&run_here.queue->shared->verdicts, 1u << verdict);
}

void lab_run(const char *tier, const char *name, lab_body *body) {
    struct lab_settings settings;
    char why[256];

    if (run_here.experiments) {
        lab_experiments_add(run_here.experiments, tier, name, body);
        return;
    }
    if (!lab_settings_read(&settings, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        exit(EXIT_FAILURE);
    }
    settings.server = run_here.server;
    settings.workers = &run_here.workers;
    if (run_here.workers.yardsticks.is_asking) {
        lab_rehearse(&settings, tier, name, body);
        return;
    }
    if (run_here.looks_again) {
        look_again(&settings, tier, name, body);
        return;
    }
    settings.is_brief = run_here.queue && !run_here.queue->is_again && settings.results &&
                        strcmp(tier, "speed") != 0;
    if (settings.is_brief && run_here.workers.n_lost >= MOST_LOST)
        set_doubted(true);
    else
        perform(&settings, tier, name, body);
}

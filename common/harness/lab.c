/*
 * One test from its start to its result: context, body, document.
 */
#include "common/harness/lab.h"

#include <string.h>
#include <time.h>

#include "common/base/system/memory.h"
#include "common/harness/context.h"
#include "common/harness/random.h"
#include "common/harness/result.h"

bool lab_on_gpu(const struct lab *lab) {
    return lab->backend == CALL_GPU;
}

void lab_need_gpu(struct lab *lab, size_t free_bytes) {
    const struct call_device *device;

    if (lab->settings->backend != CALL_GPU)
        lab_skip(lab, "This test needs a GPU; the simulator answers here.");
    device = lab_device(lab);
    if (device->free_bytes < free_bytes)
        lab_skip(lab, "This test needs %zu MB of the GPU's memory; %zu MB are free.",
                 free_bytes >> 20, device->free_bytes >> 20);
}

void lab_allow_ms(struct lab *lab, int timeout_ms) {
    if (timeout_ms > lab->timeout_ms)
        lab->timeout_ms = timeout_ms;
}

double lab_now_ms(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Apart from the rest, so that no local variable lives across the jump. */
static void run_body(struct lab *lab, lab_body *body) {
    if (setjmp(lab->end) != 0)
        return;
    if (strcmp(lab->tier, "speed") == 0)
        lab_need_gpu(lab, 0);
    body(lab);
}

static void clear(struct lab *lab) {
    lab_case_clear(lab);
    lab_failure_clear(&lab->now);
    lab_failure_clear(&lab->kept);
    if (lab->has_last)
        call_result_clear(&lab->last);
    json_decref(lab->report);
    json_decref(lab->technique);
    json_decref(lab->predictions);
    json_decref(lab->bench);
}

/* A test that begins. */
static struct lab make(const struct lab_settings *settings, const char *tier, const char *name) {
    return (struct lab){
        .settings = settings,
        .tier = tier,
        .name = name,
        .backend = lab_settings_backend(settings, tier),
        .timeout_ms = settings->timeout_ms,
        .seed = lab_random_seed(settings->seed, tier, name),
        .n_kills = memory_count_kills(),
        .function = "Your function",
        .technique = json_array(),
        .predictions = json_array(),
        .bench = json_array(),
    };
}

json_t *lab_broken_document(const struct lab_settings *settings, const char *tier, const char *name,
                            int signal) {
    struct lab lab = make(settings, tier, name);
    json_t *document;

    lab_note(&lab, LAB_PROTOCOL, NULL,
             "The test itself broke off (signal %d: %s) at what the process that ran your code had "
             "answered, twice.",
             signal, strsignal(signal));
    lab.kept = lab.now;
    lab.now = (struct lab_failure){.verdict = LAB_PASS};
    document = lab_result_document(&lab, 0);
    clear(&lab);
    return document;
}

/* True in `has_doubt` where the result is not to be relied on. */
static json_t *perform_once(const struct lab_settings *settings, const char *tier, const char *name,
                            lab_body *body, bool *has_doubt) {
    struct lab lab = make(settings, tier, name);
    double start_ms = lab_now_ms();
    const char *verdict;
    json_t *document;

    run_body(&lab, body);
    if (lab.kept.verdict == LAB_PASS) {
        lab_failure_clear(&lab.kept);
        lab.kept = lab.now;
        lab.now = (struct lab_failure){.verdict = LAB_PASS};
    }
    document = lab_result_document(&lab, (lab_now_ms() - start_ms) / 1e3);
    verdict = json_string_value(json_object_get(document, "verdict"));
    *has_doubt = lab_workers_doubt(&lab, verdict);
    lab_workers_give(&lab, verdict);
    clear(&lab);
    return document;
}

json_t *lab_perform(const struct lab_settings *settings, const char *tier, const char *name,
                    lab_body *body) {
    bool has_doubt;
    json_t *document = perform_once(settings, tier, name, body, &has_doubt);

    if (has_doubt) { /* the worker is closed: the next is its own */
        json_decref(document);
        document = perform_once(settings, tier, name, body, &has_doubt);
    }
    return document;
}

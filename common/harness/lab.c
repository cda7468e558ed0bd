/*
 * A test from its start to its result: one case, or all sizes with all block sizes, and the search
 * for the smallest case that fails. A student who sees n = 33 fail has less to think about than one
 * who sees n = 1,048,577.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/splitmix.h"
#include "common/base/system/memory.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "common/harness/context.h"

/* Bisection stops after so many cases or so much time, whichever comes first. */
enum { MAX_SHRINK_CASES = 24, MAX_SHRINK_MS = 600 };

/* A case that the simulator runs in hardly any time has so many elements at most. */
enum { MOST_CLOSER_N = 1 << 14 };

bool lab_on_gpu(const struct lab *lab) {
    return lab->backend == CALL_GPU;
}

enum { FREED_MS = 1000, LOOK_MS = 50 };

/* The memory that is free, once what was there before this process has ended. */
static size_t await_free_bytes(struct lab *lab, size_t wanted) {
    double end_ms = process_clock_ms() + FREED_MS;

    while (lab_device(lab)->free_bytes < wanted && process_clock_ms() < end_ms) {
        usleep(LOOK_MS * 1000);
        lab->device_known = false;
    }
    return lab->device.free_bytes;
}

void lab_need_gpu(struct lab *lab, size_t free_bytes) {
    if (lab->settings->backend != CALL_GPU)
        lab_skip(lab, "This test needs a GPU; the simulator answers here.");
    if (lab->settings->workers->yardsticks.is_asking || free_bytes == 0)
        return;
    size_t are_free = await_free_bytes(lab, free_bytes);
    if (are_free < free_bytes)
        lab_skip(lab, "This test needs %zu MB of the GPU's memory; %zu MB are free.",
                 free_bytes >> 20, are_free >> 20);
}

bool lab_gpu_has(struct lab *lab, size_t free_bytes) {
    return lab_on_gpu(lab) && await_free_bytes(lab, free_bytes) >= free_bytes;
}

void lab_leave_unread(struct lab *lab) {
    lab->leaves_unread = true;
}

void lab_allow_ms(struct lab *lab, int timeout_ms) {
    if (timeout_ms > lab->timeout_ms)
        lab->timeout_ms = timeout_ms;
}

uint64_t lab_case_seed(const struct lab *lab, size_t n, unsigned block) {
    uint64_t state = lab->seed ^ (n * 2048 + block);

    return lab->settings->has_case_seed ? lab->settings->only.seed : splitmix_next(&state);
}

/* Who did the work, where the result is right. */
static void judge_work(struct lab *lab) {
    bool is_technique = strcmp(lab->tier, "technique") == 0;

    if (lab->is_host_code)
        return;
    if ((!is_technique || lab_judge_launches(lab)) && lab_judge_idle(lab) && is_technique)
        lab_judge_hosts_work(lab);
}

void lab_describe(struct lab *lab, const char *format, ...) {
    va_list args;

    free(lab->described);
    va_start(args, format);
    if (vasprintf(&lab->described, format, args) < 0)
        lab->described = NULL;
    va_end(args);
}

bool lab_run_case(struct lab *lab, const struct lab_case *c, lab_case_body *body) {
    lab->current = c;
    free(lab->described);
    lab->described = NULL;
    lab->n_arrays = 0;
    lab->has_called = false;
    lab->n_compared = 0;
    body(lab, c);
    if (lab->now.verdict == LAB_PASS)
        judge_work(lab);
    lab_case_clear(lab);
    return lab->now.verdict == LAB_PASS;
}

static bool run_case(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    struct lab_case c = {.n = n, .block = block, .seed = lab_case_seed(lab, n, block)};

    return lab_run_case(lab, &c, body);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Failures that no smaller n explains better, or that cost the whole time limit each. */
static bool is_worth_shrinking(enum lab_verdict verdict) {
    return verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING || verdict == LAB_CUDA_ERROR ||
           verdict == LAB_DAMAGE || verdict == LAB_CRASH;
}

/* Tries another case. Where it fails with the same verdict and diagnosis, keeps that failure and
 * returns true. */
static bool fails_too(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    if (!run_case(lab, n, block, body) && lab->now.verdict == lab->kept.verdict &&
        same_text(lab->now.diagnosis, lab->kept.diagnosis)) {
        lab_failure_keep(lab);
        return true;
    }
    lab_failure_clear(&lab->now); /* another failure would have another cause */
    return false;
}

/* Looks for a smaller n, not below `low`, that fails as the one kept does: first at sizes where
 * things change, since many mistakes come and go with n, then by bisection. */
static void shrink(struct lab *lab, size_t low, lab_case_body *body) {
    const size_t block = lab->kept.c.block;
    const size_t sizes[] = {0, 1, block - 1, block, block + 1, 2 * block + 1, block * block + 1};
    /* On the simulator the result must not depend on how busy the machine is: no time limit. */
    double deadline_ms = lab_on_gpu(lab) ? process_clock_ms() + MAX_SHRINK_MS : INFINITY;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && process_clock_ms() < deadline_ms; i++) {
        if (sizes[i] < low || sizes[i] >= lab->kept.c.n)
            continue;
        if (fails_too(lab, sizes[i], lab->kept.c.block, body))
            break;
        low = sizes[i] + 1;
    }
    for (int i = 0; i < MAX_SHRINK_CASES && low < lab->kept.c.n && process_clock_ms() < deadline_ms;
         i++) {
        size_t middle = low + (lab->kept.c.n - low) / 2;

        if (!fails_too(lab, middle, lab->kept.c.block, body))
            low = middle + 1;
    }
}

/* Looks for a case of few numbers that fails as the one kept does: with small blocks, full ones
 * first, which show more than one element and zeros do. */
static void shrink_block(struct lab *lab, lab_case_body *body) {
    const size_t n = lab->kept.c.n;

    for (size_t i = 0; i < lab->n_small_blocks && n > 0; i++) {
        const unsigned block = lab->small_blocks[i];
        const size_t sizes[] = {block, block - 1, 1, block + 1, 2 * block + 1, block * block + 1};

        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            if (block < lab->kept.c.block && sizes[j] > 0 && (sizes[j] <= n || sizes[j] <= block) &&
                lab_data_is_small(sizes[j], block) && fails_too(lab, sizes[j], block, body))
                return;
    }
}

/* Runs the case kept, where it is small, once more on the simulator, which tells then what shared
 * memory held, and what nobody has read. */
static void look_closer(struct lab *lab, lab_case_body *body) {
    const struct lab_failure *kept = &lab->kept;
    const bool is_short = kept->verdict == LAB_WRONG_ANSWER && kept->c.n <= MOST_CLOSER_N;

    if (kept->verdict == LAB_PASS || (!kept->data && !is_short) || lab_on_gpu(lab) ||
        lab->settings->trial)
        return;
    call_keep_shared(lab_worker(lab), true);
    fails_too(lab, lab->kept.c.n, lab->kept.c.block, body);
    call_keep_shared(lab_worker(lab), false);
}

/* Runs a case and records how it ended; true when it passed. */
static bool try_case(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    if (run_case(lab, n, block, body)) {
        lab->cases_passed++;
        return true;
    }
    if (lab->now.verdict == LAB_NOT_WRITTEN && lab->kept.verdict == LAB_NOT_WRITTEN)
        lab_failure_clear(&lab->now); /* the first one says it */
    else
        lab_failure_keep(lab);
    return false;
}

/* True when nothing that is to come can matter: what is not written yet must not hide a failure of
 * what is. */
static bool is_over(const struct lab *lab) {
    return lab->kept.verdict != LAB_PASS && lab->kept.verdict != LAB_NOT_WRITTEN;
}

/* True where the case kept is right with numbers of 6 bits, whichever are drawn: of one draw a
 * wrong result may be right by chance. A case that looks at no result is not. */
static bool is_right_with_small_numbers(struct lab *lab, lab_case_body *body) {
    enum { N_DRAWS = 3 };
    struct lab_case c = lab->kept.c;
    bool is_right = true;

    lab->draws_small = lab->is_silent = true;
    for (int i = 0; i < N_DRAWS && is_right; i++) {
        is_right = lab_run_case(lab, &c, body) && lab->n_compared > 0;
        c.seed = lab_random_seed(c.seed, "anew", lab->name);
    }
    lab->draws_small = lab->is_silent = false;
    lab_failure_clear(&lab->now);
    return is_right;
}

/* A wrong answer that nothing explains: is the same case right with small numbers? Then the large
 * ones went through something that does not hold them. The manifest explains the diagnosis
 * `too_few_bits`. */
static void try_small_numbers(struct lab *lab, lab_case_body *body) {
    struct lab_failure *kept = &lab->kept;
    char *reason = kept->reason;

    if (kept->verdict != LAB_WRONG_ANSWER || kept->diagnosis || !kept->has_case ||
        !lab->has_drawn_ints || lab->settings->trial)
        return;
    if (!is_right_with_small_numbers(lab, body))
        return;
    kept->reason = text_format("%s With numbers of 6 bits the same call is right.", reason);
    kept->diagnosis = strdup("too_few_bits");
    free(reason);
}

/* What else the failure kept can say of itself. */
static void explain(struct lab *lab, const struct lab_cases *cases, lab_case_body *body) {
    if (lab->settings->is_brief)
        return;
    look_closer(lab, body);
    lab_confirm(lab, cases, body);
    try_small_numbers(lab, body);
}

void lab_sweep(struct lab *lab, const size_t *sizes, size_t n_sizes, const unsigned *blocks,
               size_t n_blocks, lab_case_body *body) {
    const struct lab_cases cases = {sizes, n_sizes, blocks, n_blocks};

    if (lab_survey_is_on(lab)) {
        lab_survey_cases(lab, &cases, body);
        return;
    }
    if (is_over(lab))
        return;
    if (lab->settings->has_case) {
        if (!try_case(lab, lab->settings->only.n, lab->settings->only.block, body))
            explain(lab, &cases, body);
        return;
    }
    for (size_t i = 0; i < n_sizes; i++)
        for (size_t j = 0; j < n_blocks; j++) {
            if (try_case(lab, sizes[i], blocks[j], body))
                continue;
            if (!is_over(lab) && lab->has_called)
                continue;
            if (is_worth_shrinking(lab->kept.verdict) && !lab->settings->trial &&
                !lab->settings->is_brief) {
                shrink(lab, i > 0 ? sizes[i - 1] + 1 : 0, body);
                shrink_block(lab, body);
            }
            explain(lab, &cases, body);
            return;
        }
}

bool lab_is_meant(const struct lab *lab, size_t n, unsigned block) {
    const struct lab_settings *settings = lab->settings;

    return !settings->trial || !settings->has_case ||
           (n == settings->only.n && block == settings->only.block);
}

void lab_one(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    const struct lab_cases cases = {&n, 1, &block, 1};

    if (lab_survey_is_on(lab))
        lab_survey_cases(lab, &cases, body);
    else if (!is_over(lab) && lab_is_meant(lab, n, block) && !try_case(lab, n, block, body))
        explain(lab, &cases, body);
}

void lab_one_above(struct lab *lab, size_t n, size_t smaller, unsigned block, lab_case_body *body) {
    const struct lab_cases cases = {&n, 1, &block, 1};

    if (is_over(lab) || !lab_is_meant(lab, n, block) || try_case(lab, n, block, body))
        return;
    /* Where the smaller one fails, too, that is kept; where it ends the test, as one that can't be
     * judged here does, the larger one is. */
    if (lab->settings->trial || try_case(lab, smaller, block, body))
        explain(lab, &cases, body);
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
    json_decref(lab->news);
    json_decref(lab->technique);
    json_decref(lab->predictions);
    json_decref(lab->timeline);
    json_decref(lab->bench);
    free(lab->described);
}

/* The state of a test that begins. */
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
        .timeline = json_array(),
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
    lab_failure_keep(&lab);
    document = lab_result_document(&lab, 0);
    clear(&lab);
    return document;
}

/* Sets `must_repeat` where the test has to be run again, in a worker of its own. */
static json_t *perform_once(const struct lab_settings *settings, const char *tier, const char *name,
                            lab_body *body, bool *must_repeat) {
    struct lab lab = make(settings, tier, name);
    double start_ms = process_clock_ms();
    const char *verdict;
    json_t *document;

    run_body(&lab, body);
    if (!is_over(&lab) && lab.now.verdict != LAB_PASS)
        lab_failure_keep(&lab);
    document = lab_result_document(&lab, (process_clock_ms() - start_ms) / 1e3);
    verdict = json_string_value(json_object_get(document, "verdict"));
    *must_repeat = lab_release_worker(&lab, verdict);
    clear(&lab);
    return document;
}

void lab_rehearse(const struct lab_settings *settings, const char *tier, const char *name,
                  lab_body *body) {
    struct lab lab = make(settings, tier, name);

    run_body(&lab, body);
    clear(&lab);
}

json_t *lab_perform(const struct lab_settings *settings, const char *tier, const char *name,
                    lab_body *body) {
    bool must_repeat;
    json_t *document = perform_once(settings, tier, name, body, &must_repeat);

    /* Of a test that was skipped the one before may have left no memory. */
    if (!must_repeat || (settings->is_brief && lab_result_verdict(document) != LAB_SKIPPED))
        return document;
    json_decref(document);
    lab_workers_close(settings->workers);
    return perform_once(settings, tier, name, body, &must_repeat);
}

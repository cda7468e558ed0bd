/*
 * Calls with sizes at which indices of 32 bits wrap around. All their blocks would take the
 * simulator hours. A sample of them takes no time, and says as much where blocks are alike: of
 * what the first part of the work is made into, and of the last, it has the same share.
 */
#include <math.h>

#include "common/base/splitmix.h"
#include "common/harness/context.h"

enum {
    PAIRS_WORK = 1 << 21, /* warp instructions of a launch, after which no pair of blocks starts */
    TOUCHED_BYTES = 1 << 30, /* of the host's memory, by a launch */
};

static struct call_arg sparse(struct call_arg arg) {
    arg.sparse.is_on = true;
    return arg;
}

struct call_arg lab_in_set(const char *name, uint32_t bits, size_t first, size_t n_set, size_t n) {
    struct call_arg arg = sparse(lab_in(name, NULL, n, sizeof bits));

    arg.sparse.bits = bits;
    arg.sparse.first = first;
    arg.sparse.count = n_set;
    return arg;
}

struct call_arg lab_out_sparse(const char *name, size_t count, size_t element_bytes) {
    return sparse(lab_out(name, NULL, count, element_bytes));
}

struct call_arg lab_scratch_sparse(const char *name, size_t count, size_t element_bytes) {
    return sparse(lab_scratch(name, count, element_bytes));
}

struct call_arg lab_host_in_sparse(const char *name, size_t count, size_t element_bytes) {
    return sparse(lab_host_in(name, NULL, count, element_bytes));
}

struct call_arg lab_host_out_sparse(const char *name, size_t count, size_t element_bytes) {
    return sparse(lab_host_out(name, NULL, count, element_bytes));
}

/* One place in each of as many parts of the way to the middle. */
static struct simt_sample draw_sample(const struct lab *lab) {
    struct simt_sample sample = {
        .n = SIMT_SAMPLE_PLACES, .budget = PAIRS_WORK, .bytes = TOUCHED_BYTES};
    const uint32_t part = UINT32_MAX / SIMT_SAMPLE_PLACES;
    uint64_t state = lab->current ? lab->current->seed : lab->seed;

    for (uint32_t i = 0; i < sample.n; i++)
        sample.at[i] = i * part + (uint32_t)(splitmix_next(&state) % part);
    return sample;
}

void lab_sampled_places(struct lab *lab, size_t n, size_t places[LAB_PLACES]) {
    const struct simt_sample sample = draw_sample(lab);

    for (uint32_t i = 0; i < sample.n; i++) {
        places[2 * i] = (size_t)((double)n / 2 * sample.at[i] / 0x1p32);
        places[2 * i + 1] = n - 1 - places[2 * i];
    }
}

/* True where the launch that was stopped has done far more than a block's share of n elements comes
 * to, if the grid's threads share them alike. */
static bool is_beyond_share(const struct lab *lab, size_t n) {
    enum { OF_AN_ELEMENT = 100, OF_A_THREAD = 4096 }; /* instructions */
    const size_t n_launches = lab_n_launches(lab);

    if (n == 0 || n_launches == 0)
        return false;
    const struct lab_launch launch = lab_launch(lab, n_launches - 1);
    const uint64_t n_threads = launch.n_blocks * launch.n_threads;
    return n_threads > 0 &&
           lab_counter(lab, n_launches - 1, "thread_instructions") / launch.n_threads >
               (n / n_threads + 1) * OF_AN_ELEMENT + OF_A_THREAD;
}

/* True where blocks that did not run, or what those that ran had to do, may be why the call ended
 * as it did. */
static bool is_for_the_sample(struct lab *lab, bool is_brief, size_t n_shared) {
    const json_t *finding = lab_worst_finding(lab);
    const char *kind = json_string_value(json_object_get(finding, "kind"));
    enum call_outcome outcome = lab->last.outcome;

    if (lab_finding(lab, "endless") && (is_brief || is_beyond_share(lab, n_shared)))
        return false;
    return lab_is_stop(kind) || lab_finding(lab, "deadlock") ||
           (!finding && (outcome == CALL_TIMEOUT || outcome == CALL_OUT_OF_MEMORY));
}

/* True where the clock stopped the call: on a machine that is busy enough, that happens to any. */
static bool is_late(const struct lab *lab) {
    return lab_finding(lab, "late") ||
           (!lab_worst_finding(lab) && lab->last.outcome == CALL_TIMEOUT);
}

static bool call_sampled(struct lab *lab, const char *function, struct call_arg *args,
                         size_t n_args, bool is_brief, size_t n_shared) {
    if (lab->now.verdict != LAB_PASS)
        return false;
    lab->conditions.sample = draw_sample(lab);
    lab_call_unjudged(lab, function, args, n_args);
    lab->conditions.sample.n = 0;
    if (is_late(lab) && lab->settings->is_first_try)
        lab_stop(lab, LAB_INFRASTRUCTURE,
                 "%s: a sample of its blocks took too long here. It has to be run again.",
                 lab->function);
    if (is_for_the_sample(lab, is_brief, n_shared))
        lab_skip(lab, "The simulator runs a sample of the blocks here, and of this kernel's it "
                      "can't: they wait for each other, or each has too much to do. A GPU runs "
                      "all.");
    bool is_good = lab_judge_call(lab);
    if (is_good && lab->last.memory.n_launches == 0) {
        char called[LAB_CALLED_BYTES];

        lab_note(lab, LAB_WRONG_ANSWER, NULL, "%s returned cudaSuccess, but launched no kernel.",
                 lab_called(lab, called, sizeof called));
        is_good = false;
    }
    lab->has_called |= is_good;
    return is_good;
}

bool lab_call_sampled(struct lab *lab, const char *function, struct call_arg *args, size_t n_args) {
    return call_sampled(lab, function, args, n_args, false, 0);
}

bool lab_call_sharing(struct lab *lab, const char *function, struct call_arg *args, size_t n_args,
                      size_t n) {
    return call_sampled(lab, function, args, n_args, false, n);
}

bool lab_call_briefly(struct lab *lab, const char *function, struct call_arg *args, size_t n_args) {
    return call_sampled(lab, function, args, n_args, true, 0);
}

bool lab_call_beyond_memory(struct lab *lab, const char *function, const char *why,
                            struct call_arg *args, size_t n_args) {
    char called[LAB_CALLED_BYTES];

    if (lab->now.verdict != LAB_PASS)
        return false;
    lab_call_unjudged(lab, function, args, n_args);
    const enum call_outcome outcome = lab->last.outcome;
    if (!lab_worst_finding(lab) && lab->last.returned != 0 &&
        (outcome == CALL_CUDA_ERROR || outcome == CALL_OUT_OF_MEMORY))
        return true;
    if (is_for_the_sample(lab, false, 0) || (!lab_worst_finding(lab) && outcome == CALL_CRASH))
        lab_skip(lab,
                 "The device has no memory for %s. This function does without, in pieces "
                 "perhaps, for which there is no time here.",
                 why);
    if (lab_worst_finding(lab) || outcome != CALL_OK)
        return lab_judge_call(lab);
    lab_note(lab, LAB_CUDA_ERROR, NULL,
             "%s returned cudaSuccess, though the device has no memory for %s.",
             lab_called(lab, called, sizeof called), why);
    return false;
}

static bool are_numbers(const struct lab_shares *shares) {
    return isfinite(shares->first) && isfinite(shares->last);
}

bool lab_shares_differ(const struct lab_shares *shares) {
    return are_numbers(shares) &&
           fmin(shares->first, shares->last) < fmax(shares->first, shares->last) / 2;
}

/* True where each block of the last call has run: there were few. */
static bool has_run_all(const struct lab *lab) {
    const json_t *launch;
    size_t index;

    json_array_foreach(json_object_get(lab_report(lab), "launches"), index, launch) {
        if (strcmp(json_string_value(json_object_get(launch, "status")), "ok") != 0)
            return false;
    }
    return lab_n_launches(lab) > 0;
}

bool lab_expect_alike(struct lab *lab, const struct lab_shares *shares) {
    const bool is_small = fmax(shares->first, shares->last) < shares->least;
    char called[LAB_CALLED_BYTES];

    if (are_numbers(shares) && is_small && has_run_all(lab)) {
        lab_note(lab, LAB_WRONG_ANSWER, NULL,
                 "%s, of which all blocks were run: %s %.10g %s, and %.10g %s. There must be many "
                 "more.",
                 lab_called(lab, called, sizeof called), shares->what, shares->first,
                 shares->of_first, shares->last, shares->of_last);
        return false;
    }

    if (are_numbers(shares) && !lab_shares_differ(shares) && !is_small)
        return true;
    if (are_numbers(shares) && is_small)
        lab_skip(lab,
                 "The simulator runs a sample of the blocks here, and what those of this kernel "
                 "did does not reach the result. A GPU runs all.");
    lab_note(
        lab, LAB_WRONG_ANSWER, NULL,
        "%s, of which a sample of the blocks was run: %s %.10g %s, and %.10g %s. The two must be "
        "about the same.",
        lab_called(lab, called, sizeof called), shares->what, shares->first, shares->of_first,
        shares->last, shares->of_last);
    return false;
}

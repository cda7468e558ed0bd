/*
 * A stand-in for the call: a worker that answers as a test wants, in this process. The helpers run
 * a lab's test against it and return the result document.
 */
#pragma once

#include "common/harness/context.h"

typedef void fake_answer(const char *function, struct call_arg *args, size_t n_args,
                         struct call_result *result);

/* The head of an answer, which need not look at all that it is given. */
#define FAKE_ANSWER(name)                                                                          \
    static void name(const char *function __attribute__((unused)),                                 \
                     struct call_arg *args __attribute__((unused)),                                \
                     size_t n_args __attribute__((unused)),                                        \
                     struct call_result *result __attribute__((unused)))

/* Each Criterion test is a process, so each starts with the fake as it is at first: it sums. */
struct fake {
    fake_answer *answer;
    enum call_outcome outcome; /* of each call; CALL_OK at first */
    bool is_first_try;         /* of the settings */
    const char *report;        /* JSON that each call brings back, or NULL */
    const char *kept;          /* JSON that it brings when asked; "": nonsense; NULL: nothing */
    const char *shared;        /* the report where the shared memory is asked for, or NULL */
    bool keeps_shared;         /* it is asked for now */
    size_t n_reports;          /* that were asked for */
    int writer; /* of all words, by line 100 * argument + byte; CALL_WRITER_UNKNOWN at first */
    size_t wrong_from; /* fake_sum is wrong where n is at least that; SIZE_MAX at first */
    size_t n_calls, n_opened, n_closed, n_timed, n_copies;
    struct call_settings settings; /* of the last worker opened */
    struct call_conditions conditions;
    struct call_experiment experiment; /* of its next call */
    struct call_device device;
    double event_ms, wall_ms, copy_ms, exchange_ms; /* of timed calls */
    size_t n_noisy; /* timed runs of which every other takes `noise` times as long */
    double noise;
    const char *words;    /* of fake_refuse and fake_crash; NULL: those of the device */
    const char *variable; /* that the submission exports, with its value */
    int32_t value;
};
extern struct fake fake;

/* Sums the argument "in" into "sum": sum(in, n, sum). */
fake_answer fake_sum;

/* Fail as a call does whose grid is empty, and as one whose host code follows a device pointer. */
fake_answer fake_refuse, fake_crash;

/* Settings that would run on the simulator. */
struct lab_settings fake_settings(void);

/* Runs `body` as test TIER.claim with the fake; the document is the fake's, until the next run. */
json_t *fake_perform(const char *tier, lab_body *body);
json_t *fake_perform_with(const struct lab_settings *settings, const char *tier, lab_body *body);

/* The same, with an assertion of the verdict. */
json_t *fake_judge(const char *tier, lab_body *body, const char *verdict);

/* Asserts that the document's `key` is this word (NULL: is null). */
void fake_expect(const json_t *document, const char *key, const char *word);
/* Asserts that the reason holds this text. */
void fake_expect_reason(const json_t *document, const char *part);

/* A case that sums n drawn ints and checks the sum: what most tests here run. */
void fake_sum_case(struct lab *lab, const struct lab_case *c);

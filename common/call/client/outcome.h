/*
 * From what an exchange brought to a call_result with a sentence for the student.
 */
#pragma once

#include "common/call/client/exchange.h"

/* What the worker was doing, for the sentence. */
struct outcome_scene {
    uint32_t request;     /* enum wire_kind */
    const char *function; /* that was called; NULL for none */
    const struct call_arg *args;
    size_t n_args;
    int timeout_ms;
};

/* An empty result: outcome OK, NaN times, everything else zero. */
void outcome_clear(struct call_result *result);

/* Sets outcome and message. Returns the outcome. */
enum call_outcome outcome_set(struct call_result *result, enum call_outcome outcome,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

/* From a valid reply. Text from the worker is made safe to quote. */
enum call_outcome outcome_from_reply(struct call_result *result, const struct wire_reply *reply);

/* From an exchange that did not end with an answer. `status` is the wait status of the worker,
 * which has been ended. Before the submission is loaded everything is our own failure. */
enum call_outcome outcome_from_end(struct call_result *result, const struct exchange *exchange,
                                   int status, const struct outcome_scene *scene);

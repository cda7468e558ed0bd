/*
 * Failures: noted once a case, with everything that the report needs, while it is still there.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/context.h"

static const char *const verdict_words[] = {
#define LAB_VERDICT_WORD(name, word) [LAB_##name] = word,
    LAB_VERDICTS(LAB_VERDICT_WORD)
#undef LAB_VERDICT_WORD
};

const char *lab_verdict_word(enum lab_verdict verdict) {
    return verdict_words[verdict];
}

enum lab_verdict lab_verdict_of(const char *word) {
    for (int verdict = 0; verdict < LAB_N_VERDICTS; verdict++)
        if (strcmp(word, verdict_words[verdict]) == 0)
            return (enum lab_verdict)verdict;
    return LAB_INFRASTRUCTURE;
}

void lab_failure_clear(struct lab_failure *failure) {
    free(failure->reason);
    free(failure->diagnosis);
    free(failure->output);
    json_decref(failure->mismatch);
    json_decref(failure->findings);
    json_decref(failure->launches);
    *failure = (struct lab_failure){.verdict = LAB_PASS};
}

/* True where an item of the report is no larger than what the simulator says of a large kernel. */
static bool is_bounded(const json_t *item) {
    enum { MAX_BYTES = 128 << 10 };

    return json_dumpb(item, NULL, 0, JSON_COMPACT) <= MAX_BYTES;
}

/* An item of the report as it goes into the result: without its lines, and marked, where it is too
 * large; NULL where it is so without them, too. */
static json_t *bounded(json_t *item) {
    const char *kernel = json_string_value(json_object_get(item, "kernel"));
    json_t *cut;

    if (is_bounded(item))
        return json_incref(item);
    cut = json_copy(item);
    json_object_set_new(cut, "lines", json_array());
    json_object_set_new(cut, "kernel",
                        json_sprintf("%s … (its lines are cut)", kernel != NULL ? kernel : ""));
    if (is_bounded(cut))
        return cut;
    json_decref(cut);
    return NULL;
}

/* A new reference to an array of the report, at most `max` long. NULL where there is none. */
static json_t *report_array(const struct lab *lab, const char *key, size_t max) {
    const json_t *all = json_object_get(lab_report(lab), key);
    json_t *some;

    if (!json_is_array(all))
        return NULL;
    some = json_array();
    for (size_t i = 0; i < json_array_size(all) && i < max; i++)
        json_array_append_new(some, bounded(json_array_get(all, i)));
    return some;
}

void lab_gather(const struct lab *lab, struct lab_failure *failure) {
    enum { MAX_LAUNCHES = 8, MAX_FINDINGS = 16 };

    failure->findings = report_array(lab, "findings", MAX_FINDINGS);
    failure->launches = report_array(lab, "launches", MAX_LAUNCHES);
    if (lab->has_last && lab->last.output != NULL) {
        failure->output = strdup(lab->last.output);
        failure->output_dropped = lab->last.output_dropped;
    }
    if (lab->current != NULL) {
        failure->has_case = true;
        failure->c = *lab->current;
    }
}

static void note(struct lab *lab, enum lab_verdict verdict, json_t *mismatch, const char *reason,
                 va_list values) {
    struct lab_failure *now = &lab->now;

    if (now->verdict != LAB_PASS) {
        json_decref(mismatch);
        return;
    }
    now->verdict = verdict;
    now->mismatch = mismatch;
    if (vasprintf(&now->reason, reason, values) < 0)
        now->reason = NULL;
    lab_gather(lab, now);
    if (lab->diagnoser != NULL && verdict != LAB_SKIPPED)
        lab->diagnoser(lab, lab->current, lab_verdict_word(verdict));
}

void lab_note(struct lab *lab, enum lab_verdict verdict, json_t *mismatch, const char *reason,
              ...) {
    va_list values;

    va_start(values, reason);
    note(lab, verdict, mismatch, reason, values);
    va_end(values);
}

void lab_stop(struct lab *lab, enum lab_verdict verdict, const char *reason, ...) {
    va_list values;

    va_start(values, reason);
    note(lab, verdict, NULL, reason, values);
    va_end(values);
    longjmp(lab->end, 1);
}

void lab_skip(struct lab *lab, const char *reason, ...) {
    va_list values;

    va_start(values, reason);
    note(lab, LAB_SKIPPED, NULL, reason, values);
    va_end(values);
    longjmp(lab->end, 1);
}

void lab_fail(struct lab *lab, const char *verdict, const char *reason, ...) {
    va_list values;

    va_start(values, reason);
    note(lab, lab_verdict_of(verdict), NULL, reason, values);
    va_end(values);
}

bool lab_failed(const struct lab *lab) {
    return lab->now.verdict != LAB_PASS || lab->kept.verdict != LAB_PASS;
}

size_t lab_mismatch_index(const struct lab *lab) {
    return (size_t)json_integer_value(json_object_get(lab->now.mismatch, "index"));
}

size_t lab_cases_passed(const struct lab *lab) {
    return lab->cases_passed;
}

bool lab_fails_only_beyond(const struct lab *lab, uint64_t n, uint64_t limit) {
    return n > limit && lab_cases_passed(lab) > 0;
}

void lab_diagnose(struct lab *lab, const char *id) {
    if (lab->now.diagnosis == NULL)
        lab->now.diagnosis = strdup(id);
}

void lab_set_diagnoser(struct lab *lab, lab_diagnoser *diagnoser) {
    lab->diagnoser = diagnoser;
}

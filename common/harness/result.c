/*
 * What a test found: the first failure of a case, noted with everything that explains it, and the
 * result document. The grader believes the document, so it is built by a JSON library from checked
 * values, and appears in its folder under its own name only when it is complete.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
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
    free(failure->described);
    json_decref(failure->mismatch);
    json_decref(failure->findings);
    json_decref(failure->launches);
    json_decref(failure->data);
    json_decref(failure->host);
    json_decref(failure->unread);
    *failure = (struct lab_failure){.verdict = LAB_PASS};
}

/* True where an item of the report is no larger than the simulator writes for a large kernel. */
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
                        json_sprintf("%s … (its lines are cut)", kernel ? kernel : ""));
    if (is_bounded(cut))
        return cut;
    json_decref(cut);
    return NULL;
}

/* An item without what is for the tests alone, or in the failure's data. */
static json_t *without_shared(json_t *item) {
    json_t *copy;

    if (!json_object_get(item, "shared") && !json_object_get(item, "dynamic_bytes"))
        return json_incref(item);
    copy = json_copy(item);
    json_object_del(copy, "shared");
    json_object_del(copy, "dynamic_bytes");
    return copy;
}

/* A new reference to an array of the report, at most `max` long. NULL where there is none. */
static json_t *report_array(const struct lab *lab, const char *key, size_t max) {
    const json_t *all = json_object_get(lab_report(lab), key);
    json_t *some;

    if (!json_is_array(all))
        return NULL;
    some = json_array();
    for (size_t i = 0; i < json_array_size(all) && i < max; i++) {
        json_auto_t *item = without_shared(json_array_get(all, i));
        json_array_append_new(some, bounded(item));
    }
    return some;
}

/* Failures whose numbers say something. Those of a technique are gone by then, and right. */
static bool has_data(enum lab_verdict verdict) {
    return verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING || verdict == LAB_DAMAGE;
}

/* Copies what the last call left: findings, launches, output; and the case. */
static void gather(const struct lab *lab, struct lab_failure *failure) {
    enum { MAX_LAUNCHES = 8, MAX_FINDINGS = 16 };

    failure->findings = report_array(lab, "findings", MAX_FINDINGS);
    failure->launches = report_array(lab, "launches", MAX_LAUNCHES);
    if (lab->has_last && lab->last.output) {
        failure->output = strdup(lab->last.output);
        failure->output_dropped = lab->last.output_dropped;
    }
    if (lab->current) {
        failure->has_case = true;
        failure->c = *lab->current;
        failure->described = lab->described ? strdup(lab->described) : NULL;
    }
}

void lab_failure_keep(struct lab *lab) {
    lab_failure_clear(&lab->kept);
    lab->kept = lab->now;
    lab->now = (struct lab_failure){.verdict = LAB_PASS};
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
    gather(lab, now);
    now->data = has_data(verdict) ? lab_data(lab) : NULL;
    now->host = lab_host_code(lab, verdict);
    now->unread = lab_unread(lab, verdict);
    if (lab->diagnoser && !lab->is_silent && verdict != LAB_SKIPPED)
        lab->diagnoser(lab, lab->current, lab_verdict_word(verdict));
}

void lab_note(struct lab *lab, enum lab_verdict verdict, json_t *mismatch, const char *reason,
              ...) {
    va_list values;

    va_start(values, reason);
    note(lab, verdict, mismatch, reason, values);
    va_end(values);
}

void lab_note_known(struct lab *lab, const char *id, enum lab_verdict verdict, const char *reason,
                    ...) {
    lab_diagnoser *diagnoser = lab->diagnoser;
    va_list values;

    lab->diagnoser = NULL;
    va_start(values, reason);
    note(lab, verdict, NULL, reason, values);
    va_end(values);
    lab->diagnoser = diagnoser;
    lab_diagnose(lab, id);
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

bool lab_fails_only_beyond(const struct lab *lab, uint64_t n, uint64_t limit) {
    return n > limit && lab->cases_passed > 0;
}

void lab_diagnose(struct lab *lab, const char *id) {
    if (!lab->now.diagnosis && id)
        lab->now.diagnosis = strdup(id);
}

void lab_set_diagnoser(struct lab *lab, lab_diagnoser *diagnoser) {
    lab->diagnoser = diagnoser;
}

/* Any bytes as a JSON string: what is not UTF-8 becomes U+FFFD. "" for NULL. */
static json_t *json_text(const char *text) {
    const char *from = text ? text : "";
    size_t left = strlen(from);
    char *clean = malloc(3 * left + 1), *to = clean;
    json_t *value;

    if (!clean)
        return json_string("");
    while (left > 0) {
        size_t n = text_utf8_length(from, left);

        if (n == 0) {
            memcpy(to, "\xef\xbf\xbd", 3); /* U+FFFD, replacement character */
            to += 3;
            n = 1;
        } else {
            memcpy(to, from, n);
            to += n;
        }
        from += n;
        left -= n;
    }
    *to = '\0';
    value = json_string(clean);
    free(clean);
    return value;
}

static json_t *case_json(const struct lab_failure *kept) {
    char seed[24];

    if (!kept->has_case)
        return json_null();
    snprintf(seed, sizeof seed, "%016llx", (unsigned long long)kept->c.seed);
    return json_pack("{s:I, s:I, s:s, s:o}", "n", (json_int_t)kept->c.n, "block",
                     (json_int_t)kept->c.block, "seed", seed, "words",
                     kept->described ? json_text(kept->described) : json_null());
}

/* A borrowed value, or a fresh `empty` where there is none. */
static json_t *value_or(json_t *value, json_t *empty) {
    if (!value)
        return empty;
    json_decref(empty);
    return json_incref(value);
}

json_t *lab_result_document(struct lab *lab, double seconds) {
    struct lab_failure *kept = &lab->kept;
    char test[256];

    if (kept->verdict == LAB_PASS)
        gather(lab, kept); /* a test that passed shows its last call */
    snprintf(test, sizeof test, "%s.%s", lab->tier, lab->name);
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:O, s:O, s:O, s:O, s:n, s:o, s:I, "
        "s:o, s:o, s:f}",
        "test", test, "verdict", lab_verdict_word(kept->verdict), "reason", json_text(kept->reason),
        "diagnosis", kept->diagnosis ? json_string(kept->diagnosis) : json_null(), "case",
        case_json(kept), "cases_passed", (json_int_t)lab->cases_passed, "mismatch",
        value_or(kept->mismatch, json_null()), "data", value_or(kept->data, json_null()),
        "findings", value_or(kept->findings, json_array()), "launches",
        value_or(kept->launches, json_array()), "technique", lab->technique, "predictions",
        lab->predictions, "timeline", lab->timeline, "bench", lab->bench, "experiment", "output",
        json_text(kept->output), "output_dropped", (json_int_t)kept->output_dropped, "host",
        value_or(kept->host, json_null()), "unread", value_or(kept->unread, json_null()), "seconds",
        seconds);
}

enum lab_verdict lab_result_verdict(const json_t *document) {
    const char *word = json_string_value(json_object_get(document, "verdict"));

    return word ? lab_verdict_of(word) : LAB_N_VERDICTS;
}

char *lab_result_path(const char *folder, const char *tier, const char *name) {
    return text_format("%s/%s.%s.json", folder, tier, name);
}

bool lab_result_write(const json_t *document, const char *folder) {
    const char *test = json_string_value(json_object_get(document, "test"));
    OWNED char *text = test ? json_dumps(document, JSON_COMPACT) : NULL;
    bool done = false;

    if (text && file_is_directory(folder)) {
        OWNED char *path = text_format("%s/%s.json", folder, test);
        done = file_write(path, text, strlen(text), NULL) == GRADER_OK;
    }
    return done;
}

bool lab_result_hangs(const json_t *document) {
    const char *verdict = json_string_value(json_object_get(document, "verdict"));
    const json_t *findings = json_object_get(document, "findings"), *finding;
    size_t i;

    json_array_foreach(findings, i, finding) {
        if (lab_is_stop(json_string_value(json_object_get(finding, "kind"))))
            return false;
    }
    return verdict && strcmp(verdict, "timeout") == 0;
}

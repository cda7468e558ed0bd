/*
 * The result document. It is what the grader believes, so it is built by a JSON library from
 * checked values, and appears in its folder under its own name only when it is complete.
 */
#include "common/harness/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"

json_t *lab_json_text(const char *text) {
    const char *from = text != NULL ? text : "";
    size_t left = strlen(from);
    char *clean = malloc(3 * left + 1), *to = clean;
    json_t *value;

    if (clean == NULL)
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
    return json_pack("{s:I, s:I, s:s}", "n", (json_int_t)kept->c.n, "block",
                     (json_int_t)kept->c.block, "seed", seed);
}

/* A borrowed value, or a fresh `empty` where there is none. */
static json_t *value_or(json_t *value, json_t *empty) {
    if (value == NULL)
        return empty;
    json_decref(empty);
    return json_incref(value);
}

json_t *lab_result_document(struct lab *lab, double seconds) {
    struct lab_failure *kept = &lab->kept;
    char test[256];

    if (kept->verdict == LAB_PASS)
        lab_gather(lab, kept); /* a test that passed shows its last call */
    snprintf(test, sizeof test, "%s.%s", lab->tier, lab->name);
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:O, s:O, s:O, s:o, s:I, s:f}", "test", test,
        "verdict", lab_verdict_word(kept->verdict), "reason", lab_json_text(kept->reason),
        "diagnosis", kept->diagnosis != NULL ? json_string(kept->diagnosis) : json_null(), "case",
        case_json(kept), "cases_passed", (json_int_t)lab->cases_passed, "mismatch",
        value_or(kept->mismatch, json_null()), "findings", value_or(kept->findings, json_array()),
        "launches", value_or(kept->launches, json_array()), "technique", lab->technique,
        "predictions", lab->predictions, "bench", lab->bench, "output", lab_json_text(kept->output),
        "output_dropped", (json_int_t)kept->output_dropped, "seconds", seconds);
}

bool lab_result_write(const json_t *document, const char *folder) {
    const char *test = json_string_value(json_object_get(document, "test"));
    char *text = test != NULL ? json_dumps(document, JSON_COMPACT) : NULL;
    bool done = false;

    if (text != NULL && file_is_directory(folder)) {
        char *path = text_format("%s/%s.json", folder, test);
        done = file_write(path, text, strlen(text), NULL) == GRADER_OK;
        free(path);
    }
    free(text);
    return done;
}

bool lab_is_stop(const char *kind) {
    return kind != NULL && (strcmp(kind, "endless") == 0 || strcmp(kind, "costly") == 0 ||
                            strcmp(kind, "late") == 0);
}

bool lab_result_hangs(const json_t *document) {
    const char *verdict = json_string_value(json_object_get(document, "verdict"));
    const json_t *findings = json_object_get(document, "findings"), *finding;
    size_t i;

    json_array_foreach(findings, i, finding) {
        if (lab_is_stop(json_string_value(json_object_get(finding, "kind"))))
            return false;
    }
    return verdict != NULL && strcmp(verdict, "timeout") == 0;
}

/* Gathers the lines and causes that a record tells, and compares each with the truth. */
#include "grader/verify/measure/telling.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/evidence/observe.h"
#include "grader/grade/record.h"
#include "grader/verify/measure/places.h"

/* Lines from the mistake where an edit of the right kind still mends the same: a barrier has room
 * to move. */
enum { EDIT_SLACK = 3 };

/* Edits that say what a line meets; what brings that about may stand anywhere. */
static const char facts[] =
    "barrier_before barrier_after barrier_between written inside below snapshot stay atomic";

/* Those of them that say no more than that: they are true wherever the mistake is. */
static const char observations[] = "written inside below output_cleared memory_cleared fresh";

/* Diagnoses that the harness makes in each lab, of what it has counted, was returned or tried: they
 * are true, too. A lab's own are told by its manifest. */
static const char observed[] =
    "block_refused call_error_swallowed copy_past_the_end depends_on_order error_left_pending "
    "fill_past_the_end "
    "host_memory_kept launch_error_swallowed library_kernel memory_kept memory_kept_after_error "
    "nothing_launched object_kept object_never_made other_grid other_stream "
    "question_error_swallowed state_between_calls stores_beside work_on_the_host";

/* True where a line is at most `slack` lines from one that the mistake changed. */
static bool is_near(const struct truth *truth, json_int_t line, unsigned slack) {
    bool is_there = false;
    if (line <= 0 || line > UINT32_MAX)
        return false;
    OWNED_BY(places_finish) struct places places;
    places_read(&places, truth->text ? truth->text : "");
    for (unsigned i = 0; i < truth->n_lines; i++)
        is_there |= places_between(&places, (unsigned)line, truth->lines[i]) <= slack;
    for (unsigned i = 0; i < truth->n_gaps; i++)
        is_there |= places_are_together(&places, truth->gaps[i], (unsigned)line);
    return is_there;
}

static bool is_true_line(const struct truth *truth, json_int_t line) {
    return is_near(truth, line, truth->slack);
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The name that a line sets: the word before its first `=`; false where there is none. */
static bool find_set(const char *line, size_t length, const char **name, size_t *bytes) {
    for (size_t i = 1; i + 1 < length; i++) {
        if (line[i] != '=' || line[i + 1] == '=' || strchr("=<>!+-*/%&|^", line[i - 1]))
            continue;
        size_t end = i, first;
        while (end > 0 && isspace((unsigned char)line[end - 1]))
            end--;
        for (first = end; first > 0 && is_word(line[first - 1]);)
            first--;
        *name = line + first;
        *bytes = end - first;
        return end > first;
    }
    return false;
}

static bool has_word(const char *line, size_t length, const char *word, size_t bytes) {
    for (size_t i = 0; i + bytes <= length; i++)
        if (strncmp(line + i, word, bytes) == 0 && (i == 0 || !is_word(line[i - 1])) &&
            (i + bytes == length || !is_word(line[i + bytes])))
            return true;
    return false;
}

/* True for a line that uses what a line sets which the mistake changed: the value is the same. */
static bool uses_what_is_set(const struct truth *truth, json_int_t line) {
    size_t length = 0, changed_length = 0, bytes = 0;
    const char *name = NULL;
    if (!truth->text || line <= 0 || line > UINT32_MAX)
        return false;
    const char *text = text_line(truth->text, (unsigned)line, &length);
    for (unsigned i = 0; text && i < truth->n_lines; i++) {
        const char *changed = text_line(truth->text, truth->lines[i], &changed_length);
        if (changed && find_set(changed, changed_length, &name, &bytes) &&
            has_word(text, length, name, bytes))
            return true;
    }
    return false;
}

static void tell_line(struct telling *telling, const struct truth *truth, json_int_t line) {
    telling->has_line |= line > 0;
    telling->line |= line > 0 && is_true_line(truth, line);
}

static bool has_true_line(const struct truth *truth, const json_t *lines) {
    size_t index;
    const json_t *line;
    bool is_there = false;
    json_array_foreach(lines, index, line) {
        is_there |= is_true_line(truth, json_integer_value(line));
    }
    return is_there;
}

/* One side of a finding; true where that is a changed line. */
static bool tell_side(struct telling *telling, const struct truth *truth, const json_t *side) {
    const json_int_t line = record_count(side, "line");
    if (strcmp(file_base(record_text(side, "file")), truth->source) != 0)
        return false;
    tell_line(telling, truth, line);
    return is_true_line(truth, line);
}

/* NAME:LINE or NAME(LINE) in a text. */
static void tell_text(struct telling *telling, const struct truth *truth, const char *text) {
    size_t bytes = strlen(truth->source);
    for (const char *at = text; (at = strstr(at, truth->source)); at += bytes) {
        if (at[bytes] && strchr(":(", at[bytes]) && isdigit((unsigned char)at[bytes + 1]))
            tell_line(telling, truth, strtol(at + bytes + 1, NULL, 10));
    }
}

static void tell_lines(struct telling *telling, const struct truth *truth, const json_t *lines) {
    size_t index;
    const json_t *line;
    json_array_foreach(lines, index, line) {
        tell_line(telling, truth, json_integer_value(line));
    }
}

static void add_cause(struct telling *telling, const json_t *test, const char *kind,
                      json_int_t line, const char *says, bool is_right, bool is_false) {
    telling->has_cause = true;
    telling->kind |= is_right;
    telling->is_false |= is_false;
    json_array_append_new(telling->causes,
                          json_pack("{s:s, s:s, s:I, s:s, s:b, s:b}", "test",
                                    record_text(test, "name"), "kind", kind, "line", line, "says",
                                    says, "right", is_right, "false", is_false));
}

/* True for a diagnosis that says what was seen, and nothing of why. */
static bool is_observed(const struct manifest *manifest, const char *id) {
    const struct manifest_diagnosis *known =
        manifest ? manifest_diagnosis_find(manifest, id) : NULL;
    return (known && known->seen) || observe_has(id) || text_is_like(id, observed);
}

static void tell_diagnosis(struct telling *telling, const struct truth *truth, const json_t *test) {
    const json_t *diagnosis = json_object_get(test, "diagnosis");
    const char *id = record_text(diagnosis, "id");
    if (!*id)
        return;
    bool is_right = (topics_of_labs(truth->manifest, id) & truth->topics) != 0;
    tell_lines(telling, truth, json_object_get(diagnosis, "lines"));
    add_cause(telling, test, id, 0, record_text(diagnosis, "text"), is_right,
              !is_right && !is_observed(truth->manifest, id));
}

/* Where a function fails is told behind what else was seen, too. */
static void tell_where(struct telling *telling, const struct truth *truth, const json_t *test) {
    const json_t *diagnosis = json_object_get(test, "diagnosis"),
                 *where = json_object_get(json_object_get(test, "experiment"), "where");
    const char *words = record_text(where, "where"), *id = record_text(diagnosis, "id");
    if (!*words || text_is_like(id, "where_*") || !strstr(record_text(diagnosis, "text"), words))
        return;
    OWNED char *kind = text_format("where_%s", record_text(where, "is"));
    add_cause(telling, test, kind, 0, words, (topics_of_diagnosis(kind) & truth->topics) != 0,
              false);
}

/* True for a line that the mistake changed. */
static bool is_changed(const struct truth *truth, json_int_t line) {
    for (unsigned i = 0; i < truth->n_lines; i++)
        if (truth->lines[i] == line)
            return true;
    return false;
}

/* The edit that is told: the first of those that were proven. */
static void tell_experiment(struct telling *telling, const struct truth *truth,
                            const json_t *test) {
    const json_t *proof =
        json_array_get(json_object_get(json_object_get(test, "experiment"), "proven"), 0);
    json_int_t line = record_count(proof, "line");
    const char *kind = record_text(proof, "edit");
    bool is_kind = (topics_of_edit(kind) & truth->topics) != 0;
    bool is_observation = text_is_like_any_case(kind, observations);
    bool is_right = is_kind && (line == 0 || text_is_like_any_case(kind, facts) ||
                                is_near(truth, line, EDIT_SLACK) || uses_what_is_set(truth, line));
    /* With the changed line mended, in other words perhaps, the case passed. */
    is_right |= !is_observation && is_changed(truth, line);
    if (!proof)
        return;
    tell_line(telling, truth, line);
    tell_lines(telling, truth, json_object_get(proof, "lines"));
    add_cause(telling, test, kind, line, record_text(proof, "sentence"), is_right,
              !is_right && !(line > 0 && is_true_line(truth, line)) && !is_observation);
}

/* Where a kernel is launched, or named. */
static void tell_launches(struct telling *telling, const struct truth *truth, const json_t *what) {
    tell_lines(telling, truth, json_object_get(what, "launched"));
    tell_lines(telling, truth, json_object_get(what, "handed"));
    tell_lines(telling, truth, json_object_get(what, "named"));
}

/* Where an element was set; the launch is shown beside that. */
static void tell_mismatch(struct telling *telling, const struct truth *truth,
                          const json_t *mismatch) {
    const json_t *lines = json_object_get(mismatch, "lines");
    tell_lines(telling, truth, lines);
    if (json_array_size(lines) > 0)
        tell_launches(telling, truth, mismatch);
}

/* True where the finding speaks of what the launch hands over, and a changed line is that launch or
 * made it. */
static bool is_handed(const struct truth *truth, const json_t *finding) {
    const json_t *lines = json_object_get(finding, "launched"), *line;
    const char *message = record_text(finding, "message");
    size_t index;
    bool is_so = false;
    if (!strstr(message, "which the launch hands over") &&
        !strstr(message, "bytes of shared memory"))
        return false;
    json_array_foreach(lines, index, line) {
        is_so |= uses_what_is_set(truth, json_integer_value(line));
    }
    return is_so || has_true_line(truth, lines);
}

/* What the simulator has seen, and where: it is true, and right where it speaks of what was
 * changed, and points there; or where a changed line is shown as one of those that set the index or
 * the value there (`behind`). */
static void tell_finding(struct telling *telling, const struct truth *truth, const json_t *test,
                         const json_t *finding) {
    const json_t *here = json_object_get(finding, "here");
    const char *kind = record_text(finding, "kind");
    bool is_there = tell_side(telling, truth, here);
    is_there |= tell_side(telling, truth, json_object_get(finding, "other"));
    tell_launches(telling, truth, finding);
    tell_lines(telling, truth, json_object_get(finding, "lines"));
    bool is_kind = (topics_of_diagnosis(kind) & truth->topics) != 0;
    add_cause(telling, test, kind, record_count(here, "line"), record_text(finding, "message"),
              is_there && is_kind, false);
    if (!is_there && is_kind &&
        (has_true_line(truth, json_object_get(finding, "lines")) || is_handed(truth, finding)))
        add_cause(telling, test, "behind", record_count(here, "line"),
                  record_text(finding, "message"), true, false);
}

/* Code of the host that touched what lies beside an array: so it was, and it is right where it
 * speaks of what was changed, and points there. */
static void tell_crash(struct telling *telling, const struct truth *truth, const json_t *test) {
    const json_t *host = json_object_get(test, "host");
    const json_int_t line = record_count(host, "line");
    if (strcmp(record_text(test, "verdict"), "crash") != 0 ||
        !strstr(record_text(test, "reason"), " of \""))
        return;
    add_cause(
        telling, test, "touched", line, record_text(test, "reason"),
        (is_true_line(truth, line) || has_true_line(truth, json_object_get(host, "callers"))) &&
            (topics_of_diagnosis("out_of_bounds") & truth->topics) != 0,
        false);
}

/* What a technique test has counted too much of, or too little: it is true, and right where it
 * speaks of what was changed. */
static void tell_counted(struct telling *telling, const struct truth *truth, const json_t *test) {
    size_t index;
    const json_t *check;
    if (strcmp(record_text(test, "verdict"), "technique") != 0)
        return;
    json_array_foreach(json_object_get(test, "technique"), index, check) {
        const char *what = record_text(check, "what");
        tell_lines(telling, truth, json_object_get(check, "lines"));
        if (json_is_false(json_object_get(check, "holds")))
            add_cause(telling, test, "counted", 0, what,
                      (topics_of_word(what) & truth->topics) != 0, false);
    }
}

/* Why the device refused a launch, as the reason has it behind the error: it is true, and right
 * where its words speak of what was changed. */
static void tell_refused(struct telling *telling, const struct truth *truth, const json_t *test) {
    const char *reason = record_text(test, "reason"), *error = strstr(reason, " returned cuda");
    const char *why = error ? strstr(error, "): ") : NULL;
    if (why && strcmp(record_text(test, "verdict"), "cuda_error") == 0)
        add_cause(telling, test, "refused", 0, why + 3,
                  (topics_of_word(why + 3) & truth->topics) != 0, false);
}

void telling_read(struct telling *telling, const json_t *lab, const struct truth *truth) {
    size_t index, k;
    const json_t *test, *finding;
    *telling = (struct telling){.causes = json_array()};
    /* What nvcc warns of is shown, too, as a rule above the first failure. */
    tell_text(telling, truth, record_text(json_object_get(lab, "compile"), "messages"));
    if (strcmp(record_text(lab, "verdict"), "compile_error") == 0) {
        telling->has_cause = true;
        telling->kind = telling->line;
    }
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        if (verdict_of_test(record_text(test, "verdict"))->kind != VERDICT_BAD)
            continue;
        json_array_foreach(json_object_get(test, "findings"), k, finding) {
            tell_finding(telling, truth, test, finding);
        }
        tell_text(telling, truth, record_text(test, "reason"));
        tell_mismatch(telling, truth, json_object_get(test, "mismatch"));
        tell_line(telling, truth, record_count(json_object_get(test, "host"), "line"));
        tell_lines(telling, truth, json_object_get(json_object_get(test, "host"), "callers"));
        tell_lines(telling, truth, json_object_get(json_object_get(test, "host"), "asked"));
        tell_lines(telling, truth, json_object_get(json_object_get(test, "host"), "conditions"));
        tell_lines(telling, truth, json_object_get(json_object_get(test, "host"), "made"));
        tell_counted(telling, truth, test);
        tell_refused(telling, truth, test);
        tell_crash(telling, truth, test);
        tell_diagnosis(telling, truth, test);
        tell_where(telling, truth, test);
        tell_experiment(telling, truth, test);
    }
}

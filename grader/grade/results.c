/* The layout of a test's result, as tables, and a walk over a document by them. */
#include "grader/grade/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"

/* The harness keeps its documents several times smaller (common/harness/result.c). */
enum { RESULT_BYTES = 8 << 20, MAX_ITEMS = 4096, MAX_TEXT = 1 << 16, MAX_LINES = 16 };

enum kind {
    TEXT,
    COUNT,
    INTEGER,
    REAL,
    TRUTH,
    TRIPLE,
    COUNTS,
    NUMBERS,
    SITES,
    LINES,
    OBJECT,
    LIST
};

/* A key of an object. `fields` lays out an OBJECT, or each item of a LIST. */
struct field {
    const char *key;
    enum kind kind;
    bool may_be_null;
    const struct field *fields;
};

static const struct field case_fields[] = {
    {"n", COUNT, false, NULL},
    {"block", COUNT, false, NULL},
    {"seed", TEXT, false, NULL},
    {"words", TEXT, true, NULL},
    {0},
};
static const struct field stored_fields[] = {
    {"behind", LINES, false, NULL}, {"kernel", TEXT, false, NULL}, {"file", TEXT, false, NULL},
    {"line", COUNT, false, NULL},   {"who", TEXT, false, NULL},    {0},
};
static const struct field place_fields[] = {
    {"file", TEXT, false, NULL},
    {"line", COUNT, false, NULL},
    {0},
};
static const struct field unread_fields[] = {
    {"name", TEXT, false, NULL},  {"by", TEXT, false, NULL},     {"first", COUNT, false, NULL},
    {"last", COUNT, false, NULL}, {"count", COUNT, false, NULL}, {0},
};
static const struct field mismatch_fields[] = {
    {"what", TEXT, false, NULL},         {"index", COUNT, false, NULL},
    {"expected", TEXT, false, NULL},     {"got", TEXT, true, NULL},
    {"block", COUNT, true, NULL},        {"thread", COUNT, true, NULL},
    {"launch", COUNT, true, NULL},       {"stored", OBJECT, true, stored_fields},
    {"news", LIST, false, place_fields}, {0},
};
static const struct field row_fields[] = {
    {"kind", TEXT, false, NULL},   {"name", TEXT, false, NULL},      {"launch", COUNT, true, NULL},
    {"block", COUNT, true, NULL},  {"line", COUNT, true, NULL},      {"first", COUNT, false, NULL},
    {"count", COUNT, false, NULL}, {"values", NUMBERS, false, NULL}, {0},
};
static const struct field data_fields[] = {
    {"rows", LIST, false, row_fields},
    {"wrong", COUNT, true, NULL},
    {0},
};
static const struct field access_fields[] = {
    {"file", TEXT, false, NULL},     {"line", COUNT, false, NULL}, {"block", TRIPLE, false, NULL},
    {"thread", TRIPLE, false, NULL}, {"what", TEXT, true, NULL},   {0},
};
static const struct field finding_fields[] = {
    {"kind", TEXT, false, NULL},
    {"kernel", TEXT, false, NULL},
    {"place", TEXT, false, NULL},
    {"message", TEXT, false, NULL},
    {"advice", TEXT, false, NULL},
    {"count", COUNT, false, NULL},
    {"here", OBJECT, false, access_fields},
    {"other", OBJECT, true, access_fields},
    {"behind", LINES, false, NULL},
    {0},
};
static const struct field line_fields[] = {
    {"file", TEXT, false, NULL},
    {"line", COUNT, false, NULL},
    {"counters", COUNTS, false, NULL},
    {0},
};
static const struct field launch_fields[] = {
    {"kernel", TEXT, false, NULL},       {"grid", TRIPLE, false, NULL},
    {"block", TRIPLE, false, NULL},      {"shared_bytes", COUNT, false, NULL},
    {"status", TEXT, false, NULL},       {"counters", COUNTS, false, NULL},
    {"lines", LIST, false, line_fields}, {0},
};
static const struct field technique_fields[] = {
    {"what", TEXT, false, NULL},    {"got", COUNT, false, NULL},   {"relation", TEXT, false, NULL},
    {"wanted", COUNT, false, NULL}, {"holds", TRUTH, false, NULL}, {0},
};
static const struct field prediction_fields[] = {
    {"variable", TEXT, false, NULL},    {"question", TEXT, false, NULL},
    {"answered", TRUTH, false, NULL},   {"predicted", INTEGER, true, NULL},
    {"counted", INTEGER, false, NULL},  {"right", TRUTH, false, NULL},
    {"explanation", TEXT, false, NULL}, {0},
};
static const struct field timeline_fields[] = {
    {"engine", TEXT, false, NULL},
    {"start_ns", COUNT, false, NULL},
    {"end_ns", COUNT, false, NULL},
    {0},
};
static const struct field bench_fields[] = {
    {"n", COUNT, false, NULL},        {"block", COUNT, false, NULL},
    {"bytes", COUNT, false, NULL},    {"unit", TEXT, false, NULL},
    {"median_ms", REAL, false, NULL}, {"min_ms", REAL, false, NULL},
    {"max_ms", REAL, false, NULL},    {"samples", COUNT, false, NULL},
    {"spread", REAL, false, NULL},    {"gbps", REAL, false, NULL},
    {"copy_gbps", REAL, true, NULL},  {"share_of_copy", REAL, true, NULL},
    {"peak_gbps", REAL, true, NULL},  {0},
};
static const struct field proven_fields[] = {
    {"edit", TEXT, false, NULL},  {"is", TEXT, false, NULL},       {"file", TEXT, true, NULL},
    {"line", COUNT, true, NULL},  {"kernel", TEXT, true, NULL},    {"from", INTEGER, false, NULL},
    {"to", INTEGER, false, NULL}, {"sentence", TEXT, false, NULL}, {0},
};
static const struct field term_fields[] = {
    {"name", TEXT, false, NULL},   {"first", COUNT, false, NULL},      {"last", COUNT, false, NULL},
    {"got", INTEGER, false, NULL}, {"expected", INTEGER, false, NULL}, {0},
};
static const struct field terms_fields[] = {
    {"what", TEXT, false, NULL},
    {"index", COUNT, false, NULL},
    {"is_sum", TRUTH, false, NULL},
    {"off_by", INTEGER, false, NULL},
    {"more", COUNT, false, NULL},
    {"list", LIST, false, term_fields},
    {0},
};
static const struct field where_fields[] = {
    {"is", TEXT, false, NULL},
    {"where", TEXT, false, NULL},
    {"failed", COUNT, false, NULL},
    {"passed", COUNT, false, NULL},
    {0},
};
static const struct field experiment_fields[] = {
    {"tried", COUNT, false, NULL},
    {"proven", LIST, false, proven_fields},
    {"terms", OBJECT, true, terms_fields},
    {"where", OBJECT, true, where_fields},
    {0},
};
static const struct field asked_fields[] = {{"sites", SITES, false, NULL}, {0}};
static const struct field host_fields[] = {
    {"did", TEXT, false, NULL},
    {"sites", SITES, false, NULL},
    {"asked", LIST, false, asked_fields},
    {0},
};
static const struct field result_fields[] = {
    {"test", TEXT, false, NULL},
    {"verdict", TEXT, false, NULL},
    {"reason", TEXT, true, NULL},
    {"diagnosis", TEXT, true, NULL},
    {"case", OBJECT, true, case_fields},
    {"cases_passed", COUNT, false, NULL},
    {"mismatch", OBJECT, true, mismatch_fields},
    {"data", OBJECT, true, data_fields},
    {"findings", LIST, false, finding_fields},
    {"launches", LIST, false, launch_fields},
    {"technique", LIST, false, technique_fields},
    {"predictions", LIST, false, prediction_fields},
    {"timeline", LIST, false, timeline_fields},
    {"bench", LIST, false, bench_fields},
    {"experiment", OBJECT, true, experiment_fields},
    {"output", TEXT, false, NULL},
    {"output_dropped", COUNT, false, NULL},
    {"host", OBJECT, true, host_fields},
    {"unread", OBJECT, true, unread_fields},
    {"seconds", REAL, false, NULL},
    {0},
};

static bool is_count(const json_t *value) {
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool is_triple(const json_t *value) {
    if (!json_is_array(value) || json_array_size(value) != 3)
        return false;
    for (size_t i = 0; i < 3; i++) {
        if (!is_count(json_array_get(value, i)))
            return false;
    }
    return true;
}

static bool is_counts(const json_t *value) {
    const char *key;
    json_t *count;
    json_object_foreach((json_t *)value, key, count) {
        if (!is_count(count))
            return false;
    }
    return json_is_object(value);
}

/* Few numbers, each of which is text, or null where there is none. */
static bool is_numbers(const json_t *value) {
    enum { MAX_NUMBERS = 64, MAX_DIGITS = 40 };
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *number = json_array_get(value, i);
        if (!json_is_null(number) &&
            !(json_is_string(number) && json_string_length(number) <= MAX_DIGITS))
            return false;
    }
    return json_is_array(value) && json_array_size(value) <= MAX_NUMBERS;
}

/* At most so many counts: addresses, lines. */
static bool is_list_of(const json_t *value, size_t most) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!is_count(json_array_get(value, i)))
            return false;
    return json_is_array(value) && json_array_size(value) <= most;
}

static bool is_of_kind(const json_t *value, enum kind kind) {
    switch (kind) {
    case TEXT:
        return json_is_string(value) && json_string_length(value) <= MAX_TEXT;
    case COUNT:
        return is_count(value);
    case INTEGER:
        return json_is_integer(value);
    case REAL:
        return json_is_number(value) && isfinite(json_number_value(value)) &&
               json_number_value(value) >= 0;
    case TRUTH:
        return json_is_boolean(value);
    case TRIPLE:
        return is_triple(value);
    case COUNTS:
        return is_counts(value);
    case NUMBERS:
        return is_numbers(value);
    case SITES:
        return is_list_of(value, RESULTS_MAX_SITES);
    case LINES:
        return is_list_of(value, MAX_LINES);
    case OBJECT:
        return json_is_object(value);
    case LIST:
        return json_is_array(value) && json_array_size(value) <= MAX_ITEMS;
    }
    return false;
}

static bool check_object(const json_t *object, const struct field *fields, struct diag *diag);

static bool check_field(const json_t *object, const struct field *field, struct diag *diag) {
    static const char *const kinds[] = {
        [TEXT] = "a text",
        [COUNT] = "a count",
        [INTEGER] = "an integer",
        [REAL] = "a number",
        [TRUTH] = "true or false",
        [TRIPLE] = "three counts",
        [COUNTS] = "counts",
        [NUMBERS] = "a list of numbers",
        [SITES] = "a list of addresses",
        [LINES] = "a list of lines",
        [OBJECT] = "an object",
        [LIST] = "a list",
    };
    const json_t *value = json_object_get(object, field->key);
    if (field->may_be_null && json_is_null(value))
        return true;
    if (!value || !is_of_kind(value, field->kind)) {
        diag_set(diag, NULL, 0, "the key '%s' is not %s", field->key, kinds[field->kind]);
        return false;
    }
    if (field->kind == OBJECT)
        return check_object(value, field->fields, diag);
    for (size_t i = 0; field->kind == LIST && i < json_array_size(value); i++) {
        if (!check_object(json_array_get(value, i), field->fields, diag))
            return false;
    }
    return true;
}

/* Every field is there, and nothing else. */
static bool check_object(const json_t *object, const struct field *fields, struct diag *diag) {
    size_t n = 0;
    if (!json_is_object(object)) {
        diag_set(diag, NULL, 0, "an item of a list is not an object");
        return false;
    }
    for (; fields[n].key; n++) {
        if (!check_field(object, &fields[n], diag))
            return false;
    }
    if (json_object_size(object) == n)
        return true;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        size_t i = 0;
        while (i < n && strcmp(fields[i].key, key) != 0)
            i++;
        if (i == n)
            diag_set(diag, NULL, 0, "there is an unknown key '%.60s'", key);
    }
    return false;
}

void results_distrust(json_t *document) {
    static const struct field untrusted[] = {
        {"findings", LIST, false, finding_fields},
        {"launches", LIST, false, launch_fields},
    };
    struct diag diag;
    for (size_t i = 0; i < sizeof untrusted / sizeof *untrusted; i++) {
        const json_t *list = json_object_get(document, untrusted[i].key);
        if (!list || check_field(document, &untrusted[i], &diag))
            continue;
        OWNED char *reason =
            text_format("The process that ran your code reported %s that the simulator "
                        "does not write: %s.",
                        untrusted[i].key, diag.message);
        json_object_set_new(document, untrusted[i].key, json_array());
        json_object_set_new(document, "verdict", json_string("protocol"));
        json_object_set_new(document, "reason", json_string(reason));
        json_object_set_new(document, "diagnosis", json_null());
    }
}

bool results_check(const json_t *document, const char *test, struct diag *diag) {
    if (!check_object(document, result_fields, diag))
        return false;
    const char *name = json_string_value(json_object_get(document, "test"));
    const char *verdict = json_string_value(json_object_get(document, "verdict"));
    if (strcmp(name, test) != 0)
        diag_set(diag, NULL, 0, "it is of the test '%.60s'", name);
    else if (!verdict_of_test(verdict))
        diag_set(diag, NULL, 0, "there is no verdict '%.60s'", verdict);
    else
        return true;
    return false;
}

/* Replaces what a terminal would act upon in every text of a document. */
static void clean(json_t *value) {
    if (json_is_string(value)) {
        OWNED char *text = text_clean(json_string_value(value), json_string_length(value), true);
        json_string_set(value, text);
        return;
    }
    size_t index;
    const char *key;
    json_t *item;
    json_array_foreach(value, index, item) clean(item);
    json_object_foreach(value, key, item) clean(item);
}

json_t *results_read(const char *folder, const char *test, bool *is_there, struct diag *diag) {
    OWNED char *path = text_format("%s/%s.json", folder, test), *bytes = NULL;
    size_t n_bytes;
    json_error_t error;
    struct diag problem;
    json_t *document = NULL;
    *is_there = file_is_regular(path);
    if (!*is_there) {
        diag_set(diag, NULL, 0, "The test %s left no result.", test);
    } else if (file_read(path, RESULT_BYTES, &bytes, &n_bytes, &problem) != GRADER_OK) {
        diag_set(diag, NULL, 0, "The result of %s is unusable: %.500s.", test, problem.message);
    } else if (!(document = json_loadb(bytes, n_bytes, JSON_REJECT_DUPLICATES, &error))) {
        diag_set(diag, NULL, 0, "The result of %s is no JSON: %s (line %d).", test, error.text,
                 error.line);
    } else if (results_distrust(document), !results_check(document, test, &problem)) {
        diag_set(diag, NULL, 0, "The result of %s is corrupt: %.500s.", test, problem.message);
        json_decref(document);
        document = NULL;
    } else {
        clean(document);
    }
    return document;
}

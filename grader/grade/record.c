/* Builds the record of a lab, test by test, and of a run, lab by lab; has the tables of verdicts.
 */
#include "grader/grade/record.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "common/simt/program/edit/edit.h"
#include "grader/config.h"
#include "grader/grade/source/assignments.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"
#include "grader/grade/evidence/observe.h"
#include "grader/grade/evidence/setters.h"
#include "grader/workbook/case_names.h"

/* A NUL-terminated text as JSON, made valid UTF-8 where it is not. */
static json_t *json_text(const char *text) {
    OWNED char *clean = text_clean(text, strlen(text), true);
    return json_string(clean);
}

const char *record_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

json_int_t record_count(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

/* How many bytes of a reason are the function's name. */
static size_t name_bytes(const char *reason) {
    return strcspn(reason, " (:");
}

char *record_function(const json_t *test) {
    const char *reason = record_text(test, "reason");
    return text_format("%.*s", (int)name_bytes(reason), reason);
}

bool record_is_of_one_function(const json_t *a, const json_t *b) {
    const char *one = record_text(a, "reason"), *other = record_text(b, "reason");
    const size_t bytes = name_bytes(one);
    return name_bytes(other) == bytes && strncmp(one, other, bytes) == 0;
}

json_t *record_lab(const struct target *target) {
    const struct manifest *manifest = target->manifest;
    unsigned points = manifest ? manifest_points(manifest) : 0;
    OWNED char *real = realpath(target->source, NULL);
    json_t *lab = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:n, s:i, s:i, s:i, s:b, s:n, s:n, s:[]}", "name",
        target->lab->name, "title", manifest ? manifest->title : target->lab->name, "source",
        json_text(target->source), "path", json_text(real ? real : target->source), "verdict",
        "infrastructure", "reason", "points", 0, "max_points", (int)points, "skipped_points", 0,
        "complete", true, "sha256", "compile", "tests");
    return lab;
}

void record_compile(json_t *lab, const struct build_result *build) {
    if (build->sha256[0])
        json_object_set_new(lab, "sha256", json_string(build->sha256));
    json_object_set_new(lab, "compile",
                        json_pack("{s:b, s:b, s:f, s:o}", "compiled", build->compiled, "from_cache",
                                  build->from_cache, "seconds", build->ms / 1e3, "messages",
                                  json_text(build->messages)));
}

void record_refuse(json_t *lab, const char *verdict, const char *reason) {
    json_object_set_new(lab, "verdict", json_string(verdict));
    json_object_set_new(lab, "reason", json_text(reason));
}

json_t *record_blank_test(const char *test, const char *verdict, const char *reason) {
    return json_pack(
        "{s:s, s:s, s:o, s:n, s:n, s:i, s:n, s:n, s:[], s:[], s:[], s:[], s:[], s:[], s:n, s:s, "
        "s:i, s:n, s:n, s:f}",
        "test", test, "verdict", verdict, "reason", json_text(reason), "diagnosis", "case",
        "cases_passed", 0, "mismatch", "data", "findings", "launches", "technique", "predictions",
        "timeline", "bench", "experiment", "output", "", "output_dropped", 0, "host", "unread",
        "seconds", 0.0);
}

/* The known mistake that the findings of a document mean: the one that its reason speaks of, else
 * the first that means any. NULL where none does. */
static const struct manifest_diagnosis *diagnosis_of_findings(const struct manifest *manifest,
                                                              const json_t *document) {
    const struct manifest_diagnosis *found = NULL;
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(document, "findings"), index, finding) {
        const struct manifest_diagnosis *meant =
            manifest_diagnosis_of_finding(manifest, record_text(finding, "kind"));
        if (meant && strstr(record_text(document, "reason"), record_text(finding, "message")))
            return meant;
        found = found ? found : meant;
    }
    return found;
}

/* The student's source, as it is now; "" where it can't be read. The caller frees it. */
static char *read_source(const json_t *lab) {
    struct diag diag;
    char *text;
    size_t bytes;
    return file_read_source(record_text(lab, "path"), &text, &bytes, &diag) == GRADER_OK
               ? text
               : text_format("%s", "");
}

char *record_plain_name(const char *kernel) {
    return text_format("%.*s", (int)strcspn(kernel, "<"), kernel);
}

json_t *record_kernels(const json_t *document) {
    json_t *names = json_array(), *launch;
    size_t index;
    json_array_foreach(json_object_get(document, "launches"), index, launch) {
        OWNED char *plain = record_plain_name(record_text(launch, "kernel"));
        if (record_index(names, plain) == json_array_size(names))
            json_array_append_new(names, json_text(plain));
    }
    return names;
}

bool record_is_of_file(const json_t *lab, const json_t *place) {
    return record_count(place, "line") > 0 && strcmp(file_base(record_text(place, "file")),
                                                     file_base(record_text(lab, "source"))) == 0;
}

json_t *record_lines_run(const json_t *lab, const json_t *test) {
    json_t *lines = json_array();
    const json_t *launch, *line;
    size_t i, k;
    json_array_foreach(json_object_get(test, "launches"), i, launch) {
        json_array_foreach(json_object_get(launch, "lines"), k, line) {
            if (record_is_of_file(lab, line))
                json_array_append(lines, json_object_get(line, "line"));
        }
    }
    return lines;
}

/* Where it lies that kernels stored nothing, or not all: what keeps threads from it, and the end.
 */
static json_t *lines_of_a_silent_kernel(const char *source, const json_t *kernels) {
    json_t *lines = lines_of_branches(source, kernels);
    json_auto_t *ends = lines_of_ends(source, kernels);
    json_array_extend(lines, ends);
    return lines;
}

/* Where launches are made and their shapes; of a call that launched nothing, what may have kept it
 * from that; of a call for no elements, what may have told it from others, too. Of a call on a GPU
 * nobody knows: its document lists no launches. */
static json_t *lines_of_the_launch(const char *source, const char *function, const json_t *kernels,
                                   const json_t *document) {
    const bool is_known = json_is_array(json_object_get(document, "launches"));
    const json_t *n = json_object_get(json_object_get(document, "case"), "n");
    const bool has_nothing_to_do = json_is_integer(n) && json_integer_value(n) == 0;
    if (is_known && json_array_size(kernels) == 0) {
        json_t *before = lines_before_launches(source, function);
        if (json_array_size(before) > 0)
            return before;
        json_decref(before);
    }
    json_t *lines = lines_with_shapes(source, lines_of_words(source, "<<<", function, kernels));
    if (has_nothing_to_do) {
        json_auto_t *before = lines_before_launches(source, function);
        json_array_extend(lines, before);
    }
    return lines_in_order(lines);
}

/* The lines of what a known mistake speaks of, in the function that the reason begins with or in
 * the kernels that it launched. */
static json_t *lines_of_diagnosis(const struct manifest_diagnosis *diagnosis,
                                  const json_t *document, const char *source) {
    if (!diagnosis->where)
        return json_array();
    OWNED char *function = record_function(document);
    json_auto_t *kernels = record_kernels(document);
    json_t *lines = strcmp(diagnosis->where, "}") == 0 ? lines_of_a_silent_kernel(source, kernels)
                    : strcmp(diagnosis->where, "<<<") == 0
                        ? lines_of_the_launch(source, function, kernels, document)
                        : lines_of_words(source, diagnosis->where, function, kernels);
    return lines;
}

/* The known mistake behind a test that failed; null where none is known. */
static json_t *diagnosis(const struct manifest *manifest, const json_t *document,
                         const char *source) {
    const json_t *named = json_object_get(document, "diagnosis");
    const struct manifest_diagnosis *found =
        json_is_string(named) ? manifest_diagnosis_find(manifest, json_string_value(named))
                              : diagnosis_of_findings(manifest, document);
    if (!found)
        return json_null();
    return json_pack("{s:s, s:s, s:s, s:o}", "id", found->id, "text", found->text, "hint",
                     found->hint, "lines", lines_of_diagnosis(found, document, source));
}

/* What an item of `proven` says, in the lab's own words. */
static void say(json_t *proven, const struct manifest_edit *words) {
    const char *kernel = record_text(proven, "kernel");
    struct simt_edit edit = {
        .kind = simt_edit_kind_of(record_text(proven, "edit")),
        .line = (uint32_t)record_count(proven, "line"),
        .from = record_count(proven, "from"),
        .to = record_count(proven, "to"),
    };
    char text[4096];
    snprintf(edit.place, sizeof edit.place, "%s", *kernel ? kernel : record_text(proven, "file"));
    json_object_set_new(proven, "sentence",
                        json_text(simt_edit_fill(&edit, words->text, text, sizeof text)));
}

/* What experiments proved, in the lab's own words where it has any, and where the launches stand
 * that are meant; a new reference. */
static json_t *experiment(const struct manifest *manifest, const struct manifest_test *test,
                          const json_t *document, const char *source) {
    json_t *copy = json_deep_copy(json_object_get(document, "experiment")), *proven;
    size_t index;
    json_array_foreach(json_object_get(copy, "proven"), index, proven) {
        const struct manifest_edit *words =
            manifest_edit_find(manifest, record_text(proven, "edit"), test->todo);
        if (words)
            say(proven, words);
        OWNED char *plain = record_plain_name(record_text(proven, "kernel"));
        json_object_set_new(proven, "lines",
                            *plain ? lines_with_shapes(source, lines_of_launches(source, plain))
                                   : json_array());
    }
    return copy;
}

/* The command that runs the failing case again. */
static json_t *reproduce(const json_t *document, const struct manifest *manifest,
                         const struct manifest_test *test, const char *again) {
    const json_t *c = json_object_get(document, "case");
    OWNED char *command = text_format("%s --test %s", again, test->name);
    if (json_is_object(c)) {
        OWNED char *text = case_say(case_names(manifest, test), (uint64_t)record_count(c, "n"),
                                    (uint64_t)record_count(c, "block"), record_text(c, "seed"));
        text_add(&command, " --case %s", text);
    }
    return json_text(command);
}

/* What is known of the model answer's speed, for now nothing. */
static void add_model_keys(json_t *record) {
    size_t index;
    json_t *bench;
    json_array_foreach(json_object_get(record, "bench"), index, bench) {
        json_object_set_new(bench, "model_gbps", json_null());
        json_object_set_new(bench, "share_of_model", json_null());
    }
}

void record_test(json_t *lab, const struct manifest *manifest, const struct manifest_test *test,
                 json_t *document, const char *reason, const char *again) {
    json_t *record =
        document ? json_copy(document) : record_blank_test(test->name, "infrastructure", reason);
    const struct verdict *verdict = verdict_of_test(record_text(record, "verdict"));
    bool is_good = verdict->kind == VERDICT_GOOD, is_nothing = verdict->kind == VERDICT_NOTHING;
    /* Lines of it are told of failures alone. */
    char *source = is_good || is_nothing ? text_format("%s", "") : read_source(lab);
    add_model_keys(record);
    json_object_del(record, "test");
    json_object_set_new(record, "name", json_string(test->name));
    json_object_set_new(record, "tier",
                        json_stringn(test->name, (size_t)selection_tier_length(test->name)));
    json_object_set_new(record, "claim", json_string(test->claim));
    json_object_set_new(record, "todo", test->todo > 0 ? json_integer(test->todo) : json_null());
    json_object_set_new(record, "rung", test->rung ? json_string(test->rung) : json_null());
    json_object_set_new(record, "points", json_integer(is_good ? test->points : 0));
    json_object_set_new(record, "max_points", json_integer(test->points));
    json_object_set_new(record, "diagnosis",
                        is_good || is_nothing ? json_null() : diagnosis(manifest, record, source));
    json_object_set_new(record, "experiment", experiment(manifest, test, record, source));
    json_object_set_new(record, "reproduce",
                        is_good || is_nothing ? json_null()
                                              : reproduce(record, manifest, test, again));
    json_array_append_new(json_object_get(lab, "tests"), record);
    free(source);
}

/* What a test's verdict means for its lab: a time that can't be judged is that test's own matter.
 */
static enum verdict_kind kind_for_lab(const json_t *test) {
    const char *word = record_text(test, "verdict");
    return strcmp(word, "too_noisy") == 0 ? VERDICT_NOTHING : verdict_of_test(word)->kind;
}

void record_close(json_t *lab, const struct manifest *manifest) {
    json_int_t points = 0, max_points = 0, skipped_points = 0;
    size_t index, n_good = 0, n_waiting = 0, n_nothing = 0, n_ours = 0;
    json_t *test;
    OWNED char *source = read_source(lab);
    record_doubt(lab, manifest, source);
    record_setters(lab, source);
    record_observe(lab, source);
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        enum verdict_kind kind = kind_for_lab(test);
        n_good += kind == VERDICT_GOOD;
        n_waiting += kind == VERDICT_WAITING;
        n_nothing += kind == VERDICT_NOTHING;
        n_ours += kind == VERDICT_OURS;
        points += record_count(test, "points");
        *(kind == VERDICT_NOTHING ? &skipped_points : &max_points) +=
            record_count(test, "max_points");
    }
    size_t n = json_array_size(json_object_get(lab, "tests"));
    const char *verdict = n_ours > 0                   ? "infrastructure"
                          : n_nothing == n             ? "skipped"
                          : n_good + n_nothing == n    ? "pass"
                          : n_waiting + n_nothing == n ? "not_written"
                                                       : "fail";
    json_object_set_new(lab, "verdict", json_string(verdict));
    json_object_set_new(lab, "points", json_integer(points));
    json_object_set_new(lab, "max_points", json_integer(max_points));
    json_object_set_new(lab, "skipped_points", json_integer(skipped_points));
}

static json_t *backend(const struct device *device) {
    json_t *gpu = json_null();
    if (device->is_gpu) {
        char capability[16];
        snprintf(capability, sizeof capability, "%d.%d", device->gpu.major, device->gpu.minor);
        gpu = json_pack("{s:o, s:s, s:i, s:I, s:f, s:i, s:i}", "name", json_text(device->gpu.name),
                        "compute_capability", capability, "multiprocessors", device->gpu.n_sm,
                        "memory_bytes", (json_int_t)device->gpu.global_bytes, "peak_gbps",
                        device->gpu.peak_gbps, "driver_version", device->gpu.driver_version,
                        "runtime_version", device->gpu.runtime_version);
    }
    return json_pack("{s:s, s:o, s:o}", "name", device->is_gpu ? "gpu" : "sim", "reason",
                     json_text(device->reason), "gpu", gpu);
}

int record_exit_code(const json_t *labs) {
    int code = GRADER_OK;
    size_t index;
    json_t *lab;
    json_array_foreach(labs, index, lab) {
        const char *verdict = record_text(lab, "verdict");
        int own = strcmp(verdict, "pass") == 0 || strcmp(verdict, "skipped") == 0 ? GRADER_OK
                  : strcmp(verdict, "infrastructure") == 0                        ? GRADER_FAILED
                  : strcmp(verdict, "bad_file") == 0 || strcmp(verdict, "missing") == 0
                      ? GRADER_BAD_INPUT
                      : GRADER_NOT_PASSED;
        code = own > code ? own : code;
    }
    return code;
}

json_t *record_run(const struct session *session, json_t *labs, double seconds) {
    char started[32], seed[17];
    time_t now = time(NULL) - (time_t)seconds;
    struct tm utc;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(seed, sizeof seed, "%016" PRIx64, session->seed);
    json_int_t points = 0, max_points = 0;
    size_t index;
    json_t *lab;
    json_array_foreach(labs, index, lab) {
        points += record_count(lab, "points");
        max_points += record_count(lab, "max_points");
    }
    int code = record_exit_code(labs);
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:f, s:s, s:o, s:o, s:o, s:I, s:I, s:i}", "schema",
                     "warpbook-record", "version", RECORD_VERSION, "warpbook", CONFIG_VERSION,
                     "command", session->options->command->name, "started", started, "seconds",
                     seconds, "seed", seed, "backend", backend(&session->device), "nvcc",
                     session->nvcc.path ? json_text(session->nvcc.path) : json_null(), "labs", labs,
                     "points", points, "max_points", max_points, "exit_code", code);
}

size_t record_index(const json_t *list, const char *text) {
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item) {
        if (json_is_string(item) && strcmp(json_string_value(item), text) == 0)
            return index;
    }
    return json_array_size(list);
}

void record_print(json_t *document) {
    json_dumpf(document, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
    putchar('\n');
    json_decref(document);
}

enum grader_status record_keep(const char *path, json_t *document, struct diag *diag) {
    OWNED char *text = json_dumps(document, JSON_INDENT(2));
    enum grader_status status = file_write(path, text ? text : "", text ? strlen(text) : 0, diag);
    json_decref(document);
    return status;
}

static const struct verdict test_verdicts[] = {
    {"pass", "passed", VERDICT_GOOD},
    {"wrong_answer", "wrong answer", VERDICT_BAD},
    {"finding", "unsafe", VERDICT_BAD},
    {"technique", "other technique", VERDICT_BAD},
    {"not_written", "not written yet", VERDICT_WAITING},
    {"crash", "crashed", VERDICT_BAD},
    {"timeout", "did not end", VERDICT_BAD},
    {"exited", "ended the program", VERDICT_BAD},
    {"out_of_memory", "out of memory", VERDICT_BAD},
    {"cuda_error", "CUDA error", VERDICT_BAD},
    {"damage", "damaged memory", VERDICT_BAD},
    {"no_entry", "function missing", VERDICT_BAD},
    {"load_failed", "not loadable", VERDICT_BAD},
    {"unsupported", "not simulated", VERDICT_BAD},
    {"protocol", "broken reply", VERDICT_BAD},
    {"invalid_measurement", "measurement invalid", VERDICT_BAD},
    {"too_noisy", "too noisy to judge", VERDICT_OURS},
    {"not_run", "not run", VERDICT_BAD},
    {"skipped", "skipped", VERDICT_NOTHING},
    {"infrastructure", "grader failed", VERDICT_OURS},
};

static const struct verdict lab_verdicts[] = {
    {"pass", "passed", VERDICT_GOOD},
    {"fail", "not passed", VERDICT_BAD},
    {"not_written", "not written yet", VERDICT_WAITING},
    {"compile_error", "does not compile", VERDICT_BAD},
    {"bad_file", "unusable file", VERDICT_BAD},
    {"missing", "not there", VERDICT_BAD},
    {"skipped", "skipped", VERDICT_NOTHING},
    {"infrastructure", "grader failed", VERDICT_OURS},
};

const struct verdict *verdict_of_test(const char *word) {
    return find_in_list(word, test_verdicts, sizeof test_verdicts / sizeof *test_verdicts,
                        sizeof *test_verdicts);
}

const struct verdict *verdict_of_lab(const char *word) {
    return find_in_list(word, lab_verdicts, sizeof lab_verdicts / sizeof *lab_verdicts,
                        sizeof *lab_verdicts);
}

bool verdict_is_of_whole_file(const char *word) {
    return strcmp(word, "not_written") == 0 || strcmp(word, "no_entry") == 0 ||
           strcmp(word, "load_failed") == 0;
}

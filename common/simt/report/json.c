/*
 * A report as JSON text; README.md beside this file gives the layout. Also the words that stand for
 * the simulator's enumerations, in JSON and for people.
 */
#include "common/simt/report/earlier.h"
#include "common/simt/report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define N_ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

static const char *const finding_words[] = {
#define FINDING(name, word, by, failure, what) word,
#include "common/simt/findings.def"
#undef FINDING
};

static const struct {
    const char *word, *text;
} statuses[] = {
    [SIMT_OK] = {"ok", "Everything went well."},
    [SIMT_NO_MEMORY] = {"no_memory", "The memory is exhausted."},
    [SIMT_BAD_PTX] = {"bad_ptx", "The text is no PTX."},
    [SIMT_UNSUPPORTED] = {"unsupported", "The simulator does not support this instruction."},
    [SIMT_BAD_CONFIG] = {"bad_config", "The device refuses such a launch."},
    [SIMT_BAD_ADDRESS] = {"bad_address", "The address range lies in no allocation."},
    [SIMT_ILLEGAL_ADDRESS] = {"illegal_address",
                              "The kernel used an address outside every allocation."},
    [SIMT_MISALIGNED] = {"misaligned",
                         "The kernel used an address that is no multiple of the access size."},
    [SIMT_TIMEOUT] = {"timeout", "The kernel ran for too long and was stopped."},
    [SIMT_DEADLOCK] = {"deadlock", "Every thread waits for one that never comes."},
    [SIMT_TRAP] = {"trap", "The kernel stopped itself by a trap."},
    [SIMT_ASSERT] = {"assert", "An assertion failed in the kernel."},
    [SIMT_STACK_OVERFLOW] = {"stack_overflow", "The kernel's calls need more stack than there is."},
    [SIMT_INVALID_PC] = {"invalid_pc", "The kernel called an address where no function is."},
    [SIMT_ILLEGAL_INSTRUCTION] = {"illegal_instruction",
                                  "The kernel used an instruction as the device does not allow."},
};

const char *simt_finding_word(enum simt_finding_kind kind) {
    return (size_t)kind < N_ELEMENTS(finding_words) ? finding_words[kind] : "unknown";
}

const char *simt_status_word(enum simt_status status) {
    return (size_t)status < N_ELEMENTS(statuses) ? statuses[status].word : "unknown";
}

const char *simt_status_text(enum simt_status status) {
    return (size_t)status < N_ELEMENTS(statuses) ? statuses[status].text : "Unknown status.";
}

/* A string. Names may come from any file system; bytes that are no UTF-8 become '?'. */
static json_t *text_json(const char *text) {
    if (text == NULL)
        text = "";
    json_t *json = json_string(text);
    if (json != NULL)
        return json;
    char *ascii = strdup(text);
    if (ascii == NULL)
        return NULL;
    for (char *c = ascii; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    json = json_string(ascii);
    free(ascii);
    return json;
}

static json_t *number_json(uint64_t value) {
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *dim3_json(struct simt_dim3 dim) {
    return json_pack("[I, I, I]", (json_int_t)dim.x, (json_int_t)dim.y, (json_int_t)dim.z);
}

/* All counters, or only those that are not zero. */
static json_t *counters_json(const struct simt_counters *counters, bool all) {
    json_t *json = json_object();
#define COUNTER_JSON(name, unit, definition)                                                       \
    if (all || counters->name != 0)                                                                \
        json_object_set_new(json, #name, number_json(counters->name));
    SIMT_COUNTERS(COUNTER_JSON)
#undef COUNTER_JSON
    return json;
}

static json_t *line_json(const struct simt_line *line) {
    return json_pack("{s: o, s: I, s: o}", "file", text_json(line->file), "line",
                     (json_int_t)line->line, "counters", counters_json(&line->counters, false));
}

static json_t *lines_json(const struct simt_line *lines, size_t n_lines) {
    json_t *json = json_array();
    for (size_t i = 0; i < n_lines; i++)
        json_array_append_new(json, line_json(&lines[i]));
    return json;
}

static json_t *trace_json(const struct simt_launch_report *launch) {
    json_t *events = json_array();
    for (size_t i = 0; i < launch->n_events; i++) {
        const struct simt_event *event = &launch->events[i];
        json_array_append_new(events, json_pack("[I, I, o, I, I, I]", (json_int_t)event->cta,
                                                (json_int_t)event->warp, text_json(event->file),
                                                (json_int_t)event->line, (json_int_t)event->mask,
                                                (json_int_t)event->n));
    }
    return json_pack("{s: o, s: I}", "events", events, "dropped",
                     (json_int_t)launch->n_events_dropped);
}

/* A word that nobody wrote is null. */
static json_t *picture_json(const struct simt_picture *picture) {
    json_t *words = json_array();
    for (uint32_t i = 0; i < picture->n_words; i++)
        json_array_append_new(words, picture->written >> i & 1 ? json_integer(picture->words[i])
                                                               : json_null());
    return json_pack("{s: I, s: o, s: I, s: o, s: o}", "block", (json_int_t)picture->cta, "file",
                     text_json(picture->file), "line", (json_int_t)picture->line, "name",
                     text_json(picture->name), "words", words);
}

static json_t *pictures_json(const struct simt_launch_report *launch) {
    json_t *pictures = json_array();
    for (size_t i = 0; i < launch->n_pictures; i++)
        json_array_append_new(pictures, picture_json(&launch->pictures[i]));
    return pictures;
}

static json_t *launch_json(const struct simt_launch_report *launch) {
    json_t *json = json_pack(
        "{s: o, s: o, s: o, s: I, s: I, s: s, s: o, s: o}", "kernel", text_json(launch->kernel),
        "grid", dim3_json(launch->grid), "block", dim3_json(launch->block), "shared_bytes",
        (json_int_t)launch->shared_bytes, "dynamic_bytes", (json_int_t)launch->dynamic_bytes,
        "status",
        launch->is_sampled && launch->status == SIMT_OK ? "sampled"
                                                        : simt_status_word(launch->status),
        "counters", counters_json(&launch->total, true), "lines",
        lines_json(launch->lines, launch->n_lines));
    if (launch->events != NULL)
        json_object_set_new(json, "trace", trace_json(launch));
    if (launch->pictures != NULL)
        json_object_set_new(json, "shared", pictures_json(launch));
    return json;
}

static json_t *access_json(const struct simt_access *access) {
    if (access->what == NULL)
        return json_null();
    return json_pack("{s: o, s: I, s: o, s: o, s: o}", "file", text_json(access->file), "line",
                     (json_int_t)access->line, "block", dim3_json(access->cta), "thread",
                     dim3_json(access->thread), "what", text_json(access->what));
}

static json_t *finding_json(const struct simt_finding *finding) {
    json_t *behind = json_array();
    for (unsigned i = 0; i < finding->n_behind; i++)
        json_array_append_new(behind, json_integer(finding->behind[i]));
    return json_pack("{s: s, s: o, s: o, s: o, s: o, s: o, s: o, s: o, s: o}", "kind",
                     simt_finding_word(finding->kind), "kernel", text_json(finding->kernel),
                     "place", text_json(finding->place), "message", text_json(finding->message),
                     "advice", text_json(finding->advice), "count", number_json(finding->count),
                     "here", access_json(&finding->here), "other", access_json(&finding->other),
                     "behind", behind);
}

/* Null where nobody knows. */
static json_t *unread_json(const struct simt_buffer_origin *buffer) {
    json_t *spans = json_array();

    if (!buffer->knows_readers) {
        json_decref(spans);
        return json_null();
    }
    for (unsigned i = 0; i < buffer->n_unread; i++)
        json_array_append_new(spans, json_pack("[o, o]", number_json(buffer->unread[i].first),
                                               number_json(buffer->unread[i].bytes)));
    return json_pack("{s: o, s: o}", "bytes", number_json(buffer->unread_bytes), "spans", spans);
}

static json_t *origin_json(const struct simt_buffer_origin *buffer) {
    uint64_t written = buffer->by_kernels + buffer->by_host;

    return json_pack("{s: o, s: o, s: o, s: o, s: o, s: o, s: o}", "name", text_json(buffer->name),
                     "bytes", number_json(buffer->bytes), "by_kernels",
                     number_json(buffer->by_kernels), "by_host", number_json(buffer->by_host),
                     "by_nobody", number_json(buffer->bytes - written), "to_host",
                     number_json(buffer->to_host), "unread", unread_json(buffer));
}

static json_t *memory_json(const struct simt_origins *origins) {
    json_t *buffers = json_array();

    for (size_t i = 0; i < origins->n_buffers; i++)
        json_array_append_new(buffers, origin_json(&origins->buffers[i]));
    return json_pack("{s: b, s: o, s: o, s: o}", "sure", origins->is_sure, "to_host",
                     number_json(origins->to_host), "from_host", number_json(origins->from_host),
                     "buffers", buffers);
}

static json_t *works_json(const struct simt_report *report) {
    json_t *works = json_array();

    for (size_t i = 0; i < report->n_works; i++) {
        const struct simt_work_report *work = &report->works[i];
        json_t *after = json_array();
        for (uint32_t k = 0; k < work->n_after; k++)
            json_array_append_new(after, json_integer(work->after[k]));
        json_array_append_new(works, json_pack("{s: I, s: o, s: o, s: I, s: o, s: o}", "queue",
                                               (json_int_t)work->queue, "to_device",
                                               number_json(work->to_device), "from_device",
                                               number_json(work->from_device), "launch",
                                               (json_int_t)work->launch, "waits",
                                               number_json(work->n_waits), "after", after));
    }
    return works;
}

/* The lines that ran since the last reset for the first time; none where they are many. */
static json_t *news_json(const struct simt_report *report) {
    enum { MOST = 16 };
    json_t *lines = json_array();
    for (size_t i = 0; i < report->n_kernels; i++) {
        const struct simt_kernel_report *kernel = &report->kernels[i];
        for (size_t k = 0; k < kernel->n_lines; k++) {
            const struct simt_line *line = &kernel->lines[k];
            if (line->line != 0 && !simt_earlier_has(report->earlier, line))
                json_array_append_new(lines,
                                      json_pack("{s: o, s: I}", "file", text_json(line->file),
                                                "line", (json_int_t)line->line));
        }
    }
    if (json_array_size(lines) > MOST)
        json_array_clear(lines);
    return json_pack("{s: o, s: o}", "resets", number_json(report->earlier->n_resets), "lines",
                     lines);
}

char *simt_record_json(const struct simt_report *report, const struct simt_origins *origins) {
    json_t *launches = json_array(), *findings = json_array();
    for (size_t i = 0; i < report->n_launches; i++)
        json_array_append_new(launches, launch_json(&report->launches[i]));
    for (size_t i = 0; i < report->n_findings; i++)
        json_array_append_new(findings, finding_json(&report->findings[i]));
    json_t *json = json_pack("{s: o, s: I, s: o, s: o}", "launches", launches, "launches_dropped",
                             (json_int_t)report->n_launches_dropped, "findings", findings, "memory",
                             memory_json(origins));
    if (json == NULL)
        return NULL;
    if (report->n_works_dropped != 0)
        json_object_set_new(json, "works_dropped", number_json(report->n_works_dropped));
    else if (report->n_works != 0)
        json_object_set_new(json, "works", works_json(report));
    if (report->earlier != NULL && report->earlier->n > 0 && !report->earlier->is_incomplete)
        json_object_set_new(json, "news", news_json(report));
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

char *simt_record_kernels_json(const struct simt_report *report) {
    json_auto_t *kernels = json_array();
    for (size_t i = 0; i < report->n_kernels; i++) {
        const struct simt_kernel_report *kernel = &report->kernels[i];
        json_array_append_new(kernels, json_pack("{s: o, s: o, s: o, s: o, s: o}", "kernel",
                                                 text_json(kernel->kernel), "launches",
                                                 number_json(kernel->n_launches), "failed",
                                                 number_json(kernel->n_failed), "counters",
                                                 counters_json(&kernel->total, true), "lines",
                                                 lines_json(kernel->lines, kernel->n_lines)));
    }
    return json_dumps(kernels, JSON_COMPACT);
}

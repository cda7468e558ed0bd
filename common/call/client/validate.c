/*
 * The rules for what the worker sends. Each has a test that breaks it (tests/fakes/hostile.h); a
 * lie that no rule forbids is no worse than a wrong answer.
 */
#include "common/call/client/validate.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "common/base/text.h"

/* What a report may hold: several times what the simulator writes, which keeps 256 launches and 64
 * findings and whose texts are sentences. */
enum { MAX_TEXT = 2048, MAX_ITEMS = 1024, MAX_CONTAINERS = 1 << 18, MAX_VALUES = 1 << 21 };

bool wire_is_text(const char *text, size_t capacity) {
    return memchr(text, '\0', capacity) != NULL;
}

void wire_clean_text(char *text, size_t length, bool keep_lines) {
    unsigned char *bytes = (unsigned char *)text;

    for (size_t i = 0; i < length;) {
        size_t step = text_utf8_length(text + i, length - i);
        bool is_line = bytes[i] == '\n' || bytes[i] == '\t';
        if (is_line && !keep_lines) {
            bytes[i] = ' ';
        } else if (!is_line && (bytes[i] < 0x20 || bytes[i] == 0x7f || step == 0)) {
            bytes[i] = '?';
        } else if (step == 2 && bytes[i] == 0xc2 && bytes[i + 1] < 0xa0) {
            bytes[i] = bytes[i + 1] = '?'; /* C1 controls: some terminals obey them */
        }
        i += step > 0 ? step : 1;
    }
}

static const char *header_fault(const struct wire_header *header, size_t length, bool is_cut,
                                const struct wire_expect *expect) {
    if (is_cut)
        return "it is longer than any message";
    if (length < sizeof *header)
        return "it is shorter than a header";
    if (header->magic != WIRE_MAGIC)
        return "it does not start as a message does";
    if (header->version != WIRE_VERSION)
        return "it has another version";
    if (header->sequence != expect->sequence)
        return "it answers another request";
    /* A timed call may fail at each step. */
    if (header->kind != expect->kind && header->kind != WIRE_CRASH && header->kind != WIRE_REPLY)
        return "it is not the answer that was due";
    if (header->bytes != length || length != wire_bytes(header->kind))
        return "its length is not that of its kind";
    return NULL;
}

/* The outcomes that a worker may claim. The others the client finds out by itself: a
 * worker in which student code runs may not call its failure the grader's, which costs no points.
 */
static bool may_claim(uint32_t outcome, const struct wire_expect *expect) {
    switch (outcome) {
    case CALL_OK:
    case CALL_CUDA_ERROR:
    case CALL_OUT_OF_MEMORY:
        return true;
    case CALL_LOAD_FAILED:
        return expect->request == WIRE_LOAD;
    case CALL_NO_ENTRY:
        return expect->request == WIRE_CALL || expect->request == WIRE_VARIABLE;
    case CALL_NOT_WRITTEN:
    case CALL_UNSUPPORTED:
        return expect->request == WIRE_CALL;
    case CALL_TIMEOUT:
        return expect->request == WIRE_CALL && expect->backend == CALL_SIM;
    case CALL_INFRASTRUCTURE:
        return expect->request == WIRE_OPEN || expect->request == WIRE_COPY ||
               expect->request == WIRE_DEVICE;
    default:
        return false;
    }
}

static const char *time_fault(double event_ms, const struct wire_expect *expect) {
    if (isnan(expect->wall_ms))
        return isnan(event_ms) ? NULL : "it gives a time that nobody asked for";
    if (!isfinite(event_ms) || event_ms < 0)
        return "its time is not a number of milliseconds";
    if (event_ms > expect->wall_ms + 0.5)
        return "its time is longer than the call took";
    return NULL;
}

static bool is_amount(double value) {
    return isfinite(value) && value >= 0;
}

static const char *device_fault(const struct wire_device *device) {
    bool is_sane = device->major >= 0 && device->major < 1000 && device->minor >= 0 &&
                   device->minor < 1000 && device->n_sm > 0 && device->n_sm < 100000;
    if (!is_sane || !wire_is_text(device->name, sizeof device->name))
        return "it describes no device";
    if (device->free_bytes > device->global_bytes || device->l2_bytes > device->global_bytes)
        return "its device has more memory free than there is";
    if (!is_amount(device->peak_gbps) || !is_amount(device->sm_clock_mhz) ||
        !is_amount(device->memory_clock_mhz))
        return "its device has a bandwidth or a clock that is no number";
    return NULL;
}

static const char *reply_fault(const struct wire_reply *reply, const struct wire_expect *expect) {
    bool is_ok = reply->outcome == CALL_OK;

    if (!may_claim(reply->outcome, expect))
        return "its outcome is not one that can be claimed";
    if (is_ok && expect->kind != WIRE_REPLY)
        return "it ends a step that had to come first";
    if (is_ok && (reply->returned != 0 || reply->cuda_error != 0))
        return "it reports an error and success at once";
    if (reply->cuda_error < 0)
        return "its CUDA error is negative";
    if (!wire_is_text(reply->message, sizeof reply->message) ||
        !wire_is_text(reply->cuda_error_name, sizeof reply->cuda_error_name))
        return "its text has no end";
    if (reply->refusal.what > SIMT_WAIT)
        return "it names a call that can't be refused";
    if (reply->n_arrivals > CALL_MAX_ARRIVALS)
        return "it counts more copies than it lists";
    if (reply->report_bytes > expect->report_capacity)
        return "its report is larger than its place";
    if (reply->keeps_report > (expect->report_capacity > 0))
        return "it keeps a report that there can't be";
    if (is_ok && expect->request == WIRE_DEVICE)
        return device_fault(&reply->device);
    return is_ok ? time_fault(reply->event_ms, expect) : NULL;
}

static const char *crash_fault(const struct wire_crash *crash) {
    if (crash->signal < 1 || crash->signal > 64)
        return "its signal does not exist";
    if (crash->argument < -1 || crash->argument >= CALL_MAX_ARGS)
        return "its argument does not exist";
    if (crash->in_stack > 1 || crash->no_memory > 1)
        return "its flag is neither yes nor no";
    if (!wire_is_text(crash->where, sizeof crash->where))
        return "its text has no end";
    return NULL;
}

const char *wire_fault(const union wire_message *message, size_t length, bool is_cut,
                       const struct wire_expect *expect) {
    const char *fault = header_fault(&message->header, length, is_cut, expect);

    if (fault)
        return fault;
    if (message->header.kind == WIRE_REPLY)
        return reply_fault(&message->reply, expect);
    if (message->header.kind == WIRE_CRASH)
        return crash_fault(&message->crash);
    return NULL;
}

/* Length of a JSON string's next letter or escape, which a cut may not part. */
static size_t piece_length(const char *text, size_t left) {
    size_t n = 2;

    if (text[0] != '\\') {
        n = text_utf8_length(text, left);
    } else if (left > 1 && text[1] == 'u') {
        bool is_pair = left >= 12 && strchr("dD", text[2]) && strchr("89abAB", text[3]) &&
                       text[6] == '\\' && text[7] == 'u';
        n = is_pair ? 12 : 6;
    }
    if (n == 0)
        return 1;
    return n < left ? n : left;
}

/* Moves the inside of a string from text[*from] to text[*to], cut where it is too long. */
static void take_string(char *text, size_t length, size_t *from, size_t *to) {
    static const char mark[] = "… (cut)";
    size_t start = *from, end = start, kept = 0;

    while (end < length && text[end] != '"') {
        end += piece_length(text + end, length - end);
        if (end - start <= MAX_TEXT - sizeof mark)
            kept = end - start;
    }
    bool is_long = end - start > MAX_TEXT;
    if (!is_long)
        kept = end - start;
    memmove(text + *to, text + start, kept);
    *to += kept;
    if (is_long) {
        memcpy(text + *to, mark, sizeof mark - 1);
        *to += sizeof mark - 1;
    }
    *from = end;
}

/* Looks over a report before it is parsed, which takes a hundred times the memory of its text:
 * cuts long strings in place, and counts what it is made of. */
static const char *bound_report(char *text, size_t *length) {
    size_t from = 0, to = 0, n_containers = 0, n_values = 0;

    while (from < *length) {
        char c = text[to++] = text[from++];
        n_containers += c == '{' || c == '[';
        n_values += c == ',';
        if (n_containers > MAX_CONTAINERS)
            return "it has more objects and lists than the simulator's";
        if (n_values > MAX_VALUES)
            return "it has more values than the simulator's";
        if (c != '"')
            continue;
        take_string(text, *length, &from, &to);
        if (from < *length)
            text[to++] = text[from++];
    }
    text[to] = '\0';
    *length = to;
    return NULL;
}

/* Every member of an array is an object. */
static bool holds_objects(const json_t *array) {
    size_t i;
    json_t *item;

    json_array_foreach(array, i, item) {
        if (!json_is_object(item))
            return false;
    }
    return json_is_array(array);
}

const char *report_fault(char *text, size_t *length) {
    if (memchr(text, '\0', *length))
        return "it is no text";
    const char *fault = bound_report(text, length);
    if (fault)
        return fault;
    json_auto_t *report = json_loadb(text, *length, JSON_REJECT_DUPLICATES, NULL);
    if (!report)
        fault = "it is no JSON";
    else if (!json_is_object(report) || !holds_objects(json_object_get(report, "launches")) ||
             !holds_objects(json_object_get(report, "findings")))
        fault = "it has no list of launches or findings";
    else if (json_object_get(report, "candidates") &&
             !holds_objects(json_object_get(report, "candidates")))
        fault = "its list of edits is none";
    else if (json_array_size(json_object_get(report, "launches")) > MAX_ITEMS ||
             json_array_size(json_object_get(report, "findings")) > MAX_ITEMS)
        fault = "it has more launches or findings than the simulator keeps";
    return fault;
}

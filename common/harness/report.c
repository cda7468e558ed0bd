/*
 * Questions to the simulator's report of the last call. The report is read like a
 * stranger's, since without a process of its own the simulator runs in the worker: a key that is
 * missing or of another type counts as nothing. A report with findings comes with the call,
 * any other when it is first asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "common/harness/context.h"

/* The largest number that is taken over. */
#define MOST ((uint64_t)1 << 40)

/* The kinds of finding, those first that a student should mend first. */
static const struct {
    const char *word;
    enum { CHECK, LIMIT, KERNEL } by;
} kinds[] = {
#define FINDING(name, word, by, failure, what) {word, by},
#include "common/simt/findings.def"
#undef FINDING
};

const struct call_result *lab_last(const struct lab *lab) {
    return lab->has_last ? &lab->last : NULL;
}

const char *lab_function(const struct lab *lab) {
    return lab->function;
}

const struct call_arg *lab_argument(const struct lab *lab, const char *name) {
    for (size_t i = 0; i < lab->n_args; i++)
        if (lab->args[i].name && strcmp(lab->args[i].name, name) == 0)
            return &lab->args[i];
    return NULL;
}

const json_t *lab_report(const struct lab *lab) {
    struct lab *reader = (struct lab *)lab; /* to read is no change that anybody sees */

    if (lab->has_last && lab->last.is_report_kept)
        lab_take_report(reader, call_report(lab->worker, &reader->last));
    return lab->report;
}

static bool is_kind(const json_t *finding, const char *kind) {
    const char *word = json_string_value(json_object_get(finding, "kind"));

    return word && strcmp(word, kind) == 0;
}

const json_t *lab_finding(const struct lab *lab, const char *kind) {
    const json_t *findings = json_object_get(lab->report, "findings");

    for (size_t i = 0; i < json_array_size(findings); i++)
        if (is_kind(json_array_get(findings, i), kind))
            return json_array_get(findings, i);
    return NULL;
}

const json_t *lab_worst_finding(const struct lab *lab) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *finding = lab_finding(lab, kinds[i].word);

        if (finding)
            return finding;
    }
    return json_array_get(json_object_get(lab->report, "findings"), 0); /* of no kind there is */
}

static int line_of(const json_t *finding, const char *side) {
    return (int)json_integer_value(json_object_get(json_object_get(finding, side), "line"));
}

bool lab_finding_is_at(const json_t *finding, const char *name) {
    const char *place = json_string_value(json_object_get(finding, "place"));
    size_t length = strlen(name);

    return place && strncmp(place, name, length) == 0 &&
           (place[length] == '[' || place[length] == ' ' || place[length] == '\0');
}

int64_t lab_finding_index(const json_t *finding) {
    const char *place = json_string_value(json_object_get(finding, "place"));
    const char *bracket = place ? strchr(place, '[') : NULL;
    char *end;
    long long index = bracket ? strtoll(bracket + 1, &end, 10) : -1;

    return bracket && end > bracket + 1 && *end == ']' && index >= 0 ? index : -1;
}

bool lab_finding_is_before(const json_t *finding) {
    const char *place = json_string_value(json_object_get(finding, "place"));

    return place && strstr(place, "[-") != NULL;
}

bool lab_finding_is_in_bytes(const json_t *finding) {
    const char *place = json_string_value(json_object_get(finding, "place"));

    return place && strstr(place, " + ") != NULL;
}

/* As common/simt/access/region/fault.c says it. */
bool lab_finding_is_in_shared(const json_t *finding) {
    const char *message = json_string_value(json_object_get(finding, "message"));

    return message && strstr(message, "bytes of shared memory") != NULL;
}

bool lab_is_between_streams(const json_t *finding) {
    const char *message = json_string_value(json_object_get(finding, "message"));

    return message && strstr(message, "orders their streams") != NULL;
}

int64_t lab_finding_place(const json_t *finding, const char *side, const char *what, size_t axis) {
    const json_t *places = json_object_get(json_object_get(finding, side), what);
    const json_t *place = json_array_get(places, axis);
    json_int_t value = json_is_integer(place) ? json_integer_value(place) : -1;

    return value >= 0 && value <= UINT32_MAX ? value : -1;
}

struct lab_side lab_finding_side(const json_t *finding, const char *name) {
    const char *what = lab_finding_what(finding, name);

    return (struct lab_side){.line = line_of(finding, name),
                             .block = lab_finding_place(finding, name, "block", 0),
                             .thread = lab_finding_place(finding, name, "thread", 0),
                             .reads = strcmp(what, "reads") == 0,
                             .writes = strcmp(what, "writes") == 0,
                             .leaves = strstr(what, "leaves") != NULL};
}

bool lab_grid_was_empty(const struct lab *lab, unsigned block) {
    enum { INVALID_CONFIGURATION = 9, MAX_BLOCK = 1024 };
    const struct call_result *last = &lab->last;
    int error = last->returned ? last->returned : last->cuda_error;

    if (!lab->has_last || last->outcome != CALL_CUDA_ERROR)
        return false;
    if (lab->backend == CALL_SIM)
        return strstr(last->message, "an empty grid") != NULL;
    return error == INVALID_CONFIGURATION && block > 0 && block <= MAX_BLOCK;
}

bool lab_touched_device_memory(const struct lab *lab) {
    return lab->has_last && lab->last.outcome == CALL_CRASH &&
           strstr(lab->last.message, ", which is device memory") != NULL;
}

bool lab_was_refused(const struct lab *lab) {
    return lab->has_last && (lab_on_gpu(lab) || lab->last.refusal.n_failed > 0);
}

bool lab_swallowed_error(const struct lab *lab) {
    return lab_was_refused(lab) && lab->last.outcome == CALL_CUDA_ERROR && lab->last.returned == 0;
}

const char *lab_finding_what(const json_t *finding, const char *side) {
    const char *what = json_string_value(json_object_get(json_object_get(finding, side), "what"));

    return what ? what : "";
}

const json_t *lab_buffer(const struct lab *lab, const char *name) {
    const json_t *memory = json_object_get(lab_report(lab), "memory"), *buffer;
    size_t i;

    json_array_foreach(json_object_get(memory, "buffers"), i, buffer) {
        const char *its_name = json_string_value(json_object_get(buffer, "name"));

        if (its_name && strcmp(its_name, name) == 0)
            return buffer;
    }
    return NULL;
}

size_t lab_n_launches(const struct lab *lab) {
    return json_array_size(json_object_get(lab_report(lab), "launches"));
}

bool lab_launched_nothing(const struct lab *lab) {
    return lab_report(lab) != NULL && lab_n_launches(lab) == 0;
}

static const json_t *launch_at(const struct lab *lab, size_t index) {
    return json_array_get(json_object_get(lab_report(lab), "launches"), index);
}

uint64_t lab_number(const json_t *value) {
    json_int_t integer = json_integer_value(value);

    if (integer < 0)
        return 0;
    return (uint64_t)integer < MOST ? (uint64_t)integer : MOST;
}

uint64_t lab_ratio(uint64_t a, uint64_t b) {
    return b > 0 ? a / b : 0;
}

/* A counter of a launch or of one of its lines. */
static uint64_t counter_of(const json_t *holder, const char *name) {
    return lab_number(json_object_get(json_object_get(holder, "counters"), name));
}

uint64_t lab_counter(const struct lab *lab, size_t index, const char *name) {
    return counter_of(launch_at(lab, index), name);
}

uint64_t lab_counter_total(const struct lab *lab, const char *name) {
    uint64_t sum = 0;

    for (size_t i = 0; i < lab_n_launches(lab); i++)
        sum += lab_counter(lab, i, name);
    return sum;
}

uint64_t lab_counter_line(const struct lab *lab, size_t index, const char *name, int line) {
    const json_t *lines = json_object_get(launch_at(lab, index), "lines");
    uint64_t sum = 0;

    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *at = json_array_get(lines, i);

        if (json_integer_value(json_object_get(at, "line")) == line)
            sum += counter_of(at, name);
    }
    return sum;
}

uint64_t lab_counter_max_line(const struct lab *lab, size_t index, const char *name, int *line) {
    const json_t *lines = json_object_get(launch_at(lab, index), "lines");
    uint64_t max = 0;

    if (line)
        *line = 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *at = json_array_get(lines, i);
        uint64_t value = counter_of(at, name);

        if (value > max) {
            max = value;
            if (line)
                *line = (int)json_integer_value(json_object_get(at, "line"));
        }
    }
    return max;
}

/* The product of the three sizes of a grid or block. */
static uint64_t volume(const json_t *sizes) {
    uint64_t product = 1;

    if (json_array_size(sizes) != 3)
        return 0;
    for (size_t i = 0; i < 3; i++) {
        uint64_t size = lab_number(json_array_get(sizes, i));

        product = product > 0 && size > MOST / product ? MOST : product * size;
    }
    return product;
}

struct lab_launch lab_launch(const struct lab *lab, size_t index) {
    const json_t *launch = launch_at(lab, index), *block = json_object_get(launch, "block");
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));

    return (struct lab_launch){
        .kernel = kernel ? kernel : "",
        .n_blocks = volume(json_object_get(launch, "grid")),
        .n_threads = volume(block),
        .block = {lab_number(json_array_get(block, 0)), lab_number(json_array_get(block, 1)),
                  lab_number(json_array_get(block, 2))},
        .shared_bytes = lab_number(json_object_get(launch, "shared_bytes")),
        .dynamic_bytes = lab_number(json_object_get(launch, "dynamic_bytes")),
    };
}

size_t lab_largest_launch(const struct lab *lab) {
    uint64_t most = 0;
    size_t largest = 0;

    for (size_t i = 0; i < lab_n_launches(lab); i++) {
        struct lab_launch launch = lab_launch(lab, i);

        if (launch.n_blocks * launch.n_threads > most) {
            most = launch.n_blocks * launch.n_threads;
            largest = i;
        }
    }
    return largest;
}

size_t lab_launch_with_most(const struct lab *lab, const char *counter) {
    size_t most = 0;

    for (size_t i = 1; i < lab_n_launches(lab); i++)
        if (lab_counter(lab, i, counter) > lab_counter(lab, most, counter))
            most = i;
    return most;
}

bool lab_is_stop(const char *kind) {
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i].word) == 0)
            return kinds[i].by == LIMIT;
    return false;
}

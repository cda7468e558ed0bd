/*
 * call.h's calls: each describes one request, waits for its answer and takes the buffers back.
 */
#include "common/call/call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/call/inputs.h"
#include "common/call/session.h"
#include "common/base/splitmix.h"

enum {
    MOVE_MS = 30000, /* timed calls: to bring inputs and outputs across */
    /* The simulator stops a kernel by itself, and then has the line where it spent its time to
     * report: on a busy machine it must not be killed over that. As long as two calls, at most: */
    SIM_GRACE_MS = 2000,
    SIM_MS_PER_MIB = 2048, /* in which even a busy machine runs CALL_BUDGET_PER_BYTE for each */
    GPU_LOAD_MS = 2000,
};

void call_result_clear(struct call_result *result) {
    free(result->output);
    free(result->report);
    result->output = result->report = NULL;
}

static void begin(struct call_result *result, struct call_output *output) {
    outcome_clear(result);
    *output = (struct call_output){.text = malloc(CALL_OUTPUT_BYTES + 1)};
    result->output = output->text;
    if (output->text)
        output->text[0] = '\0';
}

static enum call_outcome finish(struct call_result *result, struct call_output *output) {
    if (output->text) {
        output->text[output->used] = '\0';
        wire_clean_text(output->text, output->used, true);
    }
    result->output_dropped = output->dropped;
    return result->outcome;
}

/* Copies the report out of the shared memory, once, and only then looks at it. */
static void take_report(struct call_worker *worker, uint64_t bytes, struct call_result *result) {
    if (bytes == 0)
        return;
    result->report = malloc(bytes + 1);
    if (!result->report) {
        outcome_set(result, CALL_INFRASTRUCTURE, "no memory for the simulator's report");
        return;
    }
    memcpy(result->report, worker->share.base, bytes);
    result->report[bytes] = '\0';
    size_t length = bytes;
    const char *fault = report_fault(result->report, &length);
    if (fault) {
        free(result->report);
        result->report = NULL;
        outcome_set(result, CALL_PROTOCOL, "the process sent a report that can't be right: %s",
                    fault);
        session_discard(worker);
    }
}

/* Bytes for poison and guard zones: not 0, not 255, not alike, never the same for long; the same
 * again for the same seed, since poison that nobody wrote over is shown as what an output holds. */
static void choose_patterns(struct call_worker *worker, struct wire_call *call) {
    uint64_t bits = splitmix_stir(worker->settings.seed + ++worker->n_calls * SPLITMIX_STEP);

    call->poison = (uint8_t)(0xa1 + (bits >> 32) % 0x5d);
    call->guard = (uint8_t)(0x21 + (bits >> 48) % 0x5d);
}

/* The descriptor of the shared memory, where the worker does not have it yet; -1 where it does. */
static int take_share(struct call_worker *worker) {
    int fd = worker->has_share ? -1 : worker->share.fd;

    worker->has_share = true;
    return fd;
}

/* On the simulator, a part of what a call may take beyond what it is granted. */
static int64_t grace_ms(const struct call_settings *settings) {
    int64_t ms = (int64_t)2 * settings->timeout_ms;

    if (settings->backend == CALL_GPU)
        return 0;
    return ms < SIM_GRACE_MS ? ms : SIM_GRACE_MS;
}

/* What the lab grants a call, and more: on the simulator for each byte, so that an endless kernel
 * on a few numbers is stopped soon and one on a million of them may go on; on a GPU for loading the
 * kernel at its first launch, while other tests do the same. The simulator stops a kernel by its
 * budget, at the same place on any machine, long before it does so by the clock. */
static void grant(struct call_worker *worker, const struct call_arg *args, size_t n_args) {
    const struct call_settings *settings = &worker->settings;
    int64_t ms = settings->timeout_ms + (settings->backend == CALL_GPU ? GPU_LOAD_MS : 0);
    uint64_t bytes = 0;

    for (size_t i = 0; i < n_args && settings->backend == CALL_SIM; i++)
        bytes += args[i].count * args[i].element_bytes;
    ms += (int64_t)(bytes * SIM_MS_PER_MIB >> 20);
    worker->granted_ms = ms < INT32_MAX / 2 ? (int)ms : INT32_MAX / 2;
    worker->call.launch_ms = worker->granted_ms + (int32_t)grace_ms(settings) / 2;
    if (settings->budget)
        worker->call.launch_budget = settings->budget + bytes * CALL_BUDGET_PER_BYTE;
}

static bool prepare_call(struct call_worker *worker, const char *function, struct call_arg *args,
                         size_t n_args, bool is_timed, struct call_result *result) {
    struct wire_call *call = &worker->call;
    bool is_new = false;

    *call = (struct wire_call){.timed = is_timed, .checks = worker->settings.checks};
    grant(worker, args, n_args);
    if (strlen(function) >= sizeof call->function) {
        outcome_set(result, CALL_INFRASTRUCTURE, "the name %.64s... is too long", function);
        return false;
    }
    snprintf(call->function, sizeof call->function, "%s", function);
    choose_patterns(worker, call);
    if (!share_place(&worker->share, args, n_args, call, &is_new, result->message,
                     sizeof result->message)) {
        result->outcome = CALL_INFRASTRUCTURE;
        return false;
    }
    if (is_new)
        worker->has_share = false;
    share_fill(&worker->share, args, call);
    return true;
}

/* Moves one large input to the device, part by part. */
static bool move_large(struct call_worker *worker, const struct call_arg *arg, uint32_t index,
                       const struct outcome_scene *scene, struct call_output *output,
                       struct call_result *result) {
    const struct wire_arg *wire = &worker->call.args[index];
    struct wire_expect expect = {.request = WIRE_PART, .kind = WIRE_REPLY, .wall_ms = NAN};
    size_t n_elements = WIRE_PART_BYTES / arg->element_bytes;

    for (size_t first = 0; first < arg->count; first += n_elements) {
        size_t rest = arg->count - first, n = rest < n_elements ? rest : n_elements;
        struct wire_part part = {.index = index,
                                 .at = first * arg->element_bytes,
                                 .bytes = n * arg->element_bytes,
                                 .arg = *wire};

        inputs_fill(arg, first, n, worker->share.base + wire->offset + WIRE_GUARD_BYTES);
        part.header = session_header(worker, WIRE_PART, sizeof part);
        if (!session_ask(worker, &part, sizeof part, take_share(worker), &expect, MOVE_MS, scene,
                         output, result) ||
            session_take_reply(worker, result) != CALL_OK)
            return false;
    }
    return true;
}

/* The inputs that go ahead of their call. */
static bool move_inputs(struct call_worker *worker, const struct outcome_scene *scene,
                        struct call_output *output, struct call_result *result) {
    struct outcome_scene moving = *scene;

    moving.timeout_ms = MOVE_MS;
    for (size_t i = 0; i < scene->n_args; i++)
        if (wire_is_large(&worker->call.args[i]) &&
            !move_large(worker, &scene->args[i], (uint32_t)i, &moving, output, result))
            return false;
    return true;
}

/* What a call may take: the limit of the lab, and time to move its buffers at a slow 500 MB/s. */
static int64_t limit_ms(const struct call_worker *worker, bool is_timed) {
    int64_t moving_ms = (int64_t)(worker->share.bytes / 500000) + grace_ms(&worker->settings);

    return is_timed ? MOVE_MS + moving_ms : worker->granted_ms + moving_ms;
}

/* The three steps of a timed call; leaves the reply in worker->exchange. The clock of the trusted
 * side runs from the word to go until the device is idle again. */
static bool ask_timed(struct call_worker *worker, int fd, const struct outcome_scene *scene,
                      struct call_output *output, struct call_result *result) {
    struct wire_expect expect = {.request = WIRE_CALL, .kind = WIRE_PREPARED, .wall_ms = NAN};
    struct wire_signal go = {.header = {0}};
    struct outcome_scene moving = *scene;

    moving.timeout_ms = (int)limit_ms(worker, true);
    if (!session_ask(worker, &worker->call, sizeof worker->call, fd, &expect, moving.timeout_ms,
                     &moving, output, result))
        return false;
    if (worker->exchange.message.header.kind == WIRE_REPLY)
        return true; /* it could not prepare: no memory, no such function */
    go.header = session_header(worker, WIRE_GO, sizeof go);
    expect.kind = WIRE_RAN;
    if (!session_ask(worker, &go, sizeof go, -1, &expect, scene->timeout_ms, scene, output, result))
        return false;
    if (worker->exchange.message.header.kind == WIRE_REPLY)
        return true;
    double wall_ms = result->wall_ms;
    struct wire_signal more = {.header = session_header(worker, WIRE_GO, sizeof more)};
    expect.kind = WIRE_REPLY;
    expect.wall_ms = wall_ms;
    bool is_answered = session_ask(worker, &more, sizeof more, -1, &expect, moving.timeout_ms,
                                   &moving, output, result);
    result->wall_ms = wall_ms;
    return is_answered;
}

static enum call_outcome run(struct call_worker *worker, const char *function,
                             struct call_arg *args, size_t n_args, bool is_timed,
                             struct call_result *result) {
    struct outcome_scene scene = {.request = WIRE_CALL,
                                  .function = function,
                                  .args = args,
                                  .n_args = n_args,
                                  .timeout_ms = worker->settings.timeout_ms};
    struct wire_expect expect = {.request = WIRE_CALL, .kind = WIRE_REPLY, .wall_ms = NAN};
    struct wire_call *call = &worker->call;
    struct call_output output;

    begin(result, &output);
    if (!session_load(worker, &output, result) ||
        !prepare_call(worker, function, args, n_args, is_timed, result) ||
        !move_inputs(worker, &scene, &output, result))
        return finish(result, &output);
    int fd = take_share(worker);
    scene.timeout_ms = worker->granted_ms;
    call->header = session_header(worker, WIRE_CALL, sizeof *call);
    expect.report_capacity = worker->settings.backend == CALL_SIM ? WIRE_REPORT_BYTES : 0;
    bool is_answered = is_timed ? ask_timed(worker, fd, &scene, &output, result)
                                : session_ask(worker, call, sizeof *call, fd, &expect,
                                              limit_ms(worker, false), &scene, &output, result);
    if (is_answered) {
        const struct wire_reply *reply = &worker->exchange.message.reply;
        session_take_reply(worker, result);
        take_report(worker, reply->report_bytes, result);
        result->is_report_kept = result->outcome == CALL_OK && reply->keeps_report;
        if (result->outcome == CALL_OK)
            share_collect(&worker->share, args, call, worker->settings.backend, result);
    }
    return finish(result, &output);
}

enum call_outcome call_run(struct call_worker *worker, const char *function, struct call_arg *args,
                           size_t n_args, struct call_result *result) {
    return run(worker, function, args, n_args, false, result);
}

enum call_outcome call_run_timed(struct call_worker *worker, const char *function,
                                 struct call_arg *args, size_t n_args, struct call_result *result) {
    return run(worker, function, args, n_args, true, result);
}

const char *call_report(struct call_worker *worker, struct call_result *result) {
    struct wire_signal request = {.header = {0}};
    struct outcome_scene scene = {
        .request = WIRE_REPORT, .function = worker->call.function, .timeout_ms = MOVE_MS};
    struct wire_expect expect = {.request = WIRE_REPORT,
                                 .kind = WIRE_REPLY,
                                 .report_capacity = WIRE_REPORT_BYTES,
                                 .wall_ms = NAN};
    struct call_output output = {.text = NULL};
    struct call_result answer;

    if (!result->is_report_kept)
        return result->report;
    result->is_report_kept = false;
    outcome_clear(&answer);
    request.header = session_header(worker, WIRE_REPORT, sizeof request);
    if (session_ask(worker, &request, sizeof request, -1, &expect, MOVE_MS, &scene, &output,
                    &answer) &&
        session_take_reply(worker, &answer) == CALL_OK)
        take_report(worker, worker->exchange.message.reply.report_bytes, &answer);
    result->report = answer.report;
    if (answer.outcome != CALL_OK) {
        result->outcome = answer.outcome;
        snprintf(result->message, sizeof result->message, "%s", answer.message);
    }
    return result->report;
}

enum call_outcome call_read_variable(struct call_worker *worker, const char *name, void *data,
                                     size_t bytes, struct call_result *result) {
    struct wire_variable request = {.bytes = bytes};
    struct outcome_scene scene = {
        .request = WIRE_VARIABLE, .function = name, .timeout_ms = worker->settings.timeout_ms};
    struct wire_expect expect = {.request = WIRE_VARIABLE, .kind = WIRE_REPLY, .wall_ms = NAN};
    struct call_output output;

    begin(result, &output);
    if (bytes > sizeof worker->exchange.message.reply.variable ||
        strlen(name) >= sizeof request.name) {
        outcome_set(result, CALL_INFRASTRUCTURE, "a variable has at most %d bytes",
                    WIRE_VARIABLE_BYTES);
        return finish(result, &output);
    }
    if (!session_load(worker, &output, result))
        return finish(result, &output);
    snprintf(request.name, sizeof request.name, "%s", name);
    request.header = session_header(worker, WIRE_VARIABLE, sizeof request);
    if (session_ask(worker, &request, sizeof request, -1, &expect, scene.timeout_ms, &scene,
                    &output, result) &&
        session_take_reply(worker, result) == CALL_OK)
        memcpy(data, worker->exchange.message.reply.variable, bytes);
    return finish(result, &output);
}

enum call_outcome call_time_copy(struct call_worker *worker, size_t bytes, int repeats, double *ms,
                                 struct call_result *result) {
    struct wire_copy request = {.bytes = bytes, .repeats = (uint32_t)(repeats > 0 ? repeats : 1)};
    struct outcome_scene scene = {.request = WIRE_COPY, .timeout_ms = MOVE_MS};
    struct wire_expect expect = {.request = WIRE_COPY, .kind = WIRE_REPLY, .wall_ms = NAN};
    struct call_output output;

    begin(result, &output);
    *ms = NAN;
    if (!session_start(worker, &output, result))
        return finish(result, &output);
    request.header = session_header(worker, WIRE_COPY, sizeof request);
    if (session_ask(worker, &request, sizeof request, -1, &expect, MOVE_MS, &scene, &output,
                    result) &&
        session_take_reply(worker, result) == CALL_OK)
        *ms = result->event_ms;
    return finish(result, &output);
}

static void take_device(const struct wire_device *wire, struct call_device *device) {
    *device = (struct call_device){.major = wire->major,
                                   .minor = wire->minor,
                                   .n_sm = wire->n_sm,
                                   .global_bytes = wire->global_bytes,
                                   .free_bytes = wire->free_bytes,
                                   .l2_bytes = wire->l2_bytes,
                                   .peak_gbps = wire->peak_gbps,
                                   .sm_clock_mhz = wire->sm_clock_mhz,
                                   .memory_clock_mhz = wire->memory_clock_mhz,
                                   .driver_version = wire->driver_version,
                                   .runtime_version = wire->runtime_version};
    snprintf(device->name, sizeof device->name, "%s", wire->name);
    wire_clean_text(device->name, strlen(device->name), false);
}

enum call_outcome call_device(struct call_worker *worker, struct call_device *device,
                              struct call_result *result) {
    struct wire_signal request = {.header = {0}};
    struct outcome_scene scene = {.request = WIRE_DEVICE, .timeout_ms = MOVE_MS};
    struct wire_expect expect = {.request = WIRE_DEVICE, .kind = WIRE_REPLY, .wall_ms = NAN};
    struct call_output output;

    begin(result, &output);
    *device = (struct call_device){.n_sm = 0};
    if (!session_start(worker, &output, result))
        return finish(result, &output);
    request.header = session_header(worker, WIRE_DEVICE, sizeof request);
    if (session_ask(worker, &request, sizeof request, -1, &expect, MOVE_MS, &scene, &output,
                    result) &&
        session_take_reply(worker, result) == CALL_OK)
        take_device(&worker->exchange.message.reply.device, device);
    return finish(result, &output);
}

/*
 * call.h's calls: each describes one request, waits for its answer and takes the buffers back.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/splitmix.h"
#include "common/call/call.h"
#include "common/call/client/moves.h"
#include "common/call/client/simulator.h"
#include "common/call/client/share.h"

enum {
    MOVE_MS = 30000, /* for moving inputs and outputs, apart from the function's own time */
    /* On the simulator a call gets this much more, at most: the simulator stops a kernel by itself,
     * and on a busy machine it must have time to report the line where the kernel spent its time.
     */
    SIM_GRACE_MS = 2000,
    SIM_MS_PER_MIB = 2048, /* in which even a busy machine runs CALL_BUDGET_PER_BYTE for each */
    GPU_LOAD_MS = 2000,
};

void call_result_clear(struct call_result *result) {
    free(result->output);
    free(result->report);
    result->output = result->report = NULL;
}

static void begin(struct call_worker *worker, struct call_result *result) {
    outcome_clear(result);
    result->output = malloc(CALL_OUTPUT_BYTES + 1);
    worker->output = (struct call_output){.text = result->output};
    if (result->output)
        result->output[0] = '\0';
}

static enum call_outcome finish(struct call_worker *worker, struct call_result *result) {
    struct call_output *output = &worker->output;

    if (output->text) {
        output->text[output->used] = '\0';
        wire_clean_text(output->text, output->used, true);
    }
    result->output_dropped = output->dropped;
    *output = (struct call_output){.text = NULL}; /* the result's now */
    return result->outcome;
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

/* On the simulator, how long a call may take beyond what it is granted. */
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
        if (!args[i].sparse.is_on)
            bytes += args[i].count * args[i].element_bytes;
    ms += (int64_t)(bytes * SIM_MS_PER_MIB >> 20);
    worker->granted_ms = ms < INT32_MAX / 2 ? (int)ms : INT32_MAX / 2;
    worker->call.launch_ms = worker->granted_ms + (int32_t)grace_ms(settings) / 2;
    if (settings->budget)
        worker->call.launch_budget = settings->budget + bytes * CALL_BUDGET_PER_BYTE;
}

void call_try(struct call_worker *worker, const struct call_experiment *experiment) {
    worker->experiment = (struct call_experiment){0};
    if (!experiment || experiment->n_edits > SIMT_MAX_EDITS)
        return;
    worker->experiment = *experiment;
    worker->experiment.edits = worker->edits;
    if (experiment->n_edits)
        memcpy(worker->edits, experiment->edits, experiment->n_edits * sizeof *worker->edits);
}

/* What the experiment wants of the call. */
static void add_experiment(const struct call_worker *worker, struct wire_call *call) {
    const struct call_experiment *experiment = &worker->experiment;

    if (experiment->budget)
        call->launch_budget = experiment->budget;
    call->lists_edits = experiment->lists;
    call->n_edits = (uint32_t)experiment->n_edits;
    memcpy(call->edits, worker->edits, sizeof call->edits);
}

/* Where device buffers have their places. */
static const struct call_share *device_memory(const struct call_worker *worker) {
    return session_is_apart(worker) ? &worker->device_share : &worker->share;
}

/* What lies where student code could touch all of it is not sparse for long. */
static bool can_be_sparse(const struct call_worker *worker, const struct call_arg *args,
                          size_t n_args) {
    for (size_t i = 0; i < n_args; i++)
        if (args[i].sparse.is_on && !session_is_apart(worker))
            return false;
    return true;
}

static bool prepare_call(struct call_worker *worker, const char *function, struct call_arg *args,
                         size_t n_args, bool is_timed, struct call_result *result) {
    struct wire_call *call = &worker->call;
    bool is_new = false;

    *call = (struct wire_call){.timed = is_timed,
                               .is_apart = session_is_apart(worker),
                               .checks = worker->settings.checks,
                               .schedule = worker->conditions.schedule,
                               .refused = worker->conditions.refused,
                               .same_places = worker->conditions.same_places,
                               .shifts = worker->conditions.shifts,
                               .other_device = worker->conditions.other_device,
                               .refuses = worker->conditions.refuses,
                               .sample = worker->conditions.sample,
                               .keeps_shared = worker->keeps_shared};
    if (call->sample.n)
        call->checks = false;
    grant(worker, args, n_args);
    add_experiment(worker, call);
    if (strlen(function) >= sizeof call->function) {
        outcome_set(result, CALL_INFRASTRUCTURE, "the name %.64s... is too long", function);
        return false;
    }
    if (!can_be_sparse(worker, args, n_args)) {
        outcome_set(result, CALL_INFRASTRUCTURE, "sparse buffers want a simulator by itself");
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
    if (session_is_apart(worker) && !share_place(&worker->device_share, args, n_args, call, &is_new,
                                                 result->message, sizeof result->message)) {
        result->outcome = CALL_INFRASTRUCTURE;
        return false;
    }
    if (is_new)
        worker->has_device_share = false;
    call->shared_bytes = worker->share.bytes;
    share_fill(&worker->share, device_memory(worker), args, call);
    return true;
}

/* A large input that goes to the device (WIRE_PART), or a large output that comes from it
 * (WIRE_FETCH). */
struct move {
    struct call_worker *worker;
    uint32_t request, index; /* of the argument */
    bool keeps, repeats;     /* struct wire_part */
    const struct outcome_scene *scene;
    struct call_result *result;
};

/* Asks the worker for one part. */
static bool ask_part(void *context, uint64_t at, uint64_t bytes, uint32_t place) {
    const struct move *move = context;
    struct call_worker *worker = move->worker;
    struct wire_expect expect = {.kind = WIRE_REPLY, .wall_ms = NAN};
    struct wire_part part = {.index = move->index,
                             .place = place,
                             .repeats = move->repeats,
                             .keeps = move->keeps,
                             .at = at,
                             .bytes = bytes,
                             .arg = worker->call.args[move->index]};

    return session_ask(worker, &part, move->request, take_share(worker), &expect, MOVE_MS,
                       move->scene, move->result) &&
           session_take_reply(worker, move->result) == CALL_OK;
}

/* From `at` on, what lies before is repeated: as often as it takes, each time twice as much. */
static bool repeat(struct move *move, uint64_t at, uint64_t end) {
    bool is_good = true;

    move->repeats = true;
    for (uint64_t bytes; at < end && is_good; at += bytes) {
        bytes = end - at < at ? end - at : at;
        is_good = ask_part(move, at, bytes, 0);
    }
    move->repeats = false;
    return is_good;
}

/* A large input, but for what the worker can copy or has from the call before. */
static bool move_large_in(struct move *move, const struct call_arg *arg, uint8_t *place) {
    const struct wire_arg *wire = &move->worker->call.args[move->index];
    const struct kept *kept = &move->worker->kept[move->index];
    size_t count = arg->period && arg->period < arg->count ? arg->period : arg->count;

    move->keeps = kept->bytes == wire->bytes && kept->context == arg->context;
    bool is_good = move_in_parts(arg, count, move->keeps, place, ask_part, move) &&
                   repeat(move, count * arg->element_bytes, wire->bytes);
    move->keeps = false;
    return is_good;
}

/* Notes what the worker has once it has done a call without a fault. */
static void note_kept(struct call_worker *worker, const struct call_arg *args, size_t n_args) {
    memset(worker->kept, 0, sizeof worker->kept);
    for (size_t i = 0; i < n_args; i++)
        if (wire_is_large_in(&worker->call.args[i]) && args[i].is_same && !args[i].may_change)
            worker->kept[i] = (struct kept){worker->call.args[i].bytes, args[i].context};
}

/* The inputs that go ahead of their call (WIRE_PART), or the outputs that come after it. */
static bool move_all_large(struct call_worker *worker, uint32_t request,
                           const struct outcome_scene *scene, struct call_result *result) {
    struct outcome_scene moving = *scene;
    struct move move = {.worker = worker, .request = request, .scene = &moving, .result = result};
    bool is_input = request == WIRE_PART, is_untouched = false;

    moving.request = request;
    moving.timeout_ms = MOVE_MS;
    for (size_t i = 0; i < scene->n_args; i++) {
        const struct wire_arg *wire = &worker->call.args[i];
        uint8_t *place = worker->share.base + wire->offset + WIRE_GUARD_BYTES;

        move.index = (uint32_t)i;
        if (!(is_input ? wire_is_large_in(wire) : wire_is_large_out(wire)))
            continue;
        if (!(is_input ? move_large_in(&move, &scene->args[i], place)
                       : move_out_parts(&scene->args[i], place, worker->call.poison, ask_part,
                                        &move, &is_untouched)))
            return false;
        if (is_untouched)
            result->untouched |= UINT64_C(1) << i;
    }
    return true;
}

/* What a call may take: the limit of the lab, and time to move its buffers at a slow 500 MB/s. */
static int64_t limit_ms(const struct call_worker *worker, bool is_timed) {
    int64_t moving_ms = (int64_t)(worker->share.bytes / 500000) + grace_ms(&worker->settings);

    return is_timed ? MOVE_MS + moving_ms : worker->granted_ms + moving_ms;
}

/* The three steps of a timed call; leaves the reply in worker->exchange. The trusted side's clock
 * runs from the second request until the worker says that the device is idle again. */
static bool ask_timed(struct call_worker *worker, int fd, const struct outcome_scene *scene,
                      struct call_result *result) {
    struct wire_expect expect = {.kind = WIRE_PREPARED, .wall_ms = NAN};
    struct wire_signal go = {.header = {0}};
    struct outcome_scene moving = *scene;
    const union wire_message *answer = &worker->exchange.message;

    moving.timeout_ms = (int)limit_ms(worker, true);
    if (!session_ask(worker, &worker->call, WIRE_CALL, fd, &expect, moving.timeout_ms, &moving,
                     result))
        return false;
    if (answer->header.kind == WIRE_REPLY)
        return true; /* it could not prepare: no memory, no such function */
    expect.kind = WIRE_RAN;
    if (!session_ask(worker, &go, WIRE_GO, -1, &expect, scene->timeout_ms, scene, result))
        return false;
    if (answer->header.kind == WIRE_REPLY)
        return true;
    double wall_ms = result->wall_ms;
    expect.kind = WIRE_REPLY;
    expect.wall_ms = wall_ms;
    bool is_answered =
        session_ask(worker, &go, WIRE_GO, -1, &expect, moving.timeout_ms, &moving, result);
    result->wall_ms = wall_ms;
    return is_answered;
}

/* The large outputs of a call that went well; the times are the call's. */
static void fetch_outputs(struct call_worker *worker, const struct outcome_scene *scene,
                          struct call_result *result) {
    double event_ms = result->event_ms, wall_ms = result->wall_ms;

    if (session_is_apart(worker))
        simulator_fetch(worker, scene->args, result);
    else
        move_all_large(worker, WIRE_FETCH, scene, result);
    result->event_ms = event_ms;
    result->wall_ms = wall_ms;
}

/* Takes over what a call that was answered has left. */
static void take_call(struct call_worker *worker, const struct outcome_scene *scene,
                      struct call_arg *args, struct call_result *result) {
    const struct wire_reply reply = worker->exchange.message.reply;
    bool is_apart = session_is_apart(worker);
    uint32_t compared = UINT32_MAX;

    if (is_apart) {
        if (!simulator_finish(worker, reply.outcome == CALL_OK, result))
            return;
        compared = worker->fetched;
    }
    session_take_reply(worker, result);
    result->kept_objects = reply.kept_objects;
    result->kept_host_bytes = reply.kept_host_bytes;
    if (!is_apart) {
        result->work = reply.work;
        result->kept_allocations = reply.kept_allocations;
        result->kept_bytes = reply.kept_bytes;
        result->is_idle = reply.is_idle != 0;
        if (session_take_report(worker, reply.report_bytes, result))
            result->is_report_kept = result->outcome == CALL_OK && reply.keeps_report;
    }
    if (result->outcome != CALL_OK)
        return;
    share_collect(&worker->share, device_memory(worker), args, &worker->call,
                  worker->settings.backend, compared, result);
    fetch_outputs(worker, scene, result);
}

static enum call_outcome run_call(struct call_worker *worker, const char *function,
                                  struct call_arg *args, size_t n_args, bool is_timed,
                                  struct call_result *result) {
    struct outcome_scene scene = {
        .request = WIRE_CALL, .function = function, .args = args, .n_args = n_args};
    struct wire_expect expect = {.kind = WIRE_REPLY, .wall_ms = NAN};

    begin(worker, result);
    if (!session_load(worker, result) ||
        !prepare_call(worker, function, args, n_args, is_timed, result) ||
        !(session_is_apart(worker) ? simulator_prepare(worker, args, result)
                                   : move_all_large(worker, WIRE_PART, &scene, result)))
        return finish(worker, result);
    int fd = take_share(worker);
    scene.timeout_ms = worker->granted_ms;
    bool has_report = worker->settings.backend == CALL_SIM && !session_is_apart(worker);
    expect.report_capacity = has_report ? WIRE_REPORT_BYTES : 0;
    bool is_answered = is_timed ? ask_timed(worker, fd, &scene, result)
                                : session_ask(worker, &worker->call, WIRE_CALL, fd, &expect,
                                              limit_ms(worker, false), &scene, result);
    memset(worker->kept, 0, sizeof worker->kept);
    if (is_answered)
        take_call(worker, &scene, args, result);
    if (is_answered && result->outcome == CALL_OK)
        note_kept(worker, args, n_args);
    return finish(worker, result);
}

enum call_outcome call_run(struct call_worker *worker, const char *function, struct call_arg *args,
                           size_t n_args, struct call_result *result) {
    return run_call(worker, function, args, n_args, false, result);
}

enum call_outcome call_run_timed(struct call_worker *worker, const char *function,
                                 struct call_arg *args, size_t n_args, struct call_result *result) {
    return run_call(worker, function, args, n_args, true, result);
}

const char *call_report(struct call_worker *worker, struct call_result *result) {
    struct wire_signal request = {.header = {0}};
    struct call_result answer;

    if (!result->is_report_kept)
        return result->report;
    result->is_report_kept = false;
    if (!worker->is_open)
        return result->report; /* it went with the processes, which were ended since */
    outcome_clear(&answer);
    uint64_t bytes = 0;
    if (session_is_apart(worker))
        simulator_report(worker, &bytes, &answer);
    else if (session_request(worker, &request, WIRE_REPORT, worker->call.function, MOVE_MS,
                             &answer) == CALL_OK)
        bytes = worker->exchange.message.reply.report_bytes;
    if (answer.outcome == CALL_OK)
        session_take_report(worker, bytes, &answer);
    result->report = answer.report;
    if (answer.outcome != CALL_OK) {
        result->outcome = answer.outcome;
        snprintf(result->message, sizeof result->message, "%s", answer.message);
    }
    return result->report;
}

struct call_writer call_last_writer(struct call_worker *worker, size_t arg, uint64_t at) {
    return session_is_apart(worker) ? simulator_last_writer(worker, arg, at)
                                    : (struct call_writer){.kind = CALL_WRITER_UNKNOWN};
}

enum call_outcome call_read_variable(struct call_worker *worker, const char *name, void *data,
                                     size_t bytes, struct call_result *result) {
    struct wire_variable request = {.bytes = bytes};

    begin(worker, result);
    if (bytes > WIRE_VARIABLE_BYTES || strlen(name) >= sizeof request.name) {
        outcome_set(result, CALL_INFRASTRUCTURE, "a variable has at most %d bytes",
                    WIRE_VARIABLE_BYTES);
    } else if (session_load(worker, result)) {
        snprintf(request.name, sizeof request.name, "%s", name);
        if (session_request(worker, &request, WIRE_VARIABLE, name, worker->settings.timeout_ms,
                            result) == CALL_OK)
            memcpy(data, worker->exchange.message.reply.variable, bytes);
    }
    return finish(worker, result);
}

enum call_outcome call_time_copy(struct call_worker *worker, size_t bytes, bool with_host,
                                 int repeats, double *ms, struct call_result *result) {
    struct wire_copy request = {
        .bytes = bytes, .repeats = (uint32_t)(repeats > 0 ? repeats : 1), .with_host = with_host};

    begin(worker, result);
    *ms = NAN;
    if (session_start(worker, result) &&
        session_request(worker, &request, WIRE_COPY, NULL, MOVE_MS, result) == CALL_OK)
        *ms = result->event_ms;
    return finish(worker, result);
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

    begin(worker, result);
    *device = (struct call_device){.n_sm = 0};
    if (session_start(worker, result) && simulator_resume(worker, result) &&
        session_request(worker, &request, WIRE_DEVICE, NULL, MOVE_MS, result) == CALL_OK)
        take_device(&worker->exchange.message.reply.device, device);
    return finish(worker, result);
}

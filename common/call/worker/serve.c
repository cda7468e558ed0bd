/*
 * One function a request, in a table.
 */
#include "common/call/worker/serve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void serve_error(const struct worker *worker, int error, const char *what,
                 struct wire_reply *reply) {
    const struct cuda *cuda = &worker->cuda;
    const char *name = cuda->error_name(error), *words = cuda->error_string(error);
    const char *more = cuda->simt_last_error ? cuda->simt_last_error() : NULL;

    reply->outcome = CALL_CUDA_ERROR;
    if (error == CUDA_ERROR_MEMORY_ALLOCATION)
        reply->outcome = CALL_OUT_OF_MEMORY;
    else if (cuda->simt_last_error && error == CUDA_ERROR_NOT_SUPPORTED)
        reply->outcome = CALL_UNSUPPORTED;
    else if (cuda->simt_last_error && error == CUDA_ERROR_LAUNCH_TIMEOUT)
        reply->outcome = CALL_TIMEOUT;
    reply->cuda_error = error < 0 ? 1 << 30 : error;
    snprintf(reply->cuda_error_name, sizeof reply->cuda_error_name, "%s", name ? name : "");
    snprintf(reply->message, sizeof reply->message, "%.200s %.64s (%.200s)%s%.400s", what,
             name ? name : "a CUDA error", words ? words : "", more && *more ? ": " : "",
             more ? more : "");
}

static void send_reply(struct worker *worker, struct wire_reply *reply) {
    channel_send(&worker->channel, &worker->message.header, reply, WIRE_REPLY, sizeof *reply);
}

static struct wire_reply empty_reply(void) {
    return (struct wire_reply){.outcome = CALL_OK, .event_ms = NAN};
}

static void serve_open(struct worker *worker, int fd) {
    const struct wire_open *open = &worker->message.open;
    struct wire_reply reply = empty_reply();
    struct cuda *cuda = &worker->cuda;

    (void)fd;
    worker->backend = open->backend == CALL_GPU ? CALL_GPU : CALL_SIM;
    if (!cuda_load(cuda, open->cudart, reply.message, sizeof reply.message)) {
        reply.outcome = CALL_INFRASTRUCTURE;
    } else {
        /* The context is made here, where its failure is not the student's. */
        int error = cuda->set_device ? cuda->set_device(0) : CUDA_SUCCESS;
        if (!error)
            error = cuda->free(NULL);
        if (error) {
            serve_error(worker, error, "the device can't be used:", &reply);
            reply.outcome = CALL_INFRASTRUCTURE;
        }
    }
    send_reply(worker, &reply);
}

static void serve_load(struct worker *worker, int fd) {
    struct wire_reply reply = empty_reply();

    (void)fd;
    if (worker->submission.library ||
        !submission_load(&worker->submission, worker->message.load.submission, reply.message,
                         sizeof reply.message))
        reply.outcome = CALL_LOAD_FAILED;
    crash_watch();
    fflush(NULL);
    send_reply(worker, &reply);
}

static void serve_variable(struct worker *worker, int fd) {
    const struct wire_variable *request = &worker->message.variable;
    struct wire_reply reply = empty_reply();

    (void)fd;
    if (request->bytes > sizeof reply.variable || !worker->submission.library ||
        !submission_variable(&worker->submission, request->name, reply.variable, request->bytes,
                             reply.message, sizeof reply.message))
        reply.outcome = CALL_NO_ENTRY;
    send_reply(worker, &reply);
}

static void serve_copy(struct worker *worker, int fd) {
    const struct wire_copy *request = &worker->message.copy;
    struct wire_reply reply = empty_reply();
    int error;

    (void)fd;
    if (!cuda_can_time(&worker->cuda)) {
        reply.outcome = CALL_INFRASTRUCTURE;
        snprintf(reply.message, sizeof reply.message, "this CUDA runtime has no events to time by");
    } else {
        error = timing_open(&worker->timing, &worker->cuda);
        if (!error)
            error = timing_copy(&worker->timing, request->bytes, (int)request->repeats,
                                &reply.event_ms);
        if (error)
            serve_error(worker, error, "the copy could not be timed:", &reply);
    }
    send_reply(worker, &reply);
}

/* The properties open with the name in every version; the rest is not looked at. */
static void name_device(const struct worker *worker, char *name, size_t capacity) {
    const struct cuda *cuda = &worker->cuda;
    size_t properties_bytes = 1 << 16;
    char *properties = calloc(1, properties_bytes);
    int error = 1;

    if (properties && cuda->get_properties_v2)
        error = cuda->get_properties_v2(properties, 0);
    else if (properties && cuda->get_properties)
        error = cuda->get_properties(properties, 0);
    snprintf(name, capacity, "%.100s",
             error ? (worker->backend == CALL_SIM ? "simulator" : "unknown GPU") : properties);
    free(properties);
}

static void serve_device(struct worker *worker, int fd) {
    const struct cuda *cuda = &worker->cuda;
    struct wire_reply reply = empty_reply();
    struct wire_device *device = &reply.device;
    size_t free_bytes = 0, global_bytes = 0;

    (void)fd;
    name_device(worker, device->name, sizeof device->name);
    if (cuda->memory_info)
        cuda->memory_info(&free_bytes, &global_bytes);
    if (cuda->driver_version)
        cuda->driver_version(&device->driver_version);
    if (cuda->runtime_version)
        cuda->runtime_version(&device->runtime_version);
    device->free_bytes = free_bytes;
    device->global_bytes = global_bytes;
    device->major = cuda_attribute(cuda, CUDA_ATTR_MAJOR);
    device->minor = cuda_attribute(cuda, CUDA_ATTR_MINOR);
    device->n_sm = cuda_attribute(cuda, CUDA_ATTR_SM_COUNT);
    device->l2_bytes = (uint64_t)cuda_attribute(cuda, CUDA_ATTR_L2_BYTES);
    device->sm_clock_mhz = cuda_attribute(cuda, CUDA_ATTR_CLOCK_RATE) / 1e3;
    device->memory_clock_mhz = cuda_attribute(cuda, CUDA_ATTR_MEMORY_CLOCK_RATE) / 1e3;
    int bus_bits = cuda_attribute(cuda, CUDA_ATTR_MEMORY_BUS_WIDTH);
    /* Two transfers a clock. */
    device->peak_gbps = device->memory_clock_mhz * 2 * bus_bits / 8 / 1e3;
    cuda->get_last_error();
    send_reply(worker, &reply);
}

static void serve_nothing(struct worker *worker, int fd) {
    (void)worker;
    (void)fd; /* a GO out of its turn */
}

bool serve(struct worker *worker) {
    static void (*const serve_kind[])(struct worker *, int) = {
        [WIRE_OPEN] = serve_open,     [WIRE_LOAD] = serve_load,
        [WIRE_PART] = serve_part,     [WIRE_CALL] = serve_call,
        [WIRE_GO] = serve_nothing,    [WIRE_COPY] = serve_copy,
        [WIRE_DEVICE] = serve_device, [WIRE_VARIABLE] = serve_variable,
        [WIRE_REPORT] = serve_report,
    };
    int fd = -1;

    if (!channel_receive(&worker->channel, &worker->message, &fd))
        return false;
    worker->crash.request = worker->message.header;
    serve_kind[worker->message.header.kind](worker, fd);
    return true;
}

/*
 * warpbook-worker [OPTION]… -- [LIBRARY]: the process in which student code runs.
 *
 * The client starts it as a fork server, with a socket as descriptor 3. Each worker forked from it
 * has one of its own there, stdin from /dev/null and stdout and stderr into a pipe, and serves
 * requests until the client is gone. It knows no expected values, no seed and no path but the
 * submission's. Nothing that it says is believed unchecked.
 */
#include "common/call/worker/worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/call/worker/forkserver.h"

/* Student code may have forked: its child must not answer in the worker's name. */
static void end_if_child(const struct worker *worker) {
    if (getpid() != worker->crash.pid)
        _exit(0);
}

bool worker_receive(struct worker *worker, int *fd) {
    const struct wire_header *header = &worker->message.header;

    end_if_child(worker);
    ssize_t got = wire_receive(WIRE_SOCKET, &worker->message, sizeof worker->message, fd, 1);
    if (got < (ssize_t)sizeof *header || header->magic != WIRE_MAGIC ||
        header->version != WIRE_VERSION || (size_t)got != wire_bytes(header->kind))
        return false;
    worker->crash.request = *header;
    return true;
}

void worker_send(const struct worker *worker, void *message, uint32_t kind) {
    struct wire_header *header = message;
    ssize_t sent;

    end_if_child(worker);
    *header = wire_header_of(kind, worker->message.header.sequence);
    do
        sent = wire_send(WIRE_SOCKET, message, header->bytes, NULL, 0, 0);
    while (sent < 0 && errno == EINTR);
    while (sent != (ssize_t)header->bytes)
        pause();
}

struct wire_reply worker_reply(void) {
    return (struct wire_reply){.outcome = CALL_OK, .event_ms = NAN};
}

void worker_fail(const struct worker *worker, int error, const char *what,
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

static void serve_open(struct worker *worker, int fd) {
    const struct wire_open *open = &worker->message.open;
    struct wire_reply reply = worker_reply();
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
        if (!error && worker->backend == CALL_SIM)
            error = cuda->malloc(&worker->sink, WORKER_SINK_BYTES);
        if (cuda->simt_run_newer)
            cuda->simt_run_newer();
        if (error) {
            worker_fail(worker, error, "the device can't be used:", &reply);
            reply.outcome = CALL_INFRASTRUCTURE;
        }
    }
    worker_send(worker, &reply, WIRE_REPLY);
}

static void serve_load(struct worker *worker, int fd) {
    struct wire_reply reply = worker_reply();

    (void)fd;
    if (worker->submission.library ||
        !submission_load(&worker->submission, worker->message.load.submission, reply.message,
                         sizeof reply.message))
        reply.outcome = CALL_LOAD_FAILED;
    crash_watch();
    fflush(NULL);
    worker_send(worker, &reply, WIRE_REPLY);
}

static void serve_variable(struct worker *worker, int fd) {
    const struct wire_variable *request = &worker->message.variable;
    struct wire_reply reply = worker_reply();

    (void)fd;
    if (request->bytes > sizeof reply.variable || !worker->submission.library ||
        !submission_variable(&worker->submission, request->name, reply.variable, request->bytes,
                             reply.message, sizeof reply.message))
        reply.outcome = CALL_NO_ENTRY;
    worker_send(worker, &reply, WIRE_REPLY);
}

static void serve_copy(struct worker *worker, int fd) {
    const struct wire_copy *request = &worker->message.copy;
    struct wire_reply reply = worker_reply();
    int error;

    (void)fd;
    if (!cuda_can_time(&worker->cuda)) {
        reply.outcome = CALL_INFRASTRUCTURE;
        snprintf(reply.message, sizeof reply.message, "this CUDA runtime has no events to time by");
    } else {
        error = timing_open(&worker->timing, &worker->cuda);
        if (!error)
            error = (request->with_host ? timing_exchange : timing_copy)(
                &worker->timing, request->bytes, (int)request->repeats, &reply.event_ms);
        if (error)
            worker_fail(worker, error, "the copy could not be timed:", &reply);
    }
    worker_send(worker, &reply, WIRE_REPLY);
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

/* All but its memory. A driver takes tens of milliseconds for it, of which clocks are the most. */
static void describe_device(struct worker *worker, struct wire_device *device) {
    const struct cuda *cuda = &worker->cuda;

    name_device(worker, device->name, sizeof device->name);
    if (cuda->driver_version)
        cuda->driver_version(&device->driver_version);
    if (cuda->runtime_version)
        cuda->runtime_version(&device->runtime_version);
    device->major = cuda_attribute(cuda, CUDA_ATTR_MAJOR);
    device->minor = cuda_attribute(cuda, CUDA_ATTR_MINOR);
    device->n_sm = cuda_attribute(cuda, CUDA_ATTR_SM_COUNT);
    device->l2_bytes = (uint64_t)cuda_attribute(cuda, CUDA_ATTR_L2_BYTES);
    device->sm_clock_mhz = cuda_attribute(cuda, CUDA_ATTR_CLOCK_RATE) / 1e3;
    device->memory_clock_mhz = cuda_attribute(cuda, CUDA_ATTR_MEMORY_CLOCK_RATE) / 1e3;
    int bus_bits = cuda_attribute(cuda, CUDA_ATTR_MEMORY_BUS_WIDTH);
    /* Two transfers a clock. */
    device->peak_gbps = device->memory_clock_mhz * 2 * bus_bits / 8 / 1e3;
}

static void serve_device(struct worker *worker, int fd) {
    const struct cuda *cuda = &worker->cuda;
    struct wire_reply reply = worker_reply();
    size_t free_bytes = 0, global_bytes = 0;

    (void)fd;
    if (!worker->is_device_known)
        describe_device(worker, &worker->device);
    worker->is_device_known = true;
    reply.device = worker->device;
    if (cuda->memory_info)
        cuda->memory_info(&free_bytes, &global_bytes);
    reply.device.free_bytes = free_bytes;
    reply.device.global_bytes = global_bytes;
    cuda->get_last_error();
    worker_send(worker, &reply, WIRE_REPLY);
}

static void serve_nothing(struct worker *worker, int fd) {
    (void)worker;
    (void)fd; /* a WIRE_GO out of its turn */
}

/* Waits for one request and answers it. False when the client is gone, or where it sent what is no
 * request. */
static bool serve(struct worker *worker) {
    static void (*const serve_kind[WIRE_N_KINDS])(struct worker *, int) = {
        [WIRE_OPEN] = serve_open,         [WIRE_LOAD] = serve_load,
        [WIRE_PART] = serve_part,         [WIRE_CALL] = serve_call,
        [WIRE_FETCH] = serve_part,        [WIRE_GO] = serve_nothing,
        [WIRE_COPY] = serve_copy,         [WIRE_DEVICE] = serve_device,
        [WIRE_VARIABLE] = serve_variable, [WIRE_REPORT] = serve_report,
    };
    int fd;

    if (!worker_receive(worker, &fd) || !serve_kind[worker->message.header.kind])
        return false;
    serve_kind[worker->message.header.kind](worker, fd);
    return true;
}

/* Loads what each worker and its submission would load otherwise. Where that fails, the worker will
 * report it. */
static void load_ahead(const char *library) {
    if (library)
        dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL); /* nvcc links it to all that it compiles */
}

int main(int argc, char **argv) {
    /* Kernels are loaded with the file, not by their first, timed launch. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    unsetenv("PWD"); /* bubblewrap sets it */
    if (!forkserver_run(argc, argv, false, load_ahead)) {
        fputs("warpbook-worker is started by Warpbook's tests, not by hand\n", stderr);
        return 2;
    }
    prctl(PR_SET_DUMPABLE, 1); /* its own files in /proc are its own; the server's are not */
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return 1;
    /* Memory that was freed is taken again, rather than given back and paged in anew. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* so that a crash does not swallow what was printed */
    worker->crash.pid = getpid();
    worker->crash.submission = &worker->submission;
    if (!crash_start(&worker->crash))
        return 1;
    while (serve(worker))
        ;
    _exit(0); /* no destructors of the student's */
}

/*
 * WIRE_CALL: makes the buffers, calls the function, and says what came of it. WIRE_REPORT: sends
 * the simulator's report of that call.
 */
#include <ffi.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/owned.h"
#include "common/call/worker/worker.h"

/* What is needed from the request's arrival to its reply. `call` is a copy: the steps of a timed
 * call receive more messages. */
struct job {
    struct worker *worker;
    struct wire_call call;
    struct wire_reply reply;
    struct buffers buffers;
    void *function;
    size_t n_allocations; /* before the function is called, and their bytes */
    uint64_t allocated_bytes;
    size_t n_objects, host_bytes; /* before it, too */
    int left_pending;             /* by a call before */
};

static void refuse(struct job *job, enum call_outcome outcome, const char *message) {
    job->reply.outcome = outcome;
    snprintf(job->reply.message, sizeof job->reply.message, "%s", message);
}

static void configure(const struct job *job, bool checks) {
    const struct wire_call *call = &job->call;

    if (job->worker->cuda.simt_configure)
        job->worker->cuda.simt_configure(checks, call->launch_ms, call->launch_budget);
    if (job->worker->cuda.simt_keep_shared)
        job->worker->cuda.simt_keep_shared(call->keeps_shared != 0);
}

/* The edits that the call is tried with, from its buffers to its report. */
static void set_edits(const struct job *job, uint32_t n) {
    if (job->worker->cuda.simt_set_edits && n <= SIMT_MAX_EDITS)
        job->worker->cuda.simt_set_edits(job->call.edits, n);
}

/* Reads the beginning of what the function writes, in the default stream: once before the function
 * is called, and once after it has returned. So work that has no order with the default stream
 * meets these copies in no fixed order, which the simulator's checks find. */
static void use_default_stream(struct job *job) {
    const struct cuda *cuda = &job->worker->cuda;

    if (cuda->simt_callers)
        cuda->simt_callers(1);
    for (size_t i = 0; job->worker->sink && cuda->memcpy_async && i < job->call.n_args; i++) {
        const struct wire_arg *arg = &job->call.args[i];
        size_t bytes = arg->bytes < WORKER_SINK_BYTES ? arg->bytes : WORKER_SINK_BYTES;

        if (wire_is_device(arg->kind) && arg->kind != CALL_ARG_IN && bytes > 0)
            cuda->memcpy_async(job->worker->sink, job->buffers.at[i].data, bytes,
                               CUDA_DEVICE_TO_DEVICE, NULL);
    }
    if (cuda->simt_callers)
        cuda->simt_callers(0);
}

/* What the simulator is to do with this call alone, and what is there before it. */
static void set_conditions(struct job *job) {
    const struct cuda *cuda = &job->worker->cuda;

    if (job->worker->backend != CALL_SIM)
        return;
    if (cuda->simt_sample && job->call.sample.n)
        cuda->simt_sample(1);
    if (cuda->simt_pretend && job->call.other_device)
        cuda->simt_pretend(1);
    if (cuda->simt_schedule)
        cuda->simt_schedule(job->call.schedule);
    if (cuda->simt_allocations)
        job->n_allocations = cuda->simt_allocations(&job->allocated_bytes);
    if (cuda->simt_objects)
        job->n_objects = cuda->simt_objects();
    if (job->call.checks)
        use_default_stream(job);
}

/* Back to usual, once all work is done; notes what the function has left allocated. */
static void end_conditions(struct job *job) {
    const struct cuda *cuda = &job->worker->cuda;
    uint64_t bytes = 0;

    if (job->worker->backend != CALL_SIM)
        return;
    if (cuda->simt_sample && job->call.sample.n)
        cuda->simt_sample(0);
    if (cuda->simt_pretend && job->call.other_device)
        cuda->simt_pretend(0);
    if (cuda->simt_schedule)
        cuda->simt_schedule(0);
    size_t n_objects = cuda->simt_objects ? cuda->simt_objects() : 0;
    if (n_objects > job->n_objects)
        job->reply.kept_objects = (uint32_t)(n_objects - job->n_objects);
    if (!cuda->simt_allocations || !cuda->simt_stores)
        return;
    job->reply.is_idle = cuda->simt_stores() == 0;
    size_t n = cuda->simt_allocations(&bytes);
    if (n > job->n_allocations) {
        job->reply.kept_allocations = (uint32_t)(n - job->n_allocations);
        job->reply.kept_bytes = bytes > job->allocated_bytes ? bytes - job->allocated_bytes : 0;
    }
}

/* Function, memory, buffers, the simulator's settings. */
static bool prepare(struct job *job) {
    struct worker *worker = job->worker;
    const struct cuda *cuda = &worker->cuda;
    int error;

    if (!worker->submission.library || !worker->shared ||
        !buffers_fit(&job->call, worker->shared_bytes)) {
        refuse(job, CALL_OUT_OF_MEMORY, "the shared memory could not be mapped");
        return false;
    }
    job->function = submission_function(&worker->submission, job->call.function, job->reply.message,
                                        sizeof job->reply.message);
    if (!job->function) {
        job->reply.outcome = CALL_NO_ENTRY;
        return false;
    }
    configure(job, job->call.checks != 0);
    if (job->call.n_edits > 0)
        set_edits(job, job->call.n_edits);
    if (job->call.timed)
        buffers_pin(worker, &job->call);
    error = buffers_prepare(&job->buffers);
    if (!error && job->call.timed)
        error = timing_open(&worker->timing, cuda);
    if (error) {
        worker_fail(worker, error, "the buffers could not be made:", &job->reply);
        return false;
    }
    if (cuda->simt_report_reset)
        cuda->simt_report_reset();
    if (!job->call.timed)
        set_conditions(job);
    return true;
}

/* The crash handler names the argument whose device memory host code touched. */
static void describe_to_crash(struct job *job) {
    struct crash_scene *crash = &job->worker->crash;

    crash->n_args = job->call.n_args;
    for (size_t i = 0; i < job->call.n_args; i++) {
        bool is_device = job->buffers.at[i].allocation || job->buffers.at[i].is_adopted;
        const struct buffer *buffer = &job->buffers.at[i];
        crash->args[i].start = is_device           ? buffer->data
                               : buffer->is_fenced ? (uint8_t *)buffer->data + buffer->bytes
                                                   : NULL;
        crash->args[i].bytes = is_device ? job->call.args[i].bytes : WIRE_GUARD_BYTES;
    }
    crash_watch();
}

static int peek(const struct cuda *cuda) {
    return cuda->peek_at_last_error ? cuda->peek_at_last_error() : CUDA_SUCCESS;
}

/* What the function returned, what the device met since, and what nobody asked about. After a
 * launch that was to be refused, what is pending stays so for the next call, as for a caller who
 * looks at what is returned and at nothing else. That of another call does not: who returns it need
 * not ask for it again. */
static void judge(struct job *job, int device_error) {
    const struct cuda *cuda = &job->worker->cuda;
    int pending = job->reply.refusal.what == SIMT_LAUNCH ? peek(cuda) : cuda->get_last_error();
    char what[256];

    if (job->reply.returned == CUDA_ERROR_NOT_YET_IMPLEMENTED) {
        job->reply.outcome = CALL_NOT_WRITTEN;
        return;
    }
    if (job->reply.returned) {
        snprintf(what, sizeof what, "%.128s returned", job->call.function);
        worker_fail(job->worker, job->reply.returned, what, &job->reply);
    } else if (device_error) {
        snprintf(what, sizeof what, "the work that %.128s started failed with", job->call.function);
        worker_fail(job->worker, device_error, what, &job->reply);
    } else if (pending && pending != job->left_pending) {
        snprintf(what, sizeof what,
                 "%.128s returned cudaSuccess, but an error that it did not look at was pending:",
                 job->call.function);
        worker_fail(job->worker, pending, what, &job->reply);
    }
}

static void write_report(const struct worker *worker, bool lists_edits, struct wire_reply *reply) {
    const struct cuda *cuda = &worker->cuda;
    char *(*make)(void) = lists_edits && cuda->simt_report_edits_json ? cuda->simt_report_edits_json
                                                                      : cuda->simt_report_json;
    OWNED char *report = make ? make() : NULL;
    size_t bytes = report ? strlen(report) : 0;

    if (bytes > 0 && bytes <= WIRE_REPORT_BYTES) {
        memcpy(worker->shared, report, bytes);
        reply->report_bytes = bytes;
    }
}

void serve_report(struct worker *worker, int fd) {
    struct wire_reply reply = worker_reply();

    (void)fd;
    if (worker->backend == CALL_SIM && worker->shared)
        write_report(worker, false, &reply);
    worker_send(worker, &reply, WIRE_REPLY);
}

/* To write a report costs more than most calls, and to read it again: one that says nothing of
 * interest is written when it is asked for. Our own copies must not add to it. */
static void take_report(struct job *job) {
    const struct cuda *cuda = &job->worker->cuda;

    if (job->call.lists_edits || job->reply.outcome != CALL_OK || !cuda->simt_findings ||
        cuda->simt_findings() > 0)
        write_report(job->worker, job->call.lists_edits, &job->reply);
    else
        job->reply.keeps_report = 1;
    job->reply.work = cuda->simt_work ? cuda->simt_work() : 0;
    configure(job, false);
}

static void collect(struct job *job) {
    if (job->worker->backend == CALL_SIM && !job->call.is_apart)
        take_report(job);
    if (job->reply.outcome == CALL_OK) {
        int error = buffers_collect(&job->buffers);
        if (error)
            worker_fail(job->worker, error, "the outputs could not be copied back:", &job->reply);
    }
    fflush(NULL); /* what student code printed goes out before the answer does */
}

/* One argument's value, as wide as the widest. */
union slot {
    void *pointer;
    uint64_t u64;
    int64_t i64;
    uint32_t u32;
    int32_t i32;
    float f32;
    double f64;
};

static ffi_type *type_of(uint32_t kind) {
    switch (kind) {
    case CALL_ARG_U64:
        return &ffi_type_uint64;
    case CALL_ARG_I64:
        return &ffi_type_sint64;
    case CALL_ARG_U32:
        return &ffi_type_uint32;
    case CALL_ARG_I32:
        return &ffi_type_sint32;
    case CALL_ARG_F32:
        return &ffi_type_float;
    case CALL_ARG_F64:
        return &ffi_type_double;
    default:
        return &ffi_type_pointer;
    }
}

static union slot value_of(const struct wire_arg *arg, const struct buffer *buffer) {
    union slot slot = {.u64 = arg->value};

    switch (arg->kind) {
    case CALL_ARG_U32:
    case CALL_ARG_I32:
        slot.u32 = (uint32_t)arg->value;
        break;
    case CALL_ARG_U64:
    case CALL_ARG_I64:
    case CALL_ARG_F64:
        break;
    case CALL_ARG_F32:
        memcpy(&slot.f32, &arg->value, sizeof slot.f32);
        break;
    default:
        slot.pointer = buffer->data;
    }
    return slot;
}

/* Calls the submission's function with the call's scalars and the buffers' addresses. False where
 * libffi can't describe the call; nothing was called then. */
static bool call_submission(void *function, const struct wire_call *call,
                            const struct buffers *buffers, int *returned) {
    ffi_type *types[CALL_MAX_ARGS];
    union slot slots[CALL_MAX_ARGS];
    void *values[CALL_MAX_ARGS];
    ffi_arg result = 0; /* libffi widens small results to a register */
    void (*entry)(void);
    ffi_cif cif;

    for (size_t i = 0; i < call->n_args; i++) {
        types[i] = type_of(call->args[i].kind);
        slots[i] = value_of(&call->args[i], &buffers->at[i]);
        values[i] = &slots[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, call->n_args, &ffi_type_sint, types) != FFI_OK)
        return false;
    memcpy(&entry, &function, sizeof entry);
    ffi_call(&cif, entry, &result, values);
    *returned = (int)result;
    return true;
}

/* Of malloc and new. */
static size_t allocated_on_host(void) {
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* The argument that memory of the host lies in; NULL where it is none. */
static const struct buffer *find_host_output(const struct job *job, const struct simt_arrival *to,
                                             uint32_t *arg) {
    for (uint32_t i = 0; i < job->call.n_args; i++) {
        const struct buffer *buffer = &job->buffers.at[i];
        const uint64_t start = (uintptr_t)buffer->data;
        *arg = i;
        if (job->call.args[i].kind == CALL_ARG_HOST_OUT && to->to >= start &&
            to->to - start < buffer->bytes)
            return buffer;
    }
    return NULL;
}

static void tell_sites(const struct job *job, const uint64_t *callers, uint64_t *sites) {
    for (size_t i = 0; i < CALL_SITES; i++)
        sites[i] = submission_site(&job->worker->submission, (const void *)(uintptr_t)callers[i]);
}

/* Such a function copies, and puts its work into streams. */
static bool takes_host_arrays(const struct wire_call *call) {
    for (size_t i = 0; i < call->n_args; i++)
        if (wire_is_host(call->args[i].kind))
            return true;
    return false;
}

/* How many bytes from `at` on a copy has taken; 0 where that one was not, and `gap` says how many
 * from there on were not. */
static uint64_t count_sent(const struct simt_calls *calls, uint64_t at, uint64_t *gap) {
    for (uint32_t i = 0; i < calls->n_departures; i++) {
        const struct simt_departure *sent = &calls->departures[i];
        if (at >= sent->from && at - sent->from < sent->bytes)
            return sent->bytes - (at - sent->from);
        if (sent->from > at && sent->from - at < *gap)
            *gap = sent->from - at;
    }
    return 0;
}

static struct call_unsent find_unsent(const struct simt_calls *calls, const struct buffer *buffer) {
    struct call_unsent unsent = {0};

    for (uint64_t at = 0, n; at < buffer->bytes; at += n) {
        uint64_t gap = buffer->bytes - at;
        n = count_sent(calls, (uintptr_t)buffer->data + at, &gap);
        if (n > 0)
            continue;
        n = gap;
        unsent.all += n;
        if (unsent.bytes == 0)
            unsent = (struct call_unsent){at, n, unsent.all};
    }
    return unsent;
}

/* What of the inputs in the host's memory was never copied, by a function that asks the device for
 * something; of many copies nobody knows. */
static void tell_unsent(struct job *job, const struct simt_calls *calls) {
    job->reply.knows_unsent = calls->n_asked > 0 && calls->n_departures <= SIMT_ARRIVALS;
    for (size_t i = 0; i < job->call.n_args && job->reply.knows_unsent; i++)
        if (job->call.args[i].kind == CALL_ARG_HOST_IN)
            job->reply.unsent[i] = find_unsent(calls, &job->buffers.at[i]);
}

/* Which code of the submission has made calls, and what copies they were. */
static void tell_calls(struct job *job) {
    struct wire_reply *reply = &job->reply;
    struct simt_calls calls;
    uint32_t arg;

    job->worker->cuda.simt_calls(&calls);
    job->worker->cuda.simt_watch_calls(SIMT_WATCH_NOTHING);
    tell_sites(job, calls.failed, reply->failed_at);
    reply->n_asked = calls.n_asked;
    for (size_t i = 0; i < calls.n_asked && i < CALL_MAX_ASKED; i++)
        tell_sites(job, calls.asked[i], reply->asked[i]);
    if (takes_host_arrays(&job->call))
        tell_unsent(job, &calls);
    const uint32_t n = calls.n_arrivals, most = CALL_MAX_ARRIVALS;
    for (uint32_t i = n > most ? n - most : 0; i < n; i++) {
        const struct simt_arrival *from = &calls.arrivals[i];
        const struct buffer *buffer = find_host_output(job, from, &arg);
        if (!buffer)
            continue;
        struct call_arrival *arrival = &reply->arrivals[reply->n_arrivals++];
        *arrival = (struct call_arrival){
            .arg = arg, .at = from->to - (uintptr_t)buffer->data, .bytes = from->bytes};
        tell_sites(job, from->callers, arrival->sites);
    }
}

static bool call_function(struct job *job) {
    const struct cuda *cuda = &job->worker->cuda;
    bool may_refuse = cuda->simt_refuse && cuda->simt_refused;
    bool may_watch = cuda->simt_watch_calls && cuda->simt_calls && !job->call.timed;

    job->left_pending = peek(cuda);
    job->host_bytes = allocated_on_host();
    if (may_refuse)
        cuda->simt_refuse(job->call.refused, (int)job->call.refuses);
    if (may_watch)
        cuda->simt_watch_calls(takes_host_arrays(&job->call) ? SIMT_WATCH_ASKED : SIMT_WATCH_CALLS);
    bool is_called =
        call_submission(job->function, &job->call, &job->buffers, &job->reply.returned);
    size_t host_bytes = allocated_on_host();
    if (host_bytes > job->host_bytes)
        job->reply.kept_host_bytes = host_bytes - job->host_bytes;
    if (may_watch)
        tell_calls(job);
    if (may_refuse) {
        cuda->simt_refused(&job->reply.refusal);
        cuda->simt_refuse(0, 0);
    }
    if (is_called)
        return true;
    refuse(job, CALL_NO_ENTRY, "libffi can't make this call");
    return false;
}

static void run_untimed(struct job *job) {
    const struct cuda *cuda = &job->worker->cuda;

    if (call_function(job)) {
        buffers_collect_host(&job->buffers); /* what is not there yet is there too late */
        if (job->call.checks)
            use_default_stream(job);
        judge(job, cuda->synchronize());
        end_conditions(job);
        collect(job);
    }
}

/* Sends a step's message and waits for the word to go on. */
static void step(struct job *job, uint32_t kind) {
    struct worker *worker = job->worker;
    struct wire_signal signal = {.header = {0}};
    int fd = -1;

    worker_send(worker, &signal, kind);
    if (!worker_receive(worker, &fd) || worker->message.header.kind != WIRE_GO)
        _exit(1);
}

static void run_timed(struct job *job) {
    struct worker *worker = job->worker;
    double ms = NAN;
    int error = timing_warm(&worker->timing);

    step(job, WIRE_PREPARED);
    if (!error)
        error = timing_begin(&worker->timing);
    if (error) {
        worker_fail(worker, error, "the call could not be timed:", &job->reply);
        return;
    }
    if (!call_function(job))
        return;
    error = timing_end(&worker->timing, &ms);
    buffers_collect_host(&job->buffers);
    judge(job, error);
    if (job->reply.outcome != CALL_OK)
        return;
    step(job, WIRE_RAN);
    job->reply.event_ms = ms;
    collect(job);
    if (job->reply.outcome != CALL_OK)
        job->reply.event_ms = NAN;
}

void serve_call(struct worker *worker, int fd) {
    OWNED struct job *job = calloc(1, sizeof *job);

    if (!job)
        _exit(1);
    buffers_map_shared(worker, fd);
    job->worker = worker;
    job->call = worker->message.call;
    job->reply = worker_reply();
    job->buffers = (struct buffers){.cuda = &worker->cuda,
                                    .spares = &worker->spares,
                                    .call = &job->call,
                                    .shared = worker->shared,
                                    .has_guards = worker->backend == CALL_GPU};
    buffers_take(worker, &job->buffers);
    if (job->call.timed && !cuda_can_time(&worker->cuda)) {
        refuse(job, CALL_CUDA_ERROR, "this CUDA runtime has no events to time by");
    } else if (prepare(job)) {
        describe_to_crash(job);
        if (job->call.timed)
            run_timed(job);
        else
            run_untimed(job);
    }
    worker->crash.n_args = 0;
    if (job->call.n_edits > 0)
        set_edits(job, 0);
    buffers_release(worker, &job->buffers);
    worker_send(worker, &job->reply, WIRE_REPLY);
}

/*
 * The process's device, the lock around it, and the errors of its calls.
 *
 * As on hardware there are three kinds of errors: those of one call (returned, and kept as the
 * thread's last error until cudaGetLastError), those of a running kernel (which come to light at a
 * later call, and from then on at every call: the context is lost), and those of the thread before.
 * cudaGetLastError forgets even one of a lost context; the next call has it again.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/cudart/stream/operation.h"
#include "common/simt/cudart/watch.h"

#define N_ELEMENTS(array) (sizeof array / sizeof *array)

/* The one mutable global of the library: CUDA's API has no handle for the device. */
static struct cudart process = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .idle = PTHREAD_COND_INITIALIZER,
};

static __thread cudaError_t last_error;
__thread unsigned cudart_per_thread;

struct cudart *cudart_lock(void) {
    pthread_mutex_lock(&process.mutex);
    cudart_sweep(&process);
    return &process;
}

struct cudart *cudart_try_lock(void) {
    if (pthread_mutex_trylock(&process.mutex) != 0)
        return NULL;
    cudart_sweep(&process);
    return &process;
}

struct cudart *cudart_process(void) {
    return &process;
}

void cudart_unlock(struct cudart *rt) {
    pthread_mutex_unlock(&rt->mutex);
}

/* A number from the environment; 0 where there is none. */
static uint64_t setting(const char *name) {
    const char *text = getenv(name);
    return !text ? 0 : strtoull(text, NULL, 0);
}

/* The device as the environment wants it: README.md, "Environment". */
static cudaError_t make_device(struct cudart *rt) {
    const char *word = getenv("SIMT_DEVICE"), *checks = getenv("SIMT_CHECKS");
    rt->device = !word || *word == '\0' ? cudart_device_for(cudart_least_arch(rt))
                                        : cudart_device_find(word);
    if (!rt->device) {
        cudart_say(rt, "SIMT_DEVICE names no device that the simulator has: %.40s.", word);
        return cudaErrorNoDevice;
    }
    struct simt_options options;
    simt_default_options(&options);
    options.shared_bytes = CUDART_SHARED_PER_BLOCK;
    options.global_bytes = rt->device->memory_bytes;
    options.host_bytes = (size_t)setting("SIMT_HOST_MIB") << 20;
    options.n_sm = (uint32_t)rt->device->n_sm;
    options.sm_threads = (uint32_t)rt->device->threads_per_sm;
    options.sm_shared_bytes = (uint32_t)rt->device->shared_per_sm;
    options.sm_ctas = (uint32_t)rt->device->blocks_per_sm;
    options.checks = !checks || strcmp(checks, "0") != 0;
    options.budget = setting("SIMT_BUDGET");
    options.timeout_ms = (int64_t)setting("SIMT_TIMEOUT_MS");
    options.n_threads = (uint32_t)setting("SIMT_THREADS");
    options.keeps_digests = setting("SIMT_DIGESTS") != 0;
    rt->simt = simt_create(&options);
    if (!rt->simt) {
        cudart_say(rt, "No memory for the simulated device.");
        return cudaErrorInitializationError;
    }
    rt->seed = rt->random = setting("SIMT_SEED");
    rt->pool = &rt->default_pool;
    rt->limits[cudaLimitStackSize] = 1024;
    rt->limits[cudaLimitPrintfFifoSize] = 1 << 20;
    rt->limits[cudaLimitMallocHeapSize] = options.heap_bytes;
    cudart_report_at_the_end(rt);
    return cudaSuccess;
}

cudaError_t cudart_enter(struct cudart **rt) {
    cudaError_t error = cudart_enter_query(rt);
    (*rt)->is_active = process.simt;
    return error;
}

cudaError_t cudart_enter_query(struct cudart **rt) {
    *rt = cudart_lock();
    cudaError_t error = !process.simt ? make_device(*rt) : cudaSuccess;
    if (error == cudaSuccess && process.sticky != cudaSuccess)
        cudart_show_output(*rt); /* the call may never come to wait */
    return error == cudaSuccess ? process.sticky : error;
}

cudaError_t cudart_note(cudaError_t error) {
    if (error != cudaSuccess)
        last_error = error;
    if (error != cudaSuccess && error != cudaErrorNotReady)
        cudart_watch_failure();
    return error;
}

cudaError_t cudart_leave(struct cudart *rt, cudaError_t error) {
    cudart_unlock(rt);
    return cudart_note(error);
}

cudaError_t cudaPeekAtLastError(void) {
    return last_error;
}

cudaError_t cudaGetLastError(void) {
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

static enum simt_refuses refused_with(enum simt_refusable what) {
    if (what == SIMT_QUESTION)
        return SIMT_REFUSES_QUESTIONS;
    return what == SIMT_WAIT ? SIMT_REFUSES_WAITS : SIMT_REFUSES_WORK;
}

cudaError_t cudart_may_refuse(struct cudart *rt, enum simt_refusable what, cudaError_t error) {
    static const char *const words[] = {
        [SIMT_LAUNCH] = "launch", [SIMT_ALLOCATION] = "allocation",  [SIMT_COPY] = "copy",
        [SIMT_FILL] = "fill",     [SIMT_OBJECT] = "stream or event", [SIMT_QUESTION] = "question",
        [SIMT_WAIT] = "wait"};
    struct simt_refusal *refusal = &rt->refusal;
    if (refused_with(what) != rt->refuses)
        return cudaSuccess;
    refusal->n_calls++;
    if (refusal->number != refusal->n_calls)
        return cudaSuccess;
    refusal->what = what;
    refusal->error = error;
    cudart_say(rt, "The %s was refused: the simulator was told to.", words[what]);
    return error;
}

void cudart_say(struct cudart *rt, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rt->message, sizeof rt->message, format, arguments);
    va_end(arguments);
}

void cudart_say_diag(struct cudart *rt, const struct simt_diag *diag) {
    const char *slash = strrchr(diag->file, '/');
    const char *file = !slash ? diag->file : slash + 1;
    const char *message = diag->message[0] != '\0' ? diag->message : simt_status_text(diag->status);
    if (file[0] != '\0' && diag->line != 0)
        cudart_say(rt, "%s:%u: %s", file, diag->line, message);
    else if (diag->line != 0)
        cudart_say(rt, "PTX line %u: %s", diag->line, message);
    else
        cudart_say(rt, "%s", message);
}

cudaError_t cudart_unsupported(const char *name) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess) {
        cudart_say(rt, "%s is not supported by the simulator.", name);
        error = cudaErrorNotSupported;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudart_host_error(enum simt_status status) {
    switch (status) {
    case SIMT_OK:
        return cudaSuccess;
    case SIMT_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    default:
        return cudaErrorInvalidValue;
    }
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define X(name, text) {name, #name, text},
#include "common/simt/cudart/errors.def"
#undef X
};

const char *cudaGetErrorName(cudaError_t error) {
    for (size_t i = 0; i < N_ELEMENTS(errors); i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    for (size_t i = 0; i < N_ELEMENTS(errors); i++)
        if (errors[i].error == error)
            return errors[i].text;
    return "unrecognized error code";
}

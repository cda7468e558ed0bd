/*
 * Device buffers of one call. A large input comes by WIRE_PART, and a large output goes by
 * WIRE_FETCH, through a small place in the shared memory: a place for all of it would cost more
 * time, in new pages, than the copy.
 */
#include "common/call/worker/buffers.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/call/worker/worker.h"

enum { LEAST_PINNED_BYTES = 1 << 20 }; /* for less it costs more than it saves */

bool buffers_fit(const struct wire_call *call, uint64_t shared_bytes) {
    if (call->n_args > CALL_MAX_ARGS || call->shared_bytes > shared_bytes ||
        shared_bytes < WIRE_REPORT_BYTES)
        return false;
    for (size_t i = 0; i < call->n_args; i++) {
        const struct wire_arg *arg = &call->args[i];
        uint64_t bytes = wire_place_bytes(arg), end;
        if (!wire_is_buffer(arg->kind) || arg->address)
            continue;
        if (__builtin_add_overflow(bytes, 2 * WIRE_GUARD_BYTES, &bytes) ||
            __builtin_add_overflow(arg->offset, bytes, &end) || end > shared_bytes)
            return false;
    }
    return true;
}

/* Guard zones and contents of one buffer. */
static int fill(const struct buffers *buffers, const struct wire_arg *arg, struct buffer *buffer) {
    const struct cuda *cuda = buffers->cuda;
    const uint8_t *place = buffers->shared + arg->offset + WIRE_GUARD_BYTES;
    uint8_t guard = buffers->call->guard, poison = buffers->call->poison;
    int error = CUDA_SUCCESS;

    if (buffers->has_guards) {
        error = cuda->memset(buffer->allocation, guard, WIRE_GUARD_BYTES);
        if (!error)
            error = cuda->memset((uint8_t *)buffer->data + arg->bytes, guard, WIRE_GUARD_BYTES);
    }
    if (error || arg->bytes == 0)
        return error;
    if (wire_is_large_in(arg))
        return CUDA_SUCCESS; /* its parts came ahead */
    if (wire_is_filled(arg->kind))
        return cuda->memcpy(buffer->data, place, arg->bytes, CUDA_HOST_TO_DEVICE);
    error = cuda->memset(buffer->data, poison, arg->bytes);
    if (!error && cuda->simt_undefine)
        cuda->simt_undefine(buffer->data, arg->bytes);
    return error;
}

/* Makes one buffer with room for its guard zones. On the simulator it has its own bytes and no
 * more, and is not used twice. Returns a CUDA error. */
static int allocate(const struct cuda *cuda, struct spares *spares, bool has_guards,
                    const struct wire_arg *arg, struct buffer *buffer) {
    uint64_t guards = has_guards ? 2 * WIRE_GUARD_BYTES : 0;
    void *allocation = NULL;

    int error = has_guards
                    ? spares_take(spares, cuda, arg->bytes + guards, &allocation, &buffer->capacity)
                    : cuda->malloc(&allocation, arg->bytes);
    if (error)
        return error;
    buffer->allocation = allocation;
    buffer->data = guards ? buffer->allocation + WIRE_GUARD_BYTES : allocation;
    buffer->bytes = arg->bytes;
    return CUDA_SUCCESS;
}

/* A buffer that lies in the simulator already. */
static int adopt(const struct cuda *cuda, const struct wire_arg *arg, struct buffer *buffer) {
    buffer->data = (void *)(uintptr_t)arg->address;
    buffer->is_adopted = cuda->simt_adopt && cuda->simt_adopt(buffer->data, arg->bytes) == 0;
    return buffer->is_adopted ? CUDA_SUCCESS : CUDA_ERROR_MEMORY_ALLOCATION;
}

static int prepare_one(const struct buffers *buffers, const struct wire_arg *arg,
                       struct buffer *buffer) {
    int error = CUDA_SUCCESS;

    if (arg->address)
        return adopt(buffers->cuda, arg, buffer);
    if (!buffer->allocation)
        error = allocate(buffers->cuda, buffers->spares, buffers->has_guards, arg, buffer);
    if (error)
        return error;
    if (buffers->cuda->simt_name && buffer->allocation)
        buffers->cuda->simt_name(buffer->allocation, arg->name, arg->element_bytes);
    return fill(buffers, arg, buffer);
}

enum { PAGE_BYTES = 4096 };

/* From the guard zone's start to the fence, in whole pages. */
static uint64_t open_bytes(uint64_t bytes) {
    return (WIRE_GUARD_BYTES + bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Where the pages of fenced memory begin, of which `data` are the last bytes. */
static uint8_t *fence_start(uint8_t *data, uint64_t bytes) {
    return data + bytes - open_bytes(bytes);
}

static void fence_close(uint8_t *data, uint64_t bytes) {
    munmap(fence_start(data, bytes), open_bytes(bytes) + PAGE_BYTES);
}

static void fence_fill(uint8_t *data, uint64_t bytes, const uint8_t *place) {
    memcpy(data - WIRE_GUARD_BYTES, place - WIRE_GUARD_BYTES, WIRE_GUARD_BYTES + bytes);
}

/* Host memory that holds what lies at `place`, with the guard zone before it; the page behind it
 * can't be touched, so that who reads on there is found, and not only who writes. It stands in for
 * the place, whose pages have other things in them. NULL where there is no memory. */
static uint8_t *fence_open(const uint8_t *place, uint64_t bytes) {
    const uint64_t before = open_bytes(bytes);
    uint8_t *pages =
        mmap(NULL, before + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        return NULL;
    uint8_t *data = pages + before - bytes;
    if (mprotect(pages + before, PAGE_BYTES, PROT_NONE) != 0) {
        fence_close(data, bytes);
        return NULL;
    }
    fence_fill(data, bytes, place);
    return data;
}

static void fence_collect(const uint8_t *data, uint64_t bytes, uint8_t *place) {
    memcpy(place - WIRE_GUARD_BYTES, data - WIRE_GUARD_BYTES, WIRE_GUARD_BYTES + bytes);
}

/* Host memory of which little is touched. What can only be read takes none, and is no data of the
 * process, of which a worker may have less than a device. */
static int prepare_vast(const struct wire_arg *arg, struct buffer *buffer) {
    void *data =
        mmap(NULL, arg->bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (data == MAP_FAILED)
        return CUDA_ERROR_MEMORY_ALLOCATION;
    *buffer = (struct buffer){.data = data, .bytes = arg->bytes, .is_vast = true};
    if (arg->kind == CALL_ARG_HOST_OUT &&
        mprotect(data, arg->bytes < CALL_VAST_BYTES ? arg->bytes : CALL_VAST_BYTES,
                 PROT_READ | PROT_WRITE) != 0)
        return CUDA_ERROR_MEMORY_ALLOCATION;
    return CUDA_SUCCESS;
}

/* On a GPU calls are timed: there host memory stays where it is, unless it has to be pinned, which
 * is done with whole pages. Those of the timed run before (buffers_take) get what lies at the place
 * now. */
static int prepare_host(const struct buffers *buffers, const struct wire_arg *arg,
                        struct buffer *buffer) {
    const struct cuda *cuda = buffers->cuda;
    const bool is_pinned = arg->is_pinned != 0 && arg->bytes > 0;
    uint8_t *place = buffers->shared + arg->offset + WIRE_GUARD_BYTES;
    int error = CUDA_SUCCESS;

    if (buffer->is_pinned) {
        fence_fill(buffer->data, arg->bytes, place);
        return CUDA_SUCCESS;
    }
    uint8_t *data = buffers->has_guards && !is_pinned ? NULL : fence_open(place, arg->bytes);
    *buffer = (struct buffer){
        .data = data ? data : place, .bytes = arg->bytes, .is_fenced = data != NULL};
    if (!is_pinned)
        return CUDA_SUCCESS;
    if (!data || !cuda->host_register || !cuda->host_unregister)
        return CUDA_ERROR_MEMORY_ALLOCATION;
    error = cuda->host_register(fence_start(data, arg->bytes), open_bytes(arg->bytes), 0);
    buffer->is_pinned = error == CUDA_SUCCESS;
    return error;
}

int buffers_prepare(struct buffers *buffers) {
    int error = CUDA_SUCCESS;

    for (size_t i = 0; i < buffers->call->n_args && !error; i++) {
        const struct wire_arg *arg = &buffers->call->args[i];
        if (wire_is_device(arg->kind))
            error = prepare_one(buffers, arg, &buffers->at[i]);
        else if (wire_is_host(arg->kind) && arg->is_sparse)
            error = prepare_vast(arg, &buffers->at[i]);
        else if (wire_is_host(arg->kind))
            error = prepare_host(buffers, arg, &buffers->at[i]);
    }
    /* Without this an error of a fill would look like the function's. */
    return error ? error : buffers->cuda->synchronize();
}

/* Copies back the windows of a large input that the client compares. */
static int collect_windows(const struct buffers *buffers, const struct wire_arg *arg,
                           const struct buffer *buffer) {
    uint8_t *place = buffers->shared + arg->offset + WIRE_GUARD_BYTES;
    uint64_t offset, bytes;
    int error = CUDA_SUCCESS;

    for (uint64_t i = 0; !error && wire_window(arg, i, &offset, &bytes); i++)
        error = buffers->cuda->memcpy(place + i * WIRE_WINDOW_BYTES,
                                      (uint8_t *)buffer->data + offset, bytes, CUDA_DEVICE_TO_HOST);
    return error;
}

/* Brings back the data with its guard zones; of scratch the two guard zones alone. */
static int collect_one(const struct buffers *buffers, const struct wire_arg *arg,
                       const struct buffer *buffer) {
    const struct cuda *cuda = buffers->cuda;
    uint8_t *place = buffers->shared + arg->offset;
    bool is_scratch = arg->kind == CALL_ARG_SCRATCH;
    /* Timed calls leave inputs uncompared: that they are unchanged is shown by the others. */
    bool is_wanted = !is_scratch && !(buffers->call->timed && arg->kind == CALL_ARG_IN);
    uint8_t *after = place + WIRE_GUARD_BYTES + wire_place_bytes(arg);
    int error = CUDA_SUCCESS;

    if (buffers->has_guards)
        error = cuda->memcpy(place, buffer->allocation, WIRE_GUARD_BYTES, CUDA_DEVICE_TO_HOST);
    if (!error && buffers->has_guards)
        error = cuda->memcpy(after, (uint8_t *)buffer->data + arg->bytes, WIRE_GUARD_BYTES,
                             CUDA_DEVICE_TO_HOST);
    if (!error && is_wanted && wire_is_large_in(arg))
        error = collect_windows(buffers, arg, buffer);
    else if (!error && is_wanted && !wire_is_large_out(arg) && arg->bytes > 0)
        error =
            cuda->memcpy(place + WIRE_GUARD_BYTES, buffer->data, arg->bytes, CUDA_DEVICE_TO_HOST);
    return error;
}

int buffers_collect(const struct buffers *buffers) {
    int error = CUDA_SUCCESS;

    for (size_t i = 0; i < buffers->call->n_args && !error; i++) {
        const struct wire_arg *arg = &buffers->call->args[i];
        const struct buffer *buffer = &buffers->at[i];
        if (wire_is_device(arg->kind) && buffer->allocation)
            error = collect_one(buffers, arg, buffer);
    }
    return error;
}

void buffers_collect_host(const struct buffers *buffers) {
    for (size_t i = 0; i < buffers->call->n_args; i++) {
        const struct buffer *buffer = &buffers->at[i];
        if (buffer->is_fenced)
            fence_collect(buffer->data, buffer->bytes,
                          buffers->shared + buffers->call->args[i].offset + WIRE_GUARD_BYTES);
    }
}

static void release_host(const struct cuda *cuda, const struct buffer *buffer) {
    if (buffer->is_pinned)
        cuda->host_unregister(fence_start(buffer->data, buffer->bytes));
    fence_close(buffer->data, buffer->bytes);
}

void buffers_release(struct worker *worker, struct buffers *buffers) {
    for (size_t i = 0; i < CALL_MAX_ARGS; i++) {
        bool is_kept = buffers->at[i].is_pinned && buffers->call->timed;

        if (buffers->at[i].is_adopted)
            buffers->cuda->simt_disown(buffers->at[i].data);
        else if (buffers->at[i].is_fenced && !is_kept)
            release_host(buffers->cuda, &buffers->at[i]);
        else if (buffers->at[i].is_vast)
            munmap(buffers->at[i].data, buffers->at[i].bytes);
        else
            worker->held[i] = buffers->at[i];
        buffers->at[i] = (struct buffer){.data = NULL};
    }
}

static void unpin(struct worker *worker, size_t index) {
    if (worker->pinned[index])
        worker->cuda.host_unregister(worker->pinned[index]);
    worker->pinned[index] = NULL;
    worker->pinned_bytes[index] = 0;
}

/* Pins a place: from pinned memory the device copies as fast as the bus allows, from any other at a
 * fifth of that, since a core of the host copies first. Not all memory can be pinned. */
static void pin(struct worker *worker, size_t index, uint8_t *place, size_t bytes) {
    const struct cuda *cuda = &worker->cuda;

    if (worker->backend != CALL_GPU || !cuda->host_register || !cuda->host_unregister ||
        (worker->pinned[index] == place && worker->pinned_bytes[index] >= bytes))
        return;
    unpin(worker, index);
    if (cuda->host_register(place, bytes, 0) != CUDA_SUCCESS) {
        cuda->get_last_error();
        return;
    }
    worker->pinned[index] = place;
    worker->pinned_bytes[index] = bytes;
}

void buffers_pin(struct worker *worker, const struct wire_call *call) {
    for (size_t i = 0; i < call->n_args; i++) {
        const struct wire_arg *arg = &call->args[i];
        bool is_copied = wire_is_device(arg->kind) && arg->kind != CALL_ARG_SCRATCH &&
                         !arg->is_sparse && !arg->address;

        if (is_copied && arg->bytes >= LEAST_PINNED_BYTES)
            pin(worker, i, worker->shared + arg->offset + WIRE_GUARD_BYTES, wire_place_bytes(arg));
    }
}

void buffers_map_shared(struct worker *worker, int fd) {
    struct stat info;

    if (fd < 0)
        return;
    for (size_t i = 0; i < CALL_MAX_ARGS; i++)
        unpin(worker, i);
    if (worker->shared)
        munmap(worker->shared, worker->shared_bytes);
    worker->shared = NULL;
    worker->shared_bytes = 0;
    if (fstat(fd, &info) == 0) {
        void *base = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (base != MAP_FAILED) {
            worker->shared = base;
            worker->shared_bytes = (size_t)info.st_size;
        }
    }
    close(fd);
}

static bool fits(const struct worker *worker, const struct wire_part *part) {
    const uint64_t most = part->repeats ? part->at : WIRE_PART_BYTES;

    return part->index < CALL_MAX_ARGS && part->bytes <= most && part->place <= WIRE_PART_BYTES &&
           (part->repeats || part->bytes <= WIRE_PART_BYTES - part->place) &&
           part->at <= part->arg.bytes && part->bytes <= part->arg.bytes - part->at &&
           worker->shared && part->arg.offset <= worker->shared_bytes &&
           worker->shared_bytes - part->arg.offset >= WIRE_PART_BYTES + 2 * WIRE_GUARD_BYTES;
}

/* The buffer of a large input: the one of the call before, where that is asked for. */
static int have_placed(struct worker *worker, const struct wire_part *part) {
    struct buffer *buffer = &worker->placed[part->index], *held = &worker->held[part->index];

    if (buffer->allocation)
        return CUDA_SUCCESS;
    if (!part->keeps || !held->allocation || held->bytes != part->arg.bytes)
        return allocate(&worker->cuda, &worker->spares, worker->backend == CALL_GPU, &part->arg,
                        buffer);
    *buffer = *held;
    *held = (struct buffer){.data = NULL};
    return CUDA_SUCCESS;
}

/* Copies a part between its place and the device, in the direction that the request asks for, or
 * from the buffer's beginning. */
static int copy_part(struct worker *worker, const struct wire_part *part, uint8_t *place) {
    const struct cuda *cuda = &worker->cuda;
    bool is_fetch = part->header.kind == WIRE_FETCH;
    const struct buffer *buffer = &(is_fetch ? worker->held : worker->placed)[part->index];
    int error = is_fetch ? CUDA_SUCCESS : have_placed(worker, part);

    if (error || !buffer->allocation || buffer->bytes < part->at + part->bytes)
        return error ? error : CUDA_ERROR_INVALID_VALUE;
    void *data = (uint8_t *)buffer->data + part->at;
    if (part->repeats)
        return cuda->memcpy(data, buffer->data, part->bytes, CUDA_DEVICE_TO_DEVICE);
    return is_fetch ? cuda->memcpy(place, data, part->bytes, CUDA_DEVICE_TO_HOST)
                    : cuda->memcpy(data, place, part->bytes, CUDA_HOST_TO_DEVICE);
}

void serve_part(struct worker *worker, int fd) {
    const struct wire_part *part = &worker->message.part;
    struct wire_reply reply = worker_reply();
    int error = CUDA_SUCCESS;

    buffers_map_shared(worker, fd);
    if (!fits(worker, part)) {
        reply.outcome = CALL_OUT_OF_MEMORY;
        snprintf(reply.message, sizeof reply.message, "the shared memory could not be mapped");
    } else {
        uint8_t *place = worker->shared + part->arg.offset + WIRE_GUARD_BYTES;

        pin(worker, part->index, place, WIRE_PART_BYTES);
        error = copy_part(worker, part, place + part->place);
        if (error)
            worker_fail(worker, error,
                        part->header.kind == WIRE_FETCH ? "the outputs could not be copied back:"
                                                        : "the buffers could not be made:",
                        &reply);
    }
    worker_send(worker, &reply, WIRE_REPLY);
}

/* Whether a call has, as argument `index`, what the call before had there. */
static bool takes_over(const struct wire_call *call, size_t index, const struct buffer *held) {
    const struct wire_arg *arg = &call->args[index];

    if (index >= call->n_args || held->bytes != arg->bytes)
        return false;
    if (held->is_pinned)
        return call->timed && wire_is_host(arg->kind) && arg->is_pinned;
    return held->allocation && call->same_places && wire_is_device(arg->kind);
}

void buffers_take(struct worker *worker, struct buffers *buffers) {
    for (size_t i = 0; i < CALL_MAX_ARGS; i++) {
        struct buffer *held = &worker->held[i];

        buffers->at[i] = worker->placed[i];
        worker->placed[i] = (struct buffer){.data = NULL};
        if (!buffers->at[i].allocation && takes_over(buffers->call, i, held))
            buffers->at[i] = *held;
        else if (held->is_pinned)
            release_host(&worker->cuda, held);
        else if (held->allocation && held->capacity)
            spares_give(&worker->spares, &worker->cuda, held->allocation, held->capacity);
        else if (held->allocation)
            worker->cuda.free(held->allocation);
        *held = (struct buffer){.data = NULL};
    }
}

/*
 * WIRE_PART: a large input comes in parts, ahead of its call, through a small place in the shared
 * memory: the pages of a place that holds it all would cost more time than the copy.
 */
#include "common/call/worker/part.h"

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void unpin(struct worker *worker, size_t index) {
    if (worker->pinned[index])
        worker->cuda.host_unregister(worker->pinned[index]);
    worker->pinned[index] = NULL;
}

void part_take_shared(struct worker *worker, int fd) {
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
    return part->index < CALL_MAX_ARGS && part->bytes <= WIRE_PART_BYTES &&
           part->at <= part->arg.bytes && part->bytes <= part->arg.bytes - part->at &&
           worker->shared && part->arg.offset <= worker->shared_bytes &&
           worker->shared_bytes - part->arg.offset >= WIRE_PART_BYTES + 2 * WIRE_GUARD_BYTES;
}

/* From pinned memory, a copy is bound by the bus: without, a core of the host copies first, at a
 * fifth of that. Where memory can't be pinned, that is how it goes. */
static void pin(struct worker *worker, uint32_t index, uint8_t *place) {
    const struct cuda *cuda = &worker->cuda;

    if (worker->backend != CALL_GPU || worker->pinned[index] == place || !cuda->host_register ||
        !cuda->host_unregister)
        return;
    unpin(worker, index);
    if (cuda->host_register(place, WIRE_PART_BYTES, 0) == CUDA_SUCCESS)
        worker->pinned[index] = place;
    else
        cuda->get_last_error();
}

void serve_part(struct worker *worker, int fd) {
    const struct wire_part *part = &worker->message.part;
    const struct cuda *cuda = &worker->cuda;
    struct wire_reply reply = {.outcome = CALL_OK, .event_ms = NAN};
    int error = CUDA_SUCCESS;

    part_take_shared(worker, fd);
    if (!fits(worker, part)) {
        reply.outcome = CALL_OUT_OF_MEMORY;
        snprintf(reply.message, sizeof reply.message, "the shared memory could not be mapped");
    } else {
        struct buffer *buffer = &worker->placed[part->index];
        uint8_t *place = worker->shared + part->arg.offset + WIRE_GUARD_BYTES;

        if (!buffer->allocation)
            error = buffers_allocate(cuda, worker->backend == CALL_GPU, &part->arg, buffer);
        pin(worker, part->index, place);
        if (!error)
            error = cuda->memcpy((uint8_t *)buffer->data + part->at, place, part->bytes,
                                 CUDA_HOST_TO_DEVICE);
        if (error)
            serve_error(worker, error, "the buffers could not be made:", &reply);
    }
    channel_send(&worker->channel, &worker->message.header, &reply, WIRE_REPLY, sizeof reply);
}

void part_take_buffers(struct worker *worker, struct buffers *buffers) {
    for (size_t i = 0; i < CALL_MAX_ARGS; i++) {
        buffers->at[i] = worker->placed[i];
        worker->placed[i] = (struct buffer){.data = NULL};
    }
}

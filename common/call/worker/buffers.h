/*
 * The arguments of one call on the worker's side: device memory between guard zones, filled from
 * the shared memory and copied back to it.
 *
 * On a GPU a buffer is [guard][data][guard] in one allocation. On the simulator it is the data
 * alone: what lies beside an allocation is not there, and an access to it is found at its line.
 */
#ifndef CALL_WORKER_BUFFERS_H
#define CALL_WORKER_BUFFERS_H

#include "common/call/worker/cuda.h"
#include "common/call/wire.h"

struct buffer {
    uint8_t *allocation; /* NULL for none */
    void *data;          /* what the function gets: device memory, or host memory */
};

struct buffers {
    const struct cuda *cuda;
    const struct wire_call *call;
    uint8_t *shared; /* the client's memory, as mapped here */
    bool has_guards;
    struct buffer at[CALL_MAX_ARGS];
};

/* Makes one buffer with room for its guard zones. Returns a CUDA error. */
int buffers_allocate(const struct cuda *cuda, bool has_guards, const struct wire_arg *arg,
                     struct buffer *buffer);

/* Allocates, fills, poisons; what is there already (`at`), its guard zones alone. Returns a CUDA
 * error, 0 when all is well; buffers_release is due in any case. */
int buffers_prepare(struct buffers *buffers);

/* Copies everything that the client looks at into the shared memory. Returns a CUDA error. */
int buffers_collect(const struct buffers *buffers);

void buffers_release(struct buffers *buffers);

/* True when the call's places lie in the shared memory. */
bool buffers_fit(const struct wire_call *call, uint64_t shared_bytes);

#endif

/*
 * The arguments of one call on the worker's side: device memory between guard zones, filled from
 * the shared memory and copied back to it; and large inputs, which come in parts ahead of the call.
 *
 * On a GPU a buffer is [guard][data][guard] in one allocation. On the simulator it is the data
 * alone: there an access beside an allocation is found by itself, with its line.
 */
#pragma once

#include "common/call/wire.h"
#include "common/call/worker/spares.h"

struct worker;

struct buffer {
    uint8_t *allocation; /* NULL for none, and where it is adopted */
    bool is_adopted;     /* the client made it, and looks at it by itself (wire_arg.address) */
    void *data;          /* what the function gets: device memory, or host memory */
    uint64_t bytes;      /* of the data */
    uint64_t capacity;   /* of the allocation, where it may be a spare; else 0 */
    bool is_fenced;      /* host memory that can't be read beyond its end */
    bool is_pinned;      /* … and is registered with the device */
    bool is_vast;        /* host memory of which little is touched */
};

struct buffers {
    const struct cuda *cuda;
    const struct wire_call *call;
    struct spares *spares;
    uint8_t *shared; /* the client's memory, as mapped here */
    bool has_guards;
    struct buffer at[CALL_MAX_ARGS];
};

/* Allocates buffers, fills inputs and poisons outputs. A large input is there already (`at`): only
 * its guard zones are filled. Returns a CUDA error, 0 when all is well; buffers_release is due in
 * any case. */
int buffers_prepare(struct buffers *buffers);

/* Copies everything that the client looks at into the shared memory. Returns a CUDA error. */
int buffers_collect(const struct buffers *buffers);
/* The same of host buffers that are not where the client looks: before the device is waited for. */
void buffers_collect_host(const struct buffers *buffers);

/* Keeps the allocations for the next call, and pinned host memory for the next timed one: of large
 * arrays, making and pinning it takes longer than the copies that are timed. */
void buffers_release(struct worker *worker, struct buffers *buffers);

/* Pins the places of the larger ones among a call's device buffers, which pays where calls are
 * repeated. */
void buffers_pin(struct worker *worker, const struct wire_call *call);

/* True when the call's places lie in the shared memory. */
bool buffers_fit(const struct wire_call *call, uint64_t shared_bytes);

/* Maps a new shared memory in place of the one before; does nothing for a negative `fd`. */
void buffers_map_shared(struct worker *worker, int fd);

/* Gives a call the large inputs that came in parts, and with `same_places` buffers of the call
 * before where they have the same size, as a caller does who calls again with other data; and a
 * timed call the pinned host memory of a timed call before it, of the same sizes. The other buffers
 * of that call are freed, or are spares on a GPU. */
void buffers_take(struct worker *worker, struct buffers *buffers);

/* Large inputs on the worker's side, and the shared memory that they come through. */
#ifndef CALL_WORKER_PART_H
#define CALL_WORKER_PART_H

#include "common/call/worker/serve.h"

/* Maps a new shared memory in place of the one before; nothing for a negative `fd`. */
void part_take_shared(struct worker *worker, int fd);

/* Hands the buffers that came in parts over to their call. */
void part_take_buffers(struct worker *worker, struct buffers *buffers);

#endif

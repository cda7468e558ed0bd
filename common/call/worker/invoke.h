/*
 * The call itself, through libffi: the description of the arguments becomes a C call.
 */
#ifndef CALL_WORKER_INVOKE_H
#define CALL_WORKER_INVOKE_H

#include <stdbool.h>

#include "common/call/worker/buffers.h"

/* Calls `function` with the call's scalars and the buffers' addresses. False where libffi can't
 * describe the call; nothing was called then. */
bool invoke(void *function, const struct wire_call *call, const struct buffers *buffers,
            int *returned);

#endif

/*
 * The memory that client and worker share: where each buffer lies, what it holds before a call, and
 * what a call did to it. This is the client's side. The worker may write anywhere in it; nothing
 * here depends on what it writes.
 */
#pragma once

#include "common/call/wire.h"

struct call_share {
    int fd; /* memfd, sealed against shrinking, so that reading it can't fault; -1 for none */
    uint8_t *base;
    size_t bytes;
    bool has_sparse; /* sparse buffers lie there: who maps it is trusted not to touch all of it */
    bool was_sparse; /* they do now: who has it mapped has pieces of it in several places */
};

void share_init(struct call_share *share);
void share_close(struct call_share *share);

/* Gives each argument its wire form and place in `call`, and the memory its size. False, with a
 * sentence in `error`, for arguments that can't be passed. `is_new` is set when the memory was
 * replaced and must be passed on again. */
bool share_place(struct call_share *share, const struct call_arg *args, size_t n_args,
                 struct wire_call *call, bool *is_new, char *error, size_t error_bytes);

/* Copies all but the large inputs in, and fills the guard zones and the poison of host buffers.
 * Device buffers have their places in `device`, which may be the same memory. */
void share_fill(const struct call_share *share, const struct call_share *device,
                const struct call_arg *args, const struct wire_call *call);

/* After a call: looks for damage, notes untouched outputs, gives outputs but the large ones to
 * their owners. Guard
 * zones of device buffers exist on the GPU alone; a timed call leaves inputs uncompared, and so are
 * those whose bit in `compared` is not set. */
void share_collect(const struct call_share *share, const struct call_share *device,
                   struct call_arg *args, const struct wire_call *call, enum call_backend backend,
                   uint32_t compared, struct call_result *result);

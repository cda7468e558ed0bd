/*
 * Allocations, as the files that make and free them share them.
 */
#pragma once

#include "common/simt/cudart/stream/operation.h"

/* Allocates and notes `bytes` of the sort's type, flags and pool; 0 bytes give NULL. */
cudaError_t cudart_allocate(struct cudart *rt, void **pointer, size_t bytes,
                            const struct cudart_block *sort);
/* The allocation in the device's range that begins at `pointer`; NULL when none does. */
struct cudart_block *cudart_freeable(const struct cudart *rt, const void *pointer);
/* Frees it. */
void cudart_release(struct cudart *rt, struct cudart_block *block);

/* --- copies, as symbol.c asks for them, too */

/* A block of bytes: rows of `width` bytes, `height` rows a slice, `depth` slices; pitch and slice
 * are the bytes from one row, and one slice, to the next. */
struct cudart_box {
    char *at;
    size_t pitch, slice;
};

struct cudart_copy {
    struct cudart_box to, from;
    size_t width, height, depth;
    enum cudaMemcpyKind kind;
    bool is_async;    /* the call may return before the copy is done */
    const char *call; /* the function that was called, for messages */
};

/* Copies in stream order; the direction has to agree with where the ends lie. */
cudaError_t cudart_copy(struct cudart *rt, const struct cudart_copy *copy, cudaStream_t stream);

/* `bytes` in one row, by cudaMemcpy or cudaMemcpyAsync. */
struct cudart_copy cudart_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                              bool is_async);

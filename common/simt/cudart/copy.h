/*
 * Copies, as symbol.c and copy3d.c ask for them.
 */
#ifndef CUDART_COPY_H
#define CUDART_COPY_H

#include "common/simt/cudart/work.h"

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
    bool is_async; /* the call may return before the copy is done */
};

/* Copies in stream order; the direction has to agree with where the ends lie. */
cudaError_t cudart_copy(struct cudart *rt, const struct cudart_copy *copy, cudaStream_t stream);

/* `bytes` in one row. */
struct cudart_copy cudart_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                              bool is_async);

#endif

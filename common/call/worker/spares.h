/*
 * Device memory that calls on a GPU are done with, for those that follow. A driver makes and frees
 * memory of all processes of a host one after the other: of small calls in several workers at once
 * that was most of the time (grader/README.md).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/call/worker/cuda.h"

struct spares {
    struct spare {
        void *memory;
        uint64_t bytes;
    } list[16]; /* the one that was given first comes first */
    size_t n;
    uint64_t bytes; /* of all */
};

/* Memory of at least so many bytes, the one that has lain here for longest where several fit: so a
 * buffer is mostly not where it was in the call before. Sets `capacity` to what it has. Returns a
 * CUDA error. */
int spares_take(struct spares *spares, const struct cuda *cuda, uint64_t bytes, void **memory,
                uint64_t *capacity);

/* Keeps the memory, or frees it: what is large, and the oldest where there is much. */
void spares_give(struct spares *spares, const struct cuda *cuda, void *memory, uint64_t capacity);

/*
 * Allocations, as the files that make and free them share them.
 */
#ifndef CUDART_MEMORY_H
#define CUDART_MEMORY_H

#include "common/simt/cudart/work.h"

/* Allocates and notes `bytes` of the sort's type, flags and pool; 0 bytes give NULL. */
cudaError_t cudart_allocate(struct cudart *rt, void **pointer, size_t bytes,
                            const struct cudart_block *sort);
/* The allocation in the device's range that begins at `pointer`; NULL when none does. */
struct cudart_block *cudart_freeable(const struct cudart *rt, const void *pointer);
/* Frees it. */
void cudart_release(struct cudart *rt, struct cudart_block *block);

#endif

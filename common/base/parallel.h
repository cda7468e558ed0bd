/* Work in parts, by as many threads as there are cores: to make and compare inputs of gigabytes. */
#ifndef PARALLEL_PARALLEL_H
#define PARALLEL_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* One part of the work; called by several threads at once, once for each part. */
typedef void parallel_body(void *context, size_t part);

/* Runs `body` for parts 0 to n_parts - 1, in no fixed order, and returns when all are done. Where
 * the host gives no threads, the caller's does it all. */
void parallel_run(size_t n_parts, parallel_body *body, void *context);

/* The cores that this process may use. */
unsigned parallel_cores(void);

/* memcpy and memcmp() == 0 of that many bytes, in parts. */
void parallel_copy(void *to, const void *from, size_t n_bytes);
bool parallel_same(const void *a, const void *b, size_t n_bytes);

#endif

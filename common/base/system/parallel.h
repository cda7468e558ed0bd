/*
 * Work shared out among threads: a fixed list of pieces, done by a few threads and waited for in
 * order (a queue); or parts, done by as many threads as there are cores.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* One part of the work; called by several threads at once, once for each part. */
typedef void parallel_body(void *context, size_t part);

/* Runs `body` for parts 0 to n_parts - 1, in no fixed order, and returns when all are done. Where
 * the host gives no threads, the caller's does it all. */
void parallel_run(size_t n_parts, parallel_body *body, void *context);

/* The cores that this process may use. */
unsigned parallel_cores(void);

/* memcmp() == 0 of that many bytes, in parts. */
bool parallel_same(const void *a, const void *b, size_t n_bytes);

typedef void queue_work(void *context, size_t index);

struct queue;

/* Starts at most `n_threads` threads, which do work(context, 0) … work(context, n - 1). */
struct queue *queue_start(size_t n, int n_threads, queue_work *work, void *context);

/* Waits until item `index` is done. */
void queue_wait(struct queue *queue, size_t index);

/* Waits until all is done, and frees the queue. */
void queue_finish(struct queue *queue);

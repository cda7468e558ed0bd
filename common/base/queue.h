/* A fixed list of pieces of work, done by a few threads, and waited for in order. */
#ifndef GRADER_QUEUE_H
#define GRADER_QUEUE_H

#include <stddef.h>

typedef void queue_work(void *context, size_t index);

struct queue;

/* Starts at most `n_threads` threads, which do work(context, 0) … work(context, n - 1). */
struct queue *queue_start(size_t n, int n_threads, queue_work *work, void *context);

/* Waits until item `index` is done. */
void queue_wait(struct queue *queue, size_t index);

/* Waits until all is done, and frees the queue. */
void queue_finish(struct queue *queue);

#endif

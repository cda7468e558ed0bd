/* A piece of work in a thread of its own that can be told to stop, for `watch`. */
#ifndef GRADER_TASK_H
#define GRADER_TASK_H

#include <pthread.h>
#include <stdbool.h>

/* Does the work; returns early when `stop_fd` turns readable. */
typedef void task_work(void *context, int stop_fd);

struct task {
    task_work *work;
    void *context;
    int stop_fd; /* readable once the work is to stop */
    int done_fd; /* readable once the work is done */
    pthread_t thread;
    bool is_running;
};

/* False where the system has no descriptors for it. */
bool task_init(struct task *task, task_work *work, void *context);
void task_finish(struct task *task);

/* Starts the work; stops it first where it is running. */
void task_start(struct task *task);

/* Stops the work and waits for its end. */
void task_stop(struct task *task);

/* Takes note of the end, after done_fd turned readable. */
void task_join(struct task *task);

#endif

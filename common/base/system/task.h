/* Work in a thread of its own, which can be told to stop, and whose end a poll loop can wait for.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Does some work; returns early when `stop_fd` turns readable. */
typedef void task_work(void *context, int stop_fd);

struct task {
    task_work *work;
    void *context;
    int stop_fd; /* readable once the work is to stop */
    int done_fd; /* readable once the work is done: call task_join then */
    pthread_t thread;
    bool is_running;
};

/* Starts nothing yet. False where the system has no descriptors for it; task_finish all the same.
 */
bool task_init(struct task *task, task_work *work, void *context);
void task_finish(struct task *task);

/* Starts the work; stops it first where it is running. Where no thread can be had, the work is done
 * before this returns. */
void task_start(struct task *task);
/* Takes note of the end, after done_fd turned readable. */
void task_join(struct task *task);
/* Stops the work and waits for its end. */
void task_stop(struct task *task);

/* A thread, and two event descriptors: one says that it is to stop, one that it is done. */
#include "common/base/system/task.h"

#include <sys/eventfd.h>
#include <unistd.h>

static void *serve(void *argument) {
    struct task *task = argument;
    task->work(task->context, task->stop_fd);
    eventfd_write(task->done_fd, 1);
    return NULL;
}

void task_join(struct task *task) {
    eventfd_t ignored;
    if (task->is_running)
        pthread_join(task->thread, NULL);
    task->is_running = false;
    eventfd_read(task->done_fd, &ignored);
    eventfd_read(task->stop_fd, &ignored);
}

void task_stop(struct task *task) {
    if (task->is_running) {
        eventfd_write(task->stop_fd, 1);
        task_join(task);
    }
}

void task_start(struct task *task) {
    task_stop(task);
    task->is_running = pthread_create(&task->thread, NULL, serve, task) == 0;
    if (!task->is_running)
        serve(task);
}

bool task_init(struct task *task, task_work *work, void *context) {
    *task = (struct task){.work = work,
                          .context = context,
                          .stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                          .done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    return task->stop_fd >= 0 && task->done_fd >= 0;
}

void task_finish(struct task *task) {
    task_stop(task);
    if (task->stop_fd >= 0)
        close(task->stop_fd);
    if (task->done_fd >= 0)
        close(task->done_fd);
}

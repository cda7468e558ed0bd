/* Threads that take the next index until there is none. */
#include "common/base/queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n, next;
    bool *is_done;
    queue_work *work;
    void *context;
    pthread_t *threads;
    size_t n_threads;
};

static void *serve(void *argument) {
    struct queue *queue = argument;
    pthread_mutex_lock(&queue->mutex);
    while (queue->next < queue->n) {
        size_t index = queue->next++;
        pthread_mutex_unlock(&queue->mutex);
        queue->work(queue->context, index);
        pthread_mutex_lock(&queue->mutex);
        queue->is_done[index] = true;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

struct queue *queue_start(size_t n, int n_threads, queue_work *work, void *context) {
    struct queue *queue = calloc(1, sizeof *queue);
    size_t wanted = n_threads > 0 ? (size_t)n_threads : 1;
    wanted = wanted < n ? wanted : n;
    if (!queue)
        abort();
    *queue = (struct queue){.n = n, .work = work, .context = context};
    queue->is_done = calloc(n ? n : 1, sizeof *queue->is_done);
    queue->threads = calloc(wanted ? wanted : 1, sizeof *queue->threads);
    if (!queue->is_done || !queue->threads)
        abort();
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
    while (queue->n_threads < wanted &&
           pthread_create(&queue->threads[queue->n_threads], NULL, serve, queue) == 0)
        queue->n_threads++;
    if (queue->n_threads == 0)
        serve(queue); /* no threads to be had: do it here */
    return queue;
}

void queue_wait(struct queue *queue, size_t index) {
    pthread_mutex_lock(&queue->mutex);
    while (!queue->is_done[index])
        pthread_cond_wait(&queue->changed, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
}

void queue_finish(struct queue *queue) {
    for (size_t i = 0; i < queue->n_threads; i++)
        pthread_join(queue->threads[i], NULL);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue->threads);
    free(queue->is_done);
    free(queue);
}

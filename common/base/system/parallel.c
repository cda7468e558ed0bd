/*
 * A queue is a few threads that take the next index until there is none. Work in parts makes a
 * queue for one call: starting a thread costs microseconds, and the parts that are worth it take
 * milliseconds. Comparisons of gigabytes are parts, too: one core reads far less than the memory
 * can.
 */
#include "common/base/grow.h"
#include "common/base/system/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 32 };

unsigned parallel_cores(void) {
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 1;
}

void parallel_run(size_t n_parts, parallel_body *body, void *context) {
    unsigned n_threads = n_parts > 1 ? parallel_cores() : 1;

    if (n_threads > 1)
        queue_finish(queue_start(n_parts, n_threads < MAX_THREADS ? (int)n_threads : MAX_THREADS,
                                 body, context));
    for (size_t part = 0; n_threads == 1 && part < n_parts; part++)
        body(context, part);
}

enum { PART_BYTES = 1 << 20 };

struct bytes {
    const char *a, *b;
    size_t n;
    atomic_bool differ;
};

static size_t part_bytes(const struct bytes *bytes, size_t part) {
    size_t rest = bytes->n - part * PART_BYTES;

    return rest < PART_BYTES ? rest : PART_BYTES;
}

static void compare_part(void *context, size_t part) {
    struct bytes *bytes = context;
    size_t at = part * PART_BYTES;

    if (!bytes->differ && memcmp(bytes->a + at, bytes->b + at, part_bytes(bytes, part)) != 0)
        bytes->differ = true;
}

static size_t count_parts(size_t n_bytes) {
    return (n_bytes + PART_BYTES - 1) / PART_BYTES;
}

bool parallel_same(const void *a, const void *b, size_t n_bytes) {
    struct bytes bytes = {.a = a, .b = b, .n = n_bytes};

    parallel_run(count_parts(n_bytes), compare_part, &bytes);
    return !bytes.differ;
}

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

/* Does items up to the `end`th, as far as nobody else does. */
static void serve_to(struct queue *queue, size_t end) {
    pthread_mutex_lock(&queue->mutex);
    while (queue->next < end) {
        size_t index = queue->next++;
        pthread_mutex_unlock(&queue->mutex);
        queue->work(queue->context, index);
        pthread_mutex_lock(&queue->mutex);
        queue->is_done[index] = true;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->mutex);
}

static void *serve(void *argument) {
    struct queue *queue = argument;

    serve_to(queue, queue->n);
    return NULL;
}

struct queue *queue_start(size_t n, int n_threads, queue_work *work, void *context) {
    struct queue *queue = make_zeroed(1, sizeof *queue);
    size_t wanted = n_threads > 0 ? (size_t)n_threads : 1;
    wanted = wanted < n ? wanted : n;
    *queue = (struct queue){.n = n, .work = work, .context = context};
    queue->is_done = make_zeroed(n, sizeof *queue->is_done);
    queue->threads = make_zeroed(wanted, sizeof *queue->threads);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
    while (queue->n_threads < wanted &&
           pthread_create(&queue->threads[queue->n_threads], NULL, serve, queue) == 0)
        queue->n_threads++;
    return queue;
}

/* Where there were no threads to be had, who waits does the work. */
void queue_wait(struct queue *queue, size_t index) {
    if (queue->n_threads == 0)
        serve_to(queue, index + 1);
    pthread_mutex_lock(&queue->mutex);
    while (!queue->is_done[index])
        pthread_cond_wait(&queue->changed, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
}

void queue_finish(struct queue *queue) {
    if (queue->n_threads == 0)
        serve_to(queue, queue->n);
    for (size_t i = 0; i < queue->n_threads; i++)
        pthread_join(queue->threads[i], NULL);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue->threads);
    free(queue->is_done);
    free(queue);
}

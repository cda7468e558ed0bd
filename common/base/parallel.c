/*
 * Threads that take the next part until none is left. They live as long as one call: starting one
 * costs microseconds, and the parts that are worth it take milliseconds.
 */
#include "common/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MAX_THREADS = 32 };

struct work {
    parallel_body *body;
    void *context;
    size_t n_parts;
    atomic_size_t next;
};

static void *take_parts(void *data) {
    struct work *work = data;
    size_t part;

    while ((part = atomic_fetch_add(&work->next, 1)) < work->n_parts)
        work->body(work->context, part);
    return NULL;
}

/* The cores that this process may use. */
static size_t count_cores(void) {
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (size_t)CPU_COUNT(&cores) : 1;
}

void parallel_run(size_t n_parts, parallel_body *body, void *context) {
    struct work work = {.body = body, .context = context, .n_parts = n_parts};
    pthread_t threads[MAX_THREADS];
    size_t n_wanted = n_parts > 1 ? count_cores() : 1, n_threads = 0;

    if (n_wanted > n_parts)
        n_wanted = n_parts;
    while (n_threads + 1 < n_wanted && n_threads < MAX_THREADS &&
           pthread_create(&threads[n_threads], NULL, take_parts, &work) == 0)
        n_threads++;
    take_parts(&work);
    for (size_t i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
}

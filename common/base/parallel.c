/* A queue that lives as long as one call: starting a thread costs microseconds, and the parts that
 * are worth it take milliseconds. */
#include "common/base/parallel.h"

#include <sched.h>

#include "common/base/queue.h"

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

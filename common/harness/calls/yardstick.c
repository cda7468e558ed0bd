/*
 * What timed runs are held against, measured once for all timed tests of a file: a context of its
 * own for it, and one for each test, would cost more than all that is measured. So tests say first
 * what they need, by a rehearsal. The copies are timed in the worker that the tests are to have,
 * before it loads the student's code: nothing of it has run then that could slow them down.
 */
#include <math.h>

#include "common/harness/context.h"

enum { COPY_REPEATS = 15 };

static struct lab_yardstick *find(const struct lab_yardsticks *yardsticks, size_t bytes,
                                  bool with_host) {
    for (size_t i = 0; i < yardsticks->n; i++)
        if (yardsticks->list[i].bytes == bytes && yardsticks->list[i].with_host == with_host)
            return (struct lab_yardstick *)&yardsticks->list[i];
    return NULL;
}

void lab_yardsticks_ask(struct lab_workers *workers, size_t bytes, bool with_host) {
    struct lab_yardsticks *yardsticks = &workers->yardsticks;
    const size_t most = sizeof yardsticks->list / sizeof *yardsticks->list;

    if (yardsticks->n < most && !find(yardsticks, bytes, with_host))
        yardsticks->list[yardsticks->n++] =
            (struct lab_yardstick){.bytes = bytes, .with_host = with_host, .ms = NAN};
}

double lab_yardsticks_find(const struct lab_workers *workers, size_t bytes, bool with_host) {
    const struct lab_yardstick *found = find(&workers->yardsticks, bytes, with_host);

    return found ? found->ms : NAN;
}

/* False where the worker fails: then each test finds out, and says so. */
static bool measure(struct call_worker *worker, struct lab_yardsticks *yardsticks) {
    struct call_result result = {0};
    bool is_good = call_device(worker, &yardsticks->device, &result) == CALL_OK;

    call_result_clear(&result);
    yardsticks->is_device_known = is_good;
    for (size_t i = 0; i < yardsticks->n && is_good; i++) {
        struct lab_yardstick *one = &yardsticks->list[i];

        is_good = call_time_copy(worker, one->bytes, one->with_host, COPY_REPEATS, &one->ms,
                                 &result) == CALL_OK;
        call_result_clear(&result);
    }
    return is_good;
}

void lab_yardsticks_measure(struct lab_workers *workers) {
    if (!workers->is_idle_new || measure(workers->idle, &workers->yardsticks))
        return;
    call_close(workers->idle);
    workers->idle = NULL;
    workers->is_idle_new = false;
}

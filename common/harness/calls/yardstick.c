/*
 * What timed runs are held against, measured once for all timed tests of a file: a context of its
 * own for it, and one for each test, would cost more than all that is measured. So tests say first
 * what they need, by a rehearsal. The copies are timed in the worker that the tests are to have,
 * before it loads the student's code: nothing of it has run then that could slow them down.
 *
 * Where a grader has many files, it names a file of the GPU's copies, in which those are that were
 * timed for another student a moment ago: the same for all, and no time of the GPU for each.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/harness/context.h"

enum { COPY_REPEATS = 15 };

/* What was timed longer ago says little of how warm and how busy the device is now. */
static const double lasts_ms = 120e3;

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
    bool is_good = true;

    for (size_t i = 0; i < yardsticks->n && is_good; i++) {
        struct lab_yardstick *one = &yardsticks->list[i];

        if (one->ms > 0)
            continue;
        one->at_ms = process_clock_ms();
        is_good = call_time_copy(worker, one->bytes, one->with_host, COPY_REPEATS, &one->ms,
                                 &result) == CALL_OK;
        call_result_clear(&result);
    }
    return is_good;
}

/* Takes from the file what it has of what was asked for, and was timed a moment ago. */
static void take_known(struct lab_yardsticks *yardsticks, const json_t *known) {
    const json_t *item;
    size_t i;

    json_array_foreach(known, i, item) {
        struct lab_yardstick *one =
            find(yardsticks, (size_t)json_integer_value(json_object_get(item, "bytes")),
                 json_is_true(json_object_get(item, "with_host")));
        double at_ms = json_number_value(json_object_get(item, "at_ms"));

        if (!one || process_clock_ms() - at_ms > lasts_ms)
            continue;
        one->ms = json_number_value(json_object_get(item, "ms"));
        one->at_ms = at_ms;
    }
}

/* What this file's tests don't ask for stays as it was. */
static void add(json_t *known, const struct lab_yardsticks *yardsticks) {
    for (size_t i = 0; i < yardsticks->n; i++) {
        const struct lab_yardstick *one = &yardsticks->list[i];

        for (size_t j = json_array_size(known); j-- > 0;) {
            const json_t *item = json_array_get(known, j);
            if ((size_t)json_integer_value(json_object_get(item, "bytes")) == one->bytes &&
                json_is_true(json_object_get(item, "with_host")) == one->with_host)
                json_array_remove(known, j);
        }
        if (one->ms > 0)
            json_array_append_new(
                known, json_pack("{s:I, s:b, s:f, s:f}", "bytes", (json_int_t)one->bytes,
                                 "with_host", one->with_host, "ms", one->ms, "at_ms", one->at_ms));
    }
}

static bool are_all_known(const struct lab_yardsticks *yardsticks) {
    for (size_t i = 0; i < yardsticks->n; i++)
        if (!(yardsticks->list[i].ms > 0))
            return false;
    return true;
}

void lab_yardsticks_look(struct lab_workers *workers, const char *path) {
    json_auto_t *known = path ? json_load_file(path, 0, NULL) : NULL;

    take_known(&workers->yardsticks, known);
    if (!workers->idle || workers->is_idle_new || are_all_known(&workers->yardsticks))
        return;
    call_close(workers->idle);
    workers->idle = NULL;
}

bool lab_yardsticks_measure(struct lab_workers *workers, const char *path) {
    if (!workers->is_idle_new || are_all_known(&workers->yardsticks))
        return true;
    if (!measure(workers->idle, &workers->yardsticks)) {
        call_close(workers->idle);
        workers->idle = NULL;
        workers->is_idle_new = false;
    }
    json_auto_t *known = path ? json_load_file(path, 0, NULL) : NULL;
    if (!known)
        known = json_array();
    add(known, &workers->yardsticks);
    char *text = path ? json_dumps(known, JSON_COMPACT) : NULL;
    bool is_written = !text || file_write(path, text, strlen(text), NULL) == GRADER_OK;
    free(text);
    return is_written;
}

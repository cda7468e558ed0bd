/* Finds callers by the unwinder: their frames are the first that are not the runtime's own. */
#include "common/simt/cudart/watch.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <string.h>

#include "common/simt/cudart/cudart.h"

enum { MOST_FRAMES = 16 };

static atomic_uint watching; /* enum simt_watch */
static atomic_flag has_failed = ATOMIC_FLAG_INIT;
static struct simt_calls calls; /* under the runtime's lock, but for `failed` */

static const void *library_of(const void *address) {
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

void cudart_find_callers(uint64_t callers[SIMT_CALLERS]) {
    void *frames[MOST_FRAMES];
    const void *own = watching != SIMT_WATCH_NOTHING ? library_of(&calls) : NULL;
    const int n_frames = own ? backtrace(frames, MOST_FRAMES) : 0;
    size_t n = 0;
    memset(callers, 0, SIMT_CALLERS * sizeof *callers);
    for (int i = 0; i < n_frames && n < SIMT_CALLERS; i++) {
        /* A return address may lie beyond the function's end, where its last act was the call. */
        const char *call = (const char *)frames[i] - 1;
        if (n > 0 || library_of(call) != own)
            callers[n++] = (uintptr_t)call;
    }
}

void cudart_watch_failure(void) {
    if (watching != SIMT_WATCH_NOTHING && !atomic_flag_test_and_set(&has_failed))
        cudart_find_callers(calls.failed);
}

void cudart_watch_arrival(const void *to, size_t bytes, const uint64_t callers[SIMT_CALLERS]) {
    if (callers[0] == 0)
        return;
    if (calls.n_arrivals == SIMT_ARRIVALS)
        memmove(calls.arrivals, calls.arrivals + 1, --calls.n_arrivals * sizeof *calls.arrivals);
    struct simt_arrival *arrival = &calls.arrivals[calls.n_arrivals++];
    *arrival = (struct simt_arrival){.to = (uintptr_t)to, .bytes = bytes};
    memcpy(arrival->callers, callers, sizeof arrival->callers);
}

void cudart_watch_departure(const void *from, size_t bytes) {
    if (watching == SIMT_WATCH_ASKED && calls.n_departures++ < SIMT_ARRIVALS)
        calls.departures[calls.n_departures - 1] =
            (struct simt_departure){.from = (uintptr_t)from, .bytes = bytes};
}

void cudart_watch_asked(void) {
    if (watching == SIMT_WATCH_ASKED && calls.n_asked++ < SIMT_ASKED)
        cudart_find_callers(calls.asked[calls.n_asked - 1]);
}

void simtWatchCalls(enum simt_watch watch) {
    struct cudart *rt = cudart_lock();
    memset(&calls, 0, sizeof calls);
    atomic_flag_clear(&has_failed);
    watching = watch;
    cudart_unlock(rt);
}

void simtCalls(struct simt_calls *list) {
    struct cudart *rt = cudart_lock();
    *list = calls;
    cudart_unlock(rt);
}

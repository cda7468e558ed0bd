/*
 * Launches that may touch more memory than the host has. Which bytes a kernel touches is known only
 * when it has; so where there could be too many, the host's memory is looked at every other
 * millisecond, and the kernel ends before the host has to kill somebody.
 */
#include "common/simt/run/sm.h"

#include <time.h>

/* Bytes that one byte of device memory may cost: itself, its shadow, and the page and its flags as
 * they were before several host threads ran. */
enum { COST = 5 };

static const int64_t INTERVAL_NS = 2000000;

void simt_room_begin(struct simt_sm *sm) {
    uint64_t cost = COST * sm->space->used;
    /* Less than a quarter of what there was when the device was made is not worth a look. */
    sm->watches_room = cost > sm->space->limit / 4 && cost > simt_host_room(&sm->space->host);
}

bool simt_room_is_over(struct simt_sm *sm) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t now_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    if (now_ns < sm->room_ns)
        return false;
    sm->room_ns = now_ns + INTERVAL_NS;
    if (simt_host_room(&sm->space->host))
        return false;
    simt_used_up(sm);
    return true;
}

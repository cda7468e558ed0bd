/*
 * When a launch has to stop though it goes on. Its budget says so at the same place each time; the
 * clock, which does not, is there for what no budget stops. Both are looked at once in a while, so
 * that a turn of a loop pays for no more than a count.
 *
 * Which bytes a kernel touches is known only when it has. Where that could be more than the host
 * has, the host's memory is looked at every other millisecond, and the kernel ends before the host
 * has to kill somebody.
 */
#include "common/simt/run/limits.h"

#include <time.h>

#include "common/simt/access/region/region.h"
#include "common/simt/state/sm.h"

/* Turns between two looks, and how many more for each instruction, which a look has to visit. */
enum { TURNS = 1 << 10, TURNS_PER_INSN = 16 };

/*
 * As how many warp instructions more counts what takes the host longer than most do: an atomic of a
 * warp, a thread's printf, malloc or free. Of wavefronts and sectors so many count as one more: as
 * many as a warp needs that reads words side by side.
 */
enum { ATOMIC = 32, HOST_CALL = 64, PASSES = 4 };

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void refuel(struct simt_sm *sm) {
    sm->limits.fuel = TURNS + TURNS_PER_INSN * sm->program->n_insns;
}

void simt_budget_begin(struct simt_sm *sm, uint64_t budget, int64_t timeout_ms) {
    sm->limits.budget = budget;
    sm->limits.timeout_ms = timeout_ms;
    sm->limits.deadline_ns = timeout_ms ? now_ns() + timeout_ms * INT64_C(1000000) : 0;
    refuel(sm);
}

uint64_t simt_executed(const struct simt_sm *sm) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < sm->program->n_insns; i++)
        n += sm->steps[i].warps + sm->steps[i].entries * sm->steps[i].straight;
    return n;
}

/* What the budget is charged for what was done. */
static uint64_t count_spent(const struct simt_sm *sm) {
    uint64_t n = simt_executed(sm) + simt_findings_seen(sm->findings);
    for (uint32_t i = 0; i < sm->program->n_insns; i++) {
        const struct simt_counters *c = &sm->counters[i];
        if (sm->steps[i].kind == SIMT_STEP_HOST)
            n += sm->steps[i].threads * HOST_CALL;
        n += c->atomics * ATOMIC + (c->shared_load_wavefronts + c->shared_store_wavefronts +
                                    c->global_load_sectors + c->global_store_sectors) /
                                       PASSES;
    }
    return n;
}

bool simt_is_spent(const struct simt_sm *sm) {
    return count_spent(sm) > sm->limits.budget;
}

/* Ctas that have come to their end, going by their threads. */
static uint64_t count_ended(const struct simt_sm *sm) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < sm->program->n_insns; i++)
        if (sm->program->insns[i].flow == SIMT_FLOW_EXIT)
            n += sm->steps[i].threads;
    return n / sm->n_threads;
}

bool simt_is_costly(const struct simt_sm *sm) {
    uint64_t spent = count_spent(sm);
    return sm->cta_index > 0 && count_ended(sm) == sm->cta_index &&
           sm->limits.spent_before > spent / 2;
}

bool simt_look(struct simt_sm *sm) {
    uint64_t spent = count_spent(sm);
    refuel(sm);
    if (sm->limits.looked_at != sm->cta_index) {
        sm->limits.looked_at = sm->cta_index;
        sm->limits.spent_before = spent;
    }
    return spent > sm->limits.budget ||
           atomic_load_explicit(sm->limits.interrupted, memory_order_relaxed) ||
           (sm->limits.deadline_ns && now_ns() > sm->limits.deadline_ns);
}

/* Bytes that one byte of device memory may cost: itself, its shadow, and the page and its flags as
 * they were before several host threads ran. */
enum { COST = 5 };

static const int64_t INTERVAL_NS = 2000000;

void simt_host_memory_begin(struct simt_sm *sm, size_t bytes) {
    uint64_t cost = COST * sm->space->used;
    sm->limits.host = sm->space->host;
    if (bytes) {
        simt_host_open(&sm->limits.host, bytes);
        sm->limits.watches_host = true;
        return;
    }
    /* Less than a quarter of what there was when the device was made is not worth a look. */
    sm->limits.watches_host =
        cost > sm->space->limit / 4 && cost > simt_host_room(&sm->space->host);
}

bool simt_host_memory_is_over(struct simt_sm *sm) {
    int64_t now = now_ns();
    if (now < sm->limits.host_ns)
        return false;
    sm->limits.host_ns = now + INTERVAL_NS;
    if (simt_host_room(&sm->limits.host))
        return false;
    simt_used_up(sm);
    return true;
}

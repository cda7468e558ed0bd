/*
 * The first slots since a launch, a turn, a barrier and a sync began: found in the table of
 * contexts from its end, near which these points are.
 */
#include "common/simt/checks/race/ages.h"

/* The slot of the first context that is no older than a point in time. */
static uint32_t first_since(const struct simt_contexts *contexts, uint64_t point) {
    uint32_t high = contexts->n, step = 1;
    while (step < high && contexts->stamps[high - step] >= point) {
        high -= step;
        step *= 2;
    }
    uint32_t low = step < high ? high - step + 1 : 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (contexts->stamps[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return high << SIMT_SLOT_CONTEXT;
}

/* Numbers of several host threads are not in the order of time; work of other queues, and what the
 * cta itself did in an earlier turn, are of ages that slots don't tell. */
const struct simt_ages *simt_ages_find(struct simt_sm *sm) {
    struct simt_ages *ages = &sm->checker->ages;
    const struct simt_order *order = &sm->order;
    const struct simt_contexts *contexts = &sm->space->contexts;
    ages->order = *order;
    ages->generation = contexts->generation;
    ages->are_known = !sm->guard && order->foreign == UINT64_MAX;
    if (!ages->are_known)
        return NULL;
    ages->start = first_since(contexts, order->start);
    ages->are_known =
        order->born >= order->start || first_since(contexts, order->born) == ages->start;
    if (!ages->are_known)
        return NULL;
    ages->launch = first_since(contexts, order->launch);
    ages->cta = first_since(contexts, order->cta);
    ages->warp = order->warp == order->cta ? ages->cta : first_since(contexts, order->warp);
    return ages;
}

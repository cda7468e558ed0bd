/*
 * What all parts that look at a slot need: active masks, and the places of ctas and threads.
 */
#include "common/simt/state/sm.h"

/* A table instead of 1 << i: comparing vectors is quicker than shifting them. */
static const uint32_t lane_bit[SIMT_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

void simt_set_mask(struct simt_exec *x, uint32_t mask) {
    x->mask = mask;
    x->n_lanes = simt_popcount(mask);
    for (unsigned i = 0; i < SIMT_LANES; i++)
        x->lanes[i] = (mask & lane_bit[i]) == lane_bit[i] ? UINT32_MAX : 0;
}

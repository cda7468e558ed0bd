/*
 * Other legal orders of warps and ctas, drawn from a seed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct simt_sm;
struct simt_split;

/* Of one launch; its slots share it. */
struct simt_schedule {
    uint64_t state;
    uint32_t fuel; /* steps until the running warp's turn ends */
    bool is_calm;  /* turns don't end early: only so is a wait without end found */
};

void simt_schedule_begin(struct simt_schedule *schedule, uint64_t seed, uint64_t n_launches);

/* A number below `n`. */
uint64_t simt_schedule_draw(struct simt_schedule *schedule, uint64_t n);

/* The order in which `n` ctas start. */
void simt_schedule_shuffle(struct simt_schedule *schedule, uint64_t *ctas, uint64_t n);

/* One step of the running warp: true when its turn ends here. */
bool simt_schedule_step(struct simt_sm *sm, struct simt_split *split);

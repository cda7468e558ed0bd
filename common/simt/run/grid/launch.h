/*
 * One launch: the slots that hold its ctas, and who runs them.
 */
#pragma once

#include "common/simt/state/sm.h"

/* A slot for one more cta of the same launch; NULL when the host has no memory. */
struct simt_sm *simt_slot_open(const struct simt_sm *first);
void simt_slot_close(struct simt_sm *sm);

/* What a host thread notes for itself, for all the slots that it runs: findings, steps,
 * counters, turns and rivals. False when the host has no memory; what there is has to be closed. */
bool simt_results_open(struct simt_sm *sm);
void simt_results_close(struct simt_sm *sm);

/* sample.c: the ctas that run where not all of a grid of `n_ctas` do, pair by pair. False without
 * memory. */
struct simt_ctas {
    uint64_t *list; /* NULL: all, in order */
    uint64_t n, budget;
};
bool simt_sample_open(struct simt_ctas *ctas, const struct simt_sample *sample, uint64_t n_ctas);
void simt_sample_close(struct simt_ctas *ctas);

/* grid.c: runs all ctas, or those that `ctas` lists, at most `capacity` at a time. A fault is left
 * in first->x.fault. Returns how many have begun. */
uint64_t simt_grid_run(struct simt_sm *first, const struct simt_ctas *ctas, uint64_t n_ctas,
                       uint64_t capacity);

/* threads.c: the same by several host threads, where that pays. */
void simt_threads_run(struct simt_sm *first, uint64_t n_ctas, uint64_t capacity,
                      uint32_t n_threads);

/*
 * Counts the requests of memory instructions. All of them are counted here, whichever way they go:
 * through simt_access, or one of the fast ways (fast/), which find the same numbers quicker.
 */
#pragma once

#include "common/simt/access/region/region.h"

/* A request in shared memory took so many passes over its banks; without bank conflicts it would
 * have taken `groups`. */
SIMT_PART_OF_EACH void simt_count_shared(struct simt_counters *count, enum simt_touch touch,
                                         uint32_t passes, uint32_t groups) {
    if (touch == SIMT_UPDATES) {
        count->atomics++;
    } else if (touch == SIMT_READS) {
        count->shared_loads++;
        count->shared_load_wavefronts += passes;
    } else {
        count->shared_stores++;
        count->shared_store_wavefronts += passes;
    }
    if (touch != SIMT_UPDATES)
        count->bank_conflicts += passes - groups;
}

/* A request in global memory touched so many sectors; where it meets several allocations, this is
 * what it touched of one of them, and `is_first` says whether of the first. */
SIMT_PART_OF_EACH void simt_count_global(struct simt_counters *count, enum simt_touch touch,
                                         uint32_t sectors, bool is_first) {
    if (touch == SIMT_UPDATES) {
        count->atomics += is_first;
    } else if (touch == SIMT_READS) {
        count->global_loads += is_first;
        count->global_load_sectors += sectors;
    } else {
        count->global_stores += is_first;
        count->global_store_sectors += sectors;
    }
}

/* count.c: passes over the banks of shared memory for the lanes of a request, of which `groups` is
 * how many there would be without conflicts. */
uint32_t simt_find_passes(struct simt_sm *sm, const struct simt_request *request, uint32_t *groups);

/* count.c: sectors of global memory that the lanes of a request touch. */
uint32_t simt_find_sectors(const struct simt_request *request);

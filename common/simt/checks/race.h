/*
 * Races between threads: see check.c.
 */
#ifndef SIMT_CHECKS_RACE_H
#define SIMT_CHECKS_RACE_H

#include "common/simt/memory/region.h"

/* Compares a request with the shadow of its words, and leaves its stamps there. */
void simt_check_races(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region);

/* Two accesses that no barrier orders: the lane's, with stamp `mine`, and that of stamp `other`,
 * to the word at `offset`. Reports them, unless a fence orders them or they write the same. */
void simt_suspect(struct simt_sm *sm, const struct simt_request *request,
                  const struct simt_region *region, uint32_t lane, uint64_t offset, uint64_t mine,
                  uint64_t other, bool other_wrote);

#endif

/*
 * Accesses that an edit changes while they run (enum simt_edited), and what memory held when a
 * launch began.
 */
#pragma once

#include "common/simt/access/region/region.h"

/* Does what the instruction's edits want for the lanes that are on, at these addresses. Gives the
 * lanes whose access happens as ever. */
uint32_t simt_edited_access(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                            const uint64_t *address);

/* A copy of all device memory; NULL where it is too large, or the host has no memory. */
struct simt_snapshot *simt_snapshot_take(const struct simt_space *space);
void simt_snapshot_free(struct simt_snapshot *snapshot);

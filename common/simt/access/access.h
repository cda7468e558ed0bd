/*
 * Loads, stores, atomics and copies: each picks its operation when it is decoded, and all but the
 * fast ones go through simt_access.
 */
#pragma once

#include "common/simt/access/region/region.h"

/* Moves the bytes of a request. */
typedef void simt_move(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_region *region);

/* Runs one memory instruction: finds the regions of its lanes, counts, checks and moves. */
void simt_access(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                 simt_move *move);

/* atomic.c: picks the operation of an atom or red; false when there is none. */
bool simt_atomic_op(struct simt_insn *insn, const struct ptx_insn *source);

/* mbarrier.c: likewise of an mbarrier. */
bool simt_mbarrier_op(struct simt_insn *insn, const struct ptx_insn *source);

/* copy.c: picks the operation of a cp.async, or of a wait for some. */
bool simt_copy_op(struct simt_insn *insn, const struct ptx_insn *source);

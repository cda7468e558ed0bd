/*
 * What orders the accesses of different threads: barriers, syncs of a warp, and data handed on.
 *
 * How threads hand data to each other within a launch: who writes it has a fence and then a strong
 * write (an atomic, or a volatile or relaxed store in global memory), whose value the other one
 * sees by a strong read. What was written without the fence may be seen later than the value that
 * tells of it. To another cta that goes where neither the fence nor the strong write is narrow,
 * that is of the scope of its own cta (PTX ISA, "Memory Consistency Model": morally strong
 * operations, release patterns). The scope of what the reader does is asked of its strong read
 * alone.
 */
#pragma once

#include "common/simt/checks/race/race.h"

/* Lanes have a fence, or an access that goes with one. */
void simt_handover_fence(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes);

/* Remembers who released and who acquired by a strong request. */
void simt_handover_note(struct simt_sm *sm, const struct simt_request *request);

/* Remembers which strong writes a strong read of global memory comes upon: to be called while the
 * shadow has them. */
void simt_handover_see(const struct simt_walk *walk);

/* True where a fence came after the other's access, a strong write after it, and a strong read of
 * mine, or of another thread before the last barrier. The stamps are of two accesses, `cta` is the
 * other's. */
bool simt_is_handed_over(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta);

/* Of an access of another cta that is not handed over: the fence or strong write, an instruction's
 * index, that would have done so for threads of its own cta, but is narrow. UINT32_MAX: none. */
uint32_t simt_narrow_release(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta);

/* The stamp of a strong write of the other's cta, later than its access, that mine, or another
 * thread before the last barrier, has come upon at another line of the source: what was taken to
 * tell of it. 0: there is none. Words that are all read at one line, and each say what they hold,
 * tell nothing of each other. */
uint64_t simt_told_by(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta);

/* Both instructions are of one line of the source. */
bool simt_is_same_line(const struct simt_sm *sm, uint64_t index, uint64_t other);

/* The cta of a stamp of this launch. */
uint64_t simt_cta_at(const struct simt_sm *sm, uint64_t stamp);
/* The stamp is of an access to global memory by another cta of the launch, or by work without an
 * order with it. */
bool simt_is_of_other_cta(const struct simt_sm *sm, uint64_t stamp);

/* Lanes of the running warp have met in a *_sync: what they did so far is ordered before what they
 * do next. */
void simt_order_lanes(struct simt_sm *sm, uint32_t lanes);

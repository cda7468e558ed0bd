/*
 * What findings say: one sentence a kind, with its words and what is put into them in one place.
 * Who finds something says who did what (struct simt_side), and gets the sentence.
 */
#pragma once

#include "common/simt/state/findings.h"

struct simt_sentence {
    char text[384];
};

/* Two accesses of one place that nothing orders: `why` is what is missing. Of several streams: each
 * side in words, such as "thread 5 of block 0 of put", "writes", " (line 12)". */
struct simt_sentence simt_say_race(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other, const char *place,
                                   const char *why);
struct simt_words {
    struct simt_access access;
    char who[96], line[32];
};
struct simt_sentence simt_say_streams(const struct simt_words *here, const struct simt_words *other,
                                      const char *place);

/* A read by the read-only path of what the other has written in the same launch. */
struct simt_sentence simt_say_read_only(const struct simt_sm *sm, const struct simt_side *here,
                                        const struct simt_side *other, const char *place);

/* An access of what a copy may still write or read. */
struct simt_hazard {
    const char *verb;   /* what the lane does too early: "reads" or "writes"; a literal */
    const char *opcode; /* of the copy */
    const char *where;  /* it goes, behind "the copy by thread 5 of block 0": " to global memory" */
    const char *state;  /* that it may still be in: "on its way" */
    const char *reason; /* why it may: "that thread has not waited for it" */
    const char *advice;
};
struct simt_sentence simt_say_copy(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other, const char *place,
                                   const struct simt_hazard *hazard);

/* A read of what nobody wrote, whose value the instruction `user` uses. */
struct simt_sentence simt_say_unwritten(const struct simt_sm *sm, const struct simt_side *here,
                                        const char *place, uint32_t user);

/* An address outside of all that the kernel may touch, in words; one that is no multiple of the
 * access's size. */
struct simt_sentence simt_say_outside(const struct simt_sm *sm, const struct simt_side *here,
                                      const char *what);
struct simt_sentence simt_say_misaligned(const struct simt_sm *sm, const struct simt_side *here,
                                         uint32_t bytes, uint64_t address);

/* A barrier that the other thread does not come to: `rest` is what it does instead. The two parted
 * at the instruction `branch` (FLOW_EXIT: nobody knows where). A number that no barrier has. */
struct simt_sentence simt_say_divergent(const struct simt_sm *sm, const struct simt_side *here,
                                        const struct simt_side *other, const char *rest,
                                        uint32_t branch);
struct simt_sentence simt_say_number(const struct simt_sm *sm, const struct simt_side *here,
                                     uint32_t number);

/* A lane that calls a *_sync with a mask without it; a shuffle from a lane that takes no part. */
struct simt_sentence simt_say_unnamed(const struct simt_sm *sm, const struct simt_side *here,
                                      uint32_t mask);
/* One that waits at a *_sync for the other, which leaves the kernel. */
struct simt_sentence simt_say_left(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other);
struct simt_sentence simt_say_inactive(const struct simt_sm *sm, const struct simt_side *here);

/* A block of which all threads wait: at barriers, `other` elsewhere (NULL: nobody is); for a lane
 * that the mask of a *_sync names, which waits with `its_mask` (NULL: at a barrier). A grid of
 * which all wait for a value to change: `n_resident` blocks, while block `next` can't begin
 * (UINT64_MAX: none is left). */
struct simt_sentence simt_say_deadlock(const struct simt_sm *sm, const struct simt_side *here,
                                       const struct simt_side *other);
struct simt_sentence simt_say_absent(const struct simt_sm *sm, const struct simt_side *here,
                                     uint32_t mask, const struct simt_side *other,
                                     const uint32_t *its_mask);
struct simt_sentence simt_say_unchanged(const struct simt_sm *sm, const struct simt_side *here,
                                        const char *place, uint64_t n_resident, uint64_t next);

/* A kernel that ends itself: `what` its thread does. */
struct simt_sentence simt_say_ended(const struct simt_sm *sm, const struct simt_side *here,
                                    const char *what);

/* A kernel that goes on: where the budget was spent (by a thread, by a block), what was reached
 * with that. `where` is one of the first two. */
struct simt_sentence simt_say_round(const struct simt_sm *sm, const struct simt_side *here,
                                    bool is_call);
struct simt_sentence simt_say_spent(const struct simt_sm *sm, const struct simt_side *here);
struct simt_sentence simt_say_endless(uint64_t n_instructions, const char *where);
struct simt_sentence simt_say_costly(const struct simt_sm *sm, uint64_t n_instructions,
                                     const char *where);
struct simt_sentence simt_say_late(int64_t timeout_ms, const char *where);
struct simt_sentence simt_say_interrupted(const char *where);

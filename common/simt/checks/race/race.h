/*
 * Races between threads: see check.c.
 */
#pragma once

#include "common/simt/access/region/region.h"
#include "common/simt/checks/checker.h"

/* What the lanes of a request have in common. */
struct simt_walk {
    struct simt_sm *sm;
    const struct simt_request *request;
    const struct simt_region *region;
    const struct simt_order *order;
    uint64_t stamp;        /* without thread and bytes */
    bool is_volatile_load; /* of global memory: may race with volatile stores, see suspect.c */
};

/* check.c: looks at a request before its bytes move. The others are for rows: state/hooks.h. */
void simt_check_request(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region);

uint32_t simt_check_shared_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                enum simt_touch touch, const struct simt_row *rows, uint32_t n);
uint32_t simt_check_global_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                enum simt_touch touch, const struct simt_allocation *allocation,
                                const struct simt_row *rows, uint32_t n);

/* shared_race.c, global_race.c: compares a request in shared or global memory with the shadow of
 * its words, and leaves its stamps there. */
void simt_check_shared(const struct simt_walk *walk);
void simt_check_global(const struct simt_walk *walk);

/* global_word.c: a lane reads or writes a word of global memory, and leaves its slot there; `mine`
 * is the slot's stamp. */
void simt_read_word(const struct simt_walk *walk, struct simt_word *word, uint32_t slot,
                    uint64_t mine, uint32_t lane, uint64_t offset);
void simt_write_word(const struct simt_walk *walk, struct simt_word *word, uint32_t slot,
                     uint64_t mine, uint32_t lane, uint64_t offset);

/* shared_race.c: looks at a request of words, and at which of them were written. False where lanes
 * have to be looked at one by one; what was noted of some until then, will be once more. */
bool simt_pass_shared(const struct simt_walk *walk);

/* Flags of what was written (async_copies.h) for all bytes of a word, and whether some byte of the
 * word with such flags was, and none is on its way. */
enum {
    SIMT_WORD_WRITTEN = 0x01010101 * SIMT_WRITTEN,
    SIMT_WORD_PENDING = 0x01010101 * SIMT_PENDING
};
SIMT_PART_OF_EACH bool simt_is_written(uint32_t flags) {
    return ((flags & SIMT_WORD_WRITTEN) != 0) & ((flags & SIMT_WORD_PENDING) == 0);
}

/* The stamp of an access that is not strong, without thread and bytes. */
static inline uint64_t simt_stamp(const struct simt_sm *sm, const struct simt_insn *insn) {
    return *sm->now | (insn->index < SIMT_STAMP_INDEX ? insn->index : SIMT_STAMP_INDEX);
}

/* Strong accesses don't race with each other. In global memory a narrow one, of the scope of its
 * own cta, is strong for its own cta alone, and so has no strong stamp: suspect.c looks closer. */
static inline bool simt_is_strong(const struct simt_insn *insn, enum simt_touch touch,
                                  bool is_shared) {
    return is_shared ? touch == SIMT_UPDATES
                     : (touch == SIMT_UPDATES || insn->is_strong) && !insn->is_narrow;
}

/* check.c: a lane reads an element that nobody wrote, or of which only some bytes were written. */
void simt_report_uninitialised(struct simt_sm *sm, const struct simt_request *request,
                               const struct simt_region *region, uint32_t lane, uint64_t offset,
                               bool is_partly);

/* Both are of one warp, from `start` on. */
static inline bool simt_same_warp(uint64_t p, uint64_t q, uint64_t start) {
    return simt_stamp_thread(p ^ q) < SIMT_LANES && p >= start && q >= start;
}

static inline bool simt_overlap(uint64_t p, uint64_t q) {
    return (p & q & SIMT_STAMP_BYTES) != 0;
}

/* A conflict: bytes in common, and not both strong. */
static inline bool simt_clash(uint64_t p, uint64_t q) {
    return simt_overlap(p, q) && !(p & q & SIMT_STAMP_STRONG);
}

/* An atomic (`mine`) follows a plain store to its word with which it is in order, while atomics of
 * others may not be: these race with the store, though not with the atomic. So the store is kept in
 * the last reader's place, unless that is a later plain one of the same bytes, which races with
 * the same atomics. */
static inline bool simt_keeps_store(uint64_t writer, uint64_t reader, uint64_t mine) {
    return mine & ~writer & SIMT_STAMP_STRONG &&
           (reader < writer || reader & SIMT_STAMP_STRONG || writer & ~reader & SIMT_STAMP_BYTES);
}

/* The bytes of each word that an access of `bytes` at an offset touches, as a stamp has them. */
static inline uint64_t simt_touched(uint64_t offset, uint32_t bytes) {
    uint64_t touched = bytes >= 4 ? 15 : ((UINT64_C(1) << bytes) - 1) << (offset & 3);
    return touched << SIMT_STAMP_BYTE;
}

/* What an instruction does to memory: "reads" … Where it stores, `writes` may be false. */
const char *simt_verb(const struct simt_program *program, uint32_t index, bool writes);

/* suspect.c: lanes that load by the read-only path (ld.global.nc) what this launch has written:
 * that path does not see what is written meanwhile (PTX ISA: "undefined"), whatever barriers there
 * are. */
void simt_check_read_only(struct simt_sm *sm, const struct simt_request *request,
                          const struct simt_region *region);

/* suspect.c: a plain load whose value only a compare-and-swap of the same word gets to see. */
bool simt_is_optimistic(const struct simt_sm *sm, uint32_t index);

/* polling.c: a strong load that reads one word until it holds what a loop waits for. */
bool simt_polls(const struct simt_sm *sm, uint32_t index);

/* turns.c: the access of the instruction at `index` races with that of a later instruction,
 * `other`, only as that of the loop's next turn: in one turn a barrier lies between them.
 * `one_warp`: both threads are of one warp. */
bool simt_is_of_next_turn(const struct simt_program *program, uint32_t index, uint32_t other,
                          bool one_warp);

/* The access at `index` comes behind that of `other`, never before it without a barrier, although
 * its source line is a former one: as where the turns of a loop are unrolled. */
bool simt_is_further_on(const struct simt_program *program, uint32_t index, uint32_t other,
                        bool one_warp);

/* Two accesses that no barrier orders: the lane's, with stamp `mine`, and that of stamp `other`,
 * to the word at `offset`. Reports them, unless a fence orders them or they write the same, or both
 * are strong and nothing told the lane that the other's is done. */
void simt_suspect(struct simt_sm *sm, const struct simt_request *request,
                  const struct simt_region *region, uint32_t lane, uint64_t offset, uint64_t mine,
                  uint64_t other, bool other_wrote);

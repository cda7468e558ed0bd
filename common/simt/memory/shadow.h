/*
 * Shadow memory: for each word of simulated memory, who touched it last, and whether anybody wrote
 * it.
 *
 * An access is one stamp of 64 bits. Its upper part is a serial number that goes up at every cta
 * barrier, at every sync of a warp that follows an access, at every fence, cta and launch, so
 * stamps compare in the order of time and shadow memory never needs clearing: what an older cta
 * left is simply too old. Below it are the thread's index in its cta, the bytes of the word that
 * were touched, whether the access was strong (atomic, volatile ...), and the index of the
 * instruction.
 *
 * The idea of shadow words for happens-before: Serebryany and Iskhodzhanov, "ThreadSanitizer"
 * (2009); barrier epochs in place of vector clocks. Two readers are enough to find a race with any
 * later writer: they are of different threads, of different warps where possible.
 */
#pragma once

#include "common/simt/simt.h"

#define SIMT_STAMP_TICK    (UINT64_C(1) << 31)
#define SIMT_STAMP_THREAD  21 /* shift of the thread's index, 10 bits */
#define SIMT_STAMP_THREADS UINT64_C(1023)
#define SIMT_STAMP_BYTE    17 /* shift of the byte mask, 4 bits */
#define SIMT_STAMP_BYTES   (UINT64_C(15) << SIMT_STAMP_BYTE)
#define SIMT_STAMP_STRONG  (UINT64_C(1) << 16)
#define SIMT_STAMP_INDEX   UINT64_C(0xffff)
#define SIMT_STAMP_SPAN    (UINT64_MAX / 2) /* stamps of a launch are no further apart */

/*
 * The shadow of shared memory: for each aligned word of 4 bytes the last access that wrote it and
 * two that read it. Each is kept in a slot of 32 bits:
 *   bits  0 to  9  the thread's index in its cta
 *   bit  10        the access was strong (atomic)
 *   bits 11 to 30  the number of the access's stamp in the cta's table of stamps, which
 *                  checks/race/shared/shared_slots.h keeps
 * Numbers are given in the order of time. So of two slots, compared as uint32_t or int32_t, the
 * larger one is the later access.
 */
struct simt_cells {
    uint32_t *writers; /* NULL where nothing is checked; owns the memory of all three */
    uint32_t *readers; /* the last ones */
    uint32_t *rivals;  /* readers that are not ordered with these */
    struct simt_cell_row *rows;
};

/* One slot for sixteen words: where sixteen lanes side by side access sixteen words side by side,
 * the slots of the words differ only in the thread, by one from word to word. Then the first word's
 * slot is kept here, and the list of slots itself says nothing for these words. `is_row` tells for
 * which of the three lists that is so. As soon as one of these words alone is accessed, the slots
 * are written to the lists again (simt_cells_spread). */
enum { SIMT_CELL_ROW = 16 };
struct simt_cell_row {
    uint32_t writer, reader, rival;
    uint32_t is_row; /* enum simt_is_row */
};
enum simt_is_row {
    SIMT_ROW_WRITER = 1,
    SIMT_ROW_READER = 2,
    SIMT_ROW_RIVAL = 4,
    SIMT_ROW_SLOTS = 7,
    SIMT_ROW_WRITTEN = 8, /* not a list: all bytes of the row were written, and have come */
    SIMT_ROW_SPREAD = 16, /* added each time that slots are written to the lists again; … */
    SIMT_ROW_STAYS = 4 * SIMT_ROW_SPREAD, /* … from then on the words keep slots of their own */
};

#define SIMT_SHARED_THREADS UINT32_C(1023)
#define SIMT_SHARED_STRONG  (UINT32_C(1) << 10)
#define SIMT_SHARED_NUMBER  11 /* shift of the stamp's number, 20 bits */

/* How many words have slots: whole rows. */
static inline size_t simt_cells_for(size_t shared_bytes, size_t spare_bytes) {
    return (shared_bytes + spare_bytes) / 4 / SIMT_CELL_ROW * SIMT_CELL_ROW + SIMT_CELL_ROW;
}

/*
 * The shadow of one aligned word of global memory: as many bytes as two words have. Each of its two
 * slots has 32 bits:
 *   bits  0 and 1  two of the word's bytes were written: in the writer's slot the lower two bytes,
 *                  in the reader's slot the upper two
 *   bits  2 to 11  the thread's index in its cta
 *   bit  12        SIMT_SLOT_RIVAL. In the writer's slot: no access of this launch has written the
 *                  word, and this slot keeps a second reader. In the reader's slot: the word was
 *                  written, and its second reader may be in the table of
 * checks/race/global/rivals.h bits 13 to 31  the number of the access's context: its stamp without
 * the thread. All threads of a cta that run one instruction between two barriers share it
 */
struct simt_word {
    uint32_t writer, reader;
};

/* The shadow of eight words side by side, as it lies in memory: a line of the host's cache, whose
 * slots are looked at eight at a time. */
enum { SIMT_BLOCK = 8 };
struct simt_block {
    uint32_t writers[SIMT_BLOCK], readers[SIMT_BLOCK];
};

static inline struct simt_word simt_get_word(const struct simt_block *blocks, uint64_t i) {
    const struct simt_block *block = &blocks[i / SIMT_BLOCK];
    return (struct simt_word){block->writers[i % SIMT_BLOCK], block->readers[i % SIMT_BLOCK]};
}

static inline void simt_put_word(struct simt_block *blocks, uint64_t i, struct simt_word word) {
    struct simt_block *block = &blocks[i / SIMT_BLOCK];
    block->writers[i % SIMT_BLOCK] = word.writer;
    block->readers[i % SIMT_BLOCK] = word.reader;
}

#define SIMT_SLOT_WRITTEN UINT32_C(3)
#define SIMT_SLOT_THREAD  2 /* shift of the thread's index, 10 bits */
#define SIMT_SLOT_THREADS (UINT32_C(1023) << SIMT_SLOT_THREAD)
#define SIMT_SLOT_RIVAL   (UINT32_C(1) << 12) /* see above */
#define SIMT_SLOT_CONTEXT 13                  /* shift of the context's number */

enum { SIMT_CONTEXTS = 1 << 19 }; /* 4 MiB at most */

/* Stamps by their numbers, which are given in the order of time where one host thread runs ctas.
 * Number 0 is a stamp that is older than all. */
struct simt_contexts {
    uint64_t *stamps; /* NULL before the first */
    uint32_t n;
    uint32_t generation; /* goes up when numbers change their meaning */
};

/* How many shadow words `bytes` of memory have. */
static inline size_t simt_words_for(size_t bytes) {
    return (bytes + 3) / 4;
}

/* The flags of a word's four bytes. */
static inline uint32_t simt_written(const struct simt_block *blocks, uint64_t i) {
    struct simt_word word = simt_get_word(blocks, i);
    return (word.writer & SIMT_SLOT_WRITTEN) | (word.reader & SIMT_SLOT_WRITTEN) << 2;
}

/* True when somebody wrote one of the bytes from `offset` on: 1, 2, 4 or 8 that are aligned. */
static inline bool simt_any_written(const struct simt_block *blocks, uint64_t offset,
                                    uint32_t bytes) {
    uint32_t written = simt_written(blocks, offset >> 2);
    if (bytes <= 4)
        return written & ((UINT32_C(1) << bytes) - 1) << (offset & 3);
    return written | simt_written(blocks, (offset >> 2) + 1);
}

/*
 * Points in time, as stamps, in this order: `launch` (the launch began), `born` (the cta began),
 * `start` (the cta's present turn began; other ctas may have run since it was born), `cta` (its
 * last barrier), `warp` (the running warp's last sync).
 *
 * An access of the running thread comes after an earlier one by another thread only where one of
 * these points lies between. So what is not ordered before it: accesses of its own warp since
 * `warp`, of its own cta since `cta`, and of other ctas from `launch` to `start`. (What the cta
 * itself did in earlier turns lies there, too; simt_turns tells it from the others.) Shared memory
 * is the cta's own: nothing before `born` counts.
 */
struct simt_order {
    uint64_t warp, cta, start, launch, born;
    uint64_t span;    /* stamps from launch on that are looked at: those of this host thread */
    uint64_t foreign; /* stamps from here to launch may be of work that has no order with this one;
                         UINT64_MAX: there is none (checks/asynchronous/host_work.h) */
    const struct simt_works *works;
};

struct simt_works;

/* checks/asynchronous/host_work.c: the stamp is of a piece of work that has no order with the one
 * that runs. */
bool simt_is_unordered_work(const struct simt_works *works, uint64_t stamp);

static inline bool simt_is_foreign(const struct simt_order *order, uint64_t stamp) {
    return stamp >= order->foreign && stamp < order->launch &&
           simt_is_unordered_work(order->works, stamp);
}

/* What the launch did, or work without an order with it. */
static inline bool simt_is_recent(const struct simt_order *order, uint64_t stamp) {
    return stamp - order->launch < order->span || simt_is_foreign(order, stamp);
}

/* The stamp that a slot stands for, from the device's table of contexts. */
static inline uint64_t simt_slot_stamp(const uint64_t *contexts, uint32_t slot) {
    uint64_t thread = (slot & SIMT_SLOT_THREADS) >> SIMT_SLOT_THREAD;
    return contexts[slot >> SIMT_SLOT_CONTEXT] | thread << SIMT_STAMP_THREAD;
}

static inline uint32_t simt_stamp_thread(uint64_t stamp) {
    return (uint32_t)(stamp >> SIMT_STAMP_THREAD & SIMT_STAMP_THREADS);
}

/* True when an access of the same cta with stamp `other` is not ordered before one with stamp
 * `mine`. */
static inline bool simt_unordered_in_cta(const struct simt_order *order, uint64_t other,
                                         uint64_t mine) {
    uint32_t differs = simt_stamp_thread(other ^ mine);
    return differs && other >= (differs < SIMT_LANES ? order->warp : order->cta);
}

/* The same for any access; one of an earlier turn of the cta counts as another cta's. */
static inline bool simt_unordered(const struct simt_order *order, uint64_t other, uint64_t mine) {
    if (other - order->launch >= order->span)
        return simt_is_foreign(order, other);
    if (other < order->start)
        return true;
    return simt_unordered_in_cta(order, other, mine);
}

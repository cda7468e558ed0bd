/*
 * What the host's work (copies, fills, frees) does to memory, as the race check of global memory
 * sees it: words.c does the same for kernels.
 */
#include "common/simt/checks/race.h"
#include "common/simt/checks/host_work.h"
#include "common/simt/state/module.h"

struct touch {
    struct simt *simt;
    struct simt_allocation *allocation;
    bool writes;
    uint32_t bytes, context; /* the context that was made last, and its bytes of a word */
    const struct simt_work *reported;
};

/* A slot for the bytes of a word; 0 where the table is full. */
static uint32_t slot_for(struct touch *touch, uint32_t bytes) {
    struct simt_contexts *contexts = &touch->simt->space.contexts;
    if (touch->bytes != bytes && contexts->n < SIMT_CONTEXTS) {
        contexts->stamps[contexts->n] =
            touch->simt->now | (uint64_t)bytes << SIMT_STAMP_BYTE | SIMT_STAMP_INDEX;
        touch->context = contexts->n++ << SIMT_SLOT_CONTEXT;
        touch->bytes = bytes;
    }
    return touch->context;
}

static bool clashes(const struct touch *touch, uint32_t slot, uint32_t bytes) {
    const struct simt_space *space = &touch->simt->space;
    uint64_t stamp = space->contexts.stamps[slot >> SIMT_SLOT_CONTEXT];
    return stamp >= space->works->foreign && simt_is_unordered_work(space->works, stamp) &&
           (stamp & (uint64_t)bytes << SIMT_STAMP_BYTE);
}

/* Once for each piece of work that is met. */
static void report(struct touch *touch, uint64_t offset, uint32_t slot, bool wrote) {
    const struct simt_space *space = &touch->simt->space;
    uint64_t stamp = simt_slot_stamp(space->contexts.stamps, slot);
    const struct simt_work *work = simt_work_of(space->works, stamp);
    if (work == touch->reported)
        return;
    touch->reported = work;
    simt_report_touch(touch->simt, touch->allocation, offset, stamp, touch->writes, wrote);
}

static void touch_word(struct touch *touch, struct simt_word *word, uint64_t offset,
                       uint32_t bytes) {
    bool has_rival = word->writer & SIMT_SLOT_RIVAL;
    bool meets_writer = clashes(touch, word->writer, bytes);
    bool meets_reader = clashes(touch, word->reader, bytes);
    uint32_t slot = slot_for(touch, bytes);
    if (meets_writer && (touch->writes || !has_rival))
        report(touch, offset, word->writer, !has_rival);
    if (meets_reader && touch->writes)
        report(touch, offset, word->reader, false);
    if (touch->writes) {
        word->writer = slot | (word->writer & SIMT_SLOT_WRITTEN);
        return;
    }
    if (meets_reader && (has_rival || !meets_writer)) /* two readers, as in words.c */
        word->writer = (word->reader & ~(uint32_t)SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL |
                       (word->writer & SIMT_SLOT_WRITTEN);
    word->reader = slot | (word->reader & SIMT_SLOT_WRITTEN);
}

void simt_work_touches(struct simt *simt, struct simt_allocation *allocation, uint64_t offset,
                       uint64_t bytes, bool writes) {
    const struct simt_works *works = simt->space.works;
    if (!works || !works->is_active || !simt->options.checks || !simt_contexts_open(&simt->space))
        return;
    struct simt_block *words = simt_space_words(allocation);
    if (!words)
        return;
    struct touch touch = {.simt = simt, .allocation = allocation, .writes = writes};
    const uint64_t end = offset + bytes;
    while (offset < end) {
        uint64_t first = offset & 3, n = 4 - first < end - offset ? 4 - first : end - offset;
        struct simt_word word = simt_get_word(words, offset >> 2);
        touch_word(&touch, &word, offset, ((UINT32_C(1) << n) - 1) << first);
        simt_put_word(words, offset >> 2, word);
        offset += n;
    }
}

enum simt_status simt_note(struct simt *simt, uint64_t address, size_t bytes, bool writes) {
    struct simt_allocation *allocation = simt_space_range(&simt->space, address, bytes);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    simt_work_touches(simt, allocation, address - allocation->address, bytes, writes);
    return SIMT_OK;
}

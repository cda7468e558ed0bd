/*
 * The checks of global memory: races and reads of what nobody wrote. Requests whose lanes lie one
 * behind the other, the most common ones, are looked at as a whole: where the words agree on when
 * they were touched, one comparison does for all.
 */
#include "common/simt/checks/race/global/verdict.h"

#include <string.h>

#include "common/simt/checks/race/order.h"
#include "common/simt/memory/origin.h"

/* One word of a lane. False where it has to be looked at closer, and the request is not known. */
SIMT_PART_OF_EACH bool step_word(const struct simt_batch *batch, struct simt_known *known,
                                 uint32_t lane, uint64_t offset, uint32_t mine, bool writes) {
    const struct simt_walk *walk = batch->walk;
    const uint64_t i = offset >> 2;
    struct simt_block *block = &walk->region->words[i / SIMT_BLOCK];
    uint32_t *to = &block->writers[i % SIMT_BLOCK], writer = to[0], reader = to[SIMT_BLOCK];
    if (batch->ages && !writes && writer < batch->ages->launch && reader < batch->ages->launch) {
        to[SIMT_BLOCK] = (reader & SIMT_SLOT_WRITTEN) | mine;
        return true;
    }
    const struct simt_verdict *verdict = simt_ask(batch, known, writer, reader);
    const uint32_t action = simt_action(verdict, writer, reader, mine);
    if (action == SIMT_LOOK_CLOSER) {
        struct simt_word word = {writer, reader};
        uint64_t thread = walk->sm->warp->index * SIMT_LANES + lane;
        if (!walk->request)
            return false;
        (writes ? simt_write_word : simt_read_word)(
            walk, &word, mine, batch->stamp | thread << SIMT_STAMP_THREAD, lane, offset);
        simt_put_word(walk->region->words, i, word);
    } else if (writes) {
        to[0] = mine | (writer & SIMT_SLOT_WRITTEN) | (batch->written & SIMT_SLOT_WRITTEN);
        to[SIMT_BLOCK] = (reader & ~SIMT_SLOT_RIVAL) | batch->written >> 2;
    } else {
        if (action == SIMT_MOVE_READER)
            to[0] = (reader & ~SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL | (writer & SIMT_SLOT_WRITTEN);
        to[SIMT_BLOCK] = (reader & verdict->keeps) | mine;
    }
    return true;
}

/* The words of one lane. Where false, this lane will be stepped once more, which changes nothing in
 * the words before. */
SIMT_PART_OF_EACH bool step_lane(const struct simt_batch *batch, struct simt_known *known,
                                 uint32_t lane, uint64_t offset, uint32_t bytes, bool writes) {
    uint32_t thread = batch->walk->sm->warp->index * SIMT_LANES + lane;
    uint32_t mine = batch->slot | thread << SIMT_SLOT_THREAD;
    if (!step_word(batch, known, lane, offset, mine, writes))
        return false;
    for (uint32_t at = 4; at < bytes; at += 4)
        if (!step_word(batch, known, lane, offset + at, mine, writes))
            return false;
    return true;
}

SIMT_PART_OF_EACH void step_lanes(const struct simt_walk *walk, uint32_t lanes, bool writes) {
    const struct simt_request *request = walk->request;
    struct simt_batch batch = {.stamp = 0};
    struct simt_known known = SIMT_NOT_KNOWN;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t stamp = walk->stamp | simt_touched(request->offset[lane], request->bytes);
        if (stamp != batch.stamp) {
            batch = simt_batch_start(walk, stamp, writes);
            known = SIMT_NOT_KNOWN;
        }
        step_lane(&batch, &known, lane, request->offset[lane], request->bytes, writes);
    }
}

static bool is_written_at(const struct simt_region *region, uint64_t offset, uint32_t bytes) {
    return simt_any_written(region->words, offset, bytes) ||
           simt_any_by_host(region->allocation, offset, bytes);
}

static bool is_written_whole(const struct simt_region *region, uint64_t offset, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++)
        if (!is_written_at(region, offset + i, 1))
            return false;
    return true;
}

/* Reports lanes that read an element of which nobody wrote a byte. An element of which some bytes
 * were written may have padding, which copies of a structure read. An atomic takes all bytes for a
 * number. */
static void check_written(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    uint32_t element_bytes = ptx_type_bytes(request->insn->type);
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (unsigned e = 0; e < request->insn->n_elements; e++) {
            uint64_t offset = request->offset[lane] + e * element_bytes;
            bool is_used = request->insn->rows[e] != SIMT_NO_ROW || request->touch != SIMT_READS;
            const bool is_partly = is_written_at(walk->region, offset, element_bytes);
            const bool is_bad = request->touch == SIMT_UPDATES
                                    ? !is_written_whole(walk->region, offset, element_bytes)
                                    : !is_partly;
            if (is_used && is_bad)
                simt_report_uninitialised(walk->sm, request, walk->region, lane, offset, is_partly);
        }
    }
}

/* Checks a row's words lane by lane, stops at the first lane that needs a closer look, and returns
 * that lane and those after it as a mask; 0: all are done. */
SIMT_PART_OF_EACH uint32_t step_some(const struct simt_batch *batch, struct simt_known *known,
                                     const struct simt_row *row, uint32_t lanes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t offset = row->offset + (uint64_t)(lane - row->first) * row->step;
        if (!step_lane(batch, known, lane, offset, row->bytes, batch->writes))
            return rest;
    }
    return 0;
}

/* A lane that reads a word takes its place there. False, and nothing has happened, where the word
 * has to be looked at closer. */
SIMT_PART_OF_EACH bool take_place(const struct simt_batch *batch, struct simt_known *known,
                                  struct simt_word *word, uint32_t lane) {
    const uint32_t thread = batch->walk->sm->warp->index * SIMT_LANES + lane;
    const uint32_t mine = batch->slot | thread << SIMT_SLOT_THREAD;
    const struct simt_verdict *verdict = simt_ask(batch, known, word->writer, word->reader);
    const uint32_t action = simt_action(verdict, word->writer, word->reader, mine);
    if (action == SIMT_LOOK_CLOSER)
        return false;
    if (action == SIMT_MOVE_READER)
        word->writer = word->reader | SIMT_SLOT_RIVAL;
    word->reader = (word->reader & verdict->keeps) | mine;
    return true;
}

/* All lanes read one element, whose words are alike: what the first and the last two leave there is
 * what all would. Where one lane has a conflict with the writer, all have but the writer itself. */
SIMT_PART_OF_EACH uint32_t step_same(const struct simt_batch *batch, struct simt_known *known,
                                     const struct simt_row *row) {
    const uint64_t i = row->offset >> 2;
    struct simt_block *block = &batch->walk->region->words[i / SIMT_BLOCK];
    uint32_t *words = &block->writers[i % SIMT_BLOCK], differs = 0;
    const uint32_t last = UINT32_C(1) << (31 - __builtin_clz(row->mask)),
                   others = row->mask & ~last;
    const uint32_t next = others ? UINT32_C(1) << (31 - __builtin_clz(others)) : 0;
    const uint32_t lanes = (row->mask & -row->mask) | next | last;
    for (uint32_t k = 1; k < row->bytes / 4; k++)
        differs |= (words[k] ^ words[0]) | (words[SIMT_BLOCK + k] ^ words[SIMT_BLOCK]);
    if (differs & ~SIMT_SLOT_WRITTEN)
        return step_some(batch, known, row, lanes) ? row->mask : 0;
    struct simt_word word = {words[0] & ~SIMT_SLOT_WRITTEN, words[SIMT_BLOCK] & ~SIMT_SLOT_WRITTEN};
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (!take_place(batch, known, &word, (uint32_t)__builtin_ctz(rest)))
            return row->mask;
    for (uint32_t k = 0; k < row->bytes / 4; k++) {
        words[k] = word.writer | (words[k] & SIMT_SLOT_WRITTEN);
        words[SIMT_BLOCK + k] = word.reader | (words[SIMT_BLOCK + k] & SIMT_SLOT_WRITTEN);
    }
    return 0;
}

/* Checks a row of one word a lane, all lanes on, equally far apart. Quick as long as no access of
 * this launch has touched the words; from the first other one on it does what step_some does. */
SIMT_PART_OF_EACH uint32_t step_column(const struct simt_batch *batch, struct simt_known *known,
                                       const struct simt_row *row, bool writes) {
    const uint64_t step = row->step / 4;
    uint64_t word = row->offset >> 2;
    struct simt_block *blocks = batch->walk->region->words;
    const uint32_t launch = batch->ages ? batch->ages->launch : 0, written = batch->written;
    uint32_t own = batch->slot | batch->walk->sm->warp->index * SIMT_LANES << SIMT_SLOT_THREAD;
    for (uint32_t i = 0; i < SIMT_LANES; i++, word += step, own += 1 << SIMT_SLOT_THREAD) {
        uint32_t *to = &blocks[word / SIMT_BLOCK].writers[word % SIMT_BLOCK];
        const uint32_t writer = to[0], reader = to[SIMT_BLOCK];
        if (writer >= launch || reader >= launch)
            return step_some(batch, known, row, SIMT_FULL_MASK << i);
        if (writes) {
            to[0] = own | (writer & SIMT_SLOT_WRITTEN) | (written & SIMT_SLOT_WRITTEN);
            to[SIMT_BLOCK] = (reader & ~SIMT_SLOT_RIVAL) | written >> 2;
        } else {
            to[SIMT_BLOCK] = (reader & SIMT_SLOT_WRITTEN) | own;
        }
    }
    return 0;
}

/* A bit each; and how many lanes each word of a block is behind the first, where lanes have 1, 2 or
 * 4 words. */
static const simt_eight bits = {1, 2, 4, 8, 16, 32, 64, 128};
static const simt_eight places[] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 0, 0, 1, 1, 1, 1}};

/* Those words of a block of which a bit is set in `lanes`: lane after lane, of which the first has
 * the slot `mine`. False where some have to be looked at closer; none will change if stepped once
 * more. */
SIMT_PART_OF_EACH bool step_block(const struct simt_batch *batch, struct simt_known *known,
                                  struct simt_block *block, uint32_t lanes, uint32_t mine,
                                  uint32_t shift, bool writes) {
    simt_eight writers, readers;
    memcpy(&writers, block->writers, sizeof writers);
    memcpy(&readers, block->readers, sizeof readers);
    const simt_eight own = mine + (places[shift] << SIMT_SLOT_THREAD);
    for (uint32_t rest = lanes; rest;) {
        uint32_t first = (uint32_t)__builtin_ctz(rest);
        const struct simt_verdict *verdict =
            simt_ask(batch, known, block->writers[first], block->readers[first]);
        simt_eight on = (simt_eight)((bits & rest) != 0), parts;
        simt_eight differs =
            ((writers ^ known->writer) | (readers ^ known->reader)) & SIMT_SLOT_KEY;
        on &= (simt_eight)(differs == 0);
        simt_eight action = verdict->common - (simt_eight){0};
        if (verdict->common == SIMT_IT_DEPENDS) {
            simt_eight w = (writers ^ own) & SIMT_SLOT_THREADS,
                       r = (readers ^ own) & SIMT_SLOT_THREADS;
            /* Comparisons give -1 for yes. */
            w = -(simt_eight)(w != 0) - (simt_eight)(w >= SIMT_LANES << SIMT_SLOT_THREAD);
            r = -(simt_eight)(r != 0) - (simt_eight)(r >= SIMT_LANES << SIMT_SLOT_THREAD);
            action = verdict->actions >> 2 * (SIMT_RELATIONS * w + r) & 3;
        }
        parts = on & (simt_eight)(action == SIMT_LOOK_CLOSER);
        if (simt_any_bits(&parts))
            return false;
        simt_eight writer, reader;
        if (writes) {
            writer = own | (writers & SIMT_SLOT_WRITTEN) | (batch->written & SIMT_SLOT_WRITTEN);
            reader = (readers & ~SIMT_SLOT_RIVAL) | batch->written >> 2;
        } else {
            simt_eight moves = (simt_eight)(action == SIMT_MOVE_READER);
            simt_eight moved =
                (readers & ~SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL | (writers & SIMT_SLOT_WRITTEN);
            writer = (moved & moves) | (writers & ~moves);
            reader = (readers & verdict->keeps) | own;
        }
        writers = (writer & on) | (writers & ~on);
        readers = (reader & on) | (readers & ~on);
        parts = on & bits;
        const uint32_t done = simt_any_bits(&parts);
        if (!(done >> first & 1)) /* another thread has just changed that word */
            return false;
        rest &= ~done;
    }
    memcpy(block->writers, &writers, sizeof writers);
    memcpy(block->readers, &readers, sizeof readers);
    return true;
}

/* The words of a row side by side, of 1 << shift words a lane. */
struct dense {
    struct simt_block *blocks; /* from that of the first word on */
    uint64_t lanes;            /* bit i is of the i-th word of the first block; shift 0 alone */
    uint32_t lead, end;        /* the row's first word there, and the one behind its last one */
    uint32_t thread;           /* of the row's first word */
};

/* Those words of the block at `at` that are on. */
SIMT_PART_OF_EACH uint32_t words_of(const struct dense *dense, uint32_t at, uint32_t shift) {
    if (!shift)
        return dense->lanes >> at & 0xff;
    return (at < dense->lead ? 0xffu << dense->lead & 0xff : 0xffu) &
           (dense->end - at < SIMT_BLOCK ? 0xffu >> (SIMT_BLOCK - (dense->end - at)) : 0xffu);
}

/* The slot of a thread of the first word of the block at `at`, if that is one's. */
SIMT_PART_OF_EACH uint32_t slot_at(const struct simt_batch *batch, const struct dense *dense,
                                   uint32_t at, uint32_t shift) {
    const int32_t words = (int32_t)at - (int32_t)dense->lead;
    return batch->slot + ((dense->thread + (uint32_t)(words >> shift)) << SIMT_SLOT_THREAD);
}

/* False where some words are left to be looked at closer; the others will not change if looked at
 * once more. `is_whole`: they are all words of four blocks. */
SIMT_PART_OF_EACH bool quick_dense(const struct simt_batch *batch, const struct dense *dense,
                                   uint32_t shift, bool writes, bool is_whole) {
    const uint32_t end = is_whole ? SIMT_LANES : dense->end;
    simt_eight left = {0};
    for (uint32_t at = 0; at < end; at += SIMT_BLOCK) {
        const uint32_t which = is_whole ? 0xff : words_of(dense, at, shift);
        if (!which) /* a block beside the allocation may have no shadow */
            continue;
        const simt_eight on = (simt_eight)((bits & which) != 0);
        const simt_eight own =
            slot_at(batch, dense, at, shift) + (places[shift] << SIMT_SLOT_THREAD);
        simt_quick_block(batch->ages, &dense->blocks[at / SIMT_BLOCK], &on, &own, writes,
                         (batch->stamp & SIMT_STAMP_STRONG) != 0, batch->written, &left);
    }
    return !simt_any_bits(&left);
}

/* False where some have to be looked at closer. */
SIMT_PART_OF_EACH bool step_dense(const struct simt_batch *batch, struct simt_known *known,
                                  const struct simt_row *row, uint32_t shift, bool writes) {
    const uint64_t first = row->offset >> 2;
    const uint32_t lead = first % SIMT_BLOCK;
    const struct dense dense = {
        .blocks = &batch->walk->region->words[first / SIMT_BLOCK],
        .lanes = (uint64_t)(row->mask >> row->first) << lead,
        .lead = lead,
        .end = lead + (row->n << shift),
        .thread = batch->walk->sm->warp->index * SIMT_LANES + row->first,
    };
    const bool is_whole = !shift && row->mask == SIMT_FULL_MASK && !lead;
    if (batch->ages && (is_whole ? quick_dense(batch, &dense, shift, writes, true)
                                 : quick_dense(batch, &dense, shift, writes, false)))
        return true;
    for (uint32_t at = 0; at < dense.end; at += SIMT_BLOCK) {
        const uint32_t which = words_of(&dense, at, shift);
        if (which && !step_block(batch, known, &dense.blocks[at / SIMT_BLOCK], which,
                                 slot_at(batch, &dense, at, shift), shift, writes))
            return false;
    }
    return true;
}

/* All bytes of the elements were written, by kernels or the host. */
SIMT_PART_OF_EACH bool is_written(const struct simt_allocation *allocation,
                                  const struct simt_row *row) {
    uint32_t flags = UINT32_MAX;
    for (uint32_t rest = row->mask; rest; rest = row->step ? rest & (rest - 1) : 0) {
        uint64_t lane = (uint32_t)__builtin_ctz(rest) - row->first;
        uint64_t i = (row->offset + lane * row->step) >> 2;
        for (uint64_t end = i + row->bytes / 4; i < end; i++)
            flags &= simt_written(allocation->words, i) | simt_host_word(allocation, i);
    }
    return (~flags & 15) == 0;
}

/* Checks one row in the quickest way that there is for its shape. Returns the lanes that need a
 * closer look as a mask; 0: all are done. */
SIMT_PART_OF_EACH uint32_t step_row(const struct simt_batch *batch, struct simt_known *known,
                                    const struct simt_row *row, bool writes) {
    const uint32_t step = row->step;
    if (step == 4)
        return step_dense(batch, known, row, 0, writes) ? 0 : row->mask;
    if (step == row->bytes && row->mask == SIMT_FULL_MASK) {
        bool done = step == 8 ? step_dense(batch, known, row, 1, writes)
                              : step_dense(batch, known, row, 2, writes);
        return done ? 0 : row->mask;
    }
    if (!step)
        return writes ? row->mask : step_same(batch, known, row);
    return row->bytes == 4 && row->mask == SIMT_FULL_MASK ? step_column(batch, known, row, writes)
                                                          : step_some(batch, known, row, row->mask);
}

FOR_EACH_CPU
uint32_t simt_check_global_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                enum simt_touch touch, const struct simt_allocation *allocation,
                                const struct simt_row *rows, uint32_t n) {
    const struct simt_region region = {.words = allocation->words, .allocation = allocation};
    const bool is_strong = simt_is_strong(insn, touch, false);
    uint32_t left = 0;
    if (simt_spares_global(sm, allocation, touch)) {
        for (uint32_t i = 0; i < n && !allocation->is_defined; i++)
            left |= is_written(allocation, &rows[i]) ? 0 : rows[i].mask;
        return left;
    }
    const struct simt_walk walk = {.sm = sm, .region = &region, .order = &sm->order};
    uint64_t stamp =
        simt_stamp(sm, insn) | (is_strong ? SIMT_STAMP_STRONG : 0) | simt_touched(0, 4);
    const struct simt_batch batch = simt_batch_start(&walk, stamp, touch != SIMT_READS);
    struct simt_known known = SIMT_NOT_KNOWN;
    sm->touched = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct simt_row *row = &rows[i];
        if (left ||
            (touch != SIMT_WRITES && !allocation->is_defined && !is_written(allocation, row)))
            left |= row->mask;
        else
            left = batch.writes ? step_row(&batch, &known, row, true)
                                : step_row(&batch, &known, row, false);
    }
    return left;
}

/* Requests of all lanes whose elements lie equally far apart. False where there is no quick way. */
SIMT_PART_OF_EACH bool check_even(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    const struct simt_region *region = walk->region;
    const struct simt_row row = {
        .mask = request->mask,
        .n = SIMT_LANES,
        .bytes = request->bytes,
        .step = (uint32_t)request->step,
        .offset = request->offset[0],
    };
    if (!request->is_even || request->bytes < 4 || request->step < request->bytes ||
        request->step > INT32_MAX / SIMT_LANES || request->step % 4)
        return false;
    if (request->touch != SIMT_WRITES && !region->allocation->is_defined &&
        !is_written(region->allocation, &row))
        return false;
    const struct simt_batch batch =
        simt_batch_start(walk, walk->stamp | simt_touched(0, 4), request->touch != SIMT_READS);
    struct simt_known known = SIMT_NOT_KNOWN;
    return !(batch.writes ? step_row(&batch, &known, &row, true)
                          : step_row(&batch, &known, &row, false));
}

FOR_EACH_CPU
void simt_check_global(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    const struct simt_allocation *allocation = walk->region->allocation;
    const bool is_spared = request->insn->space == PTX_CONST ||
                           simt_spares_global(walk->sm, allocation, request->touch);
    if (request->touch == SIMT_UPDATES)
        simt_keep_updated(walk->sm, request, allocation);
    if (!is_spared && check_even(walk))
        return;
    if (request->touch != SIMT_WRITES && !allocation->is_defined)
        check_written(walk);
    if (is_spared)
        return;
    if (request->touch == SIMT_READS)
        step_lanes(walk, request->mask, false);
    else
        step_lanes(walk, request->mask, true);
}

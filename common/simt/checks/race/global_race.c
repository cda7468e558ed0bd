/*
 * The checks of global memory: races and reads of what nobody wrote. Requests whose lanes lie one
 * behind the other, the most common ones, are looked at as a whole: where the words agree on when
 * they were touched, one comparison does for all.
 */
#include "common/simt/checks/race/verdict.h"

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

/* Elements of which nobody wrote a byte: padding is read with its neighbours. */
static void check_written(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    uint32_t element_bytes = ptx_type_bytes(request->insn->type);
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (unsigned e = 0; e < request->insn->n_elements; e++) {
            uint64_t offset = request->offset[lane] + e * element_bytes;
            bool is_used = request->insn->rows[e] != SIMT_NO_ROW || request->touch != SIMT_READS;
            if (is_used && !simt_any_written(walk->region->words, offset, element_bytes) &&
                !simt_any_by_host(walk->region->allocation, offset, element_bytes))
                simt_report_uninitialised(walk->sm, request, walk->region, lane, offset);
        }
    }
}

/* The words of a row, lane after lane. Gives the lanes that are left to be looked at closer. */
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

/* One word a lane, in blocks of their own. Gives what step_some does. */
SIMT_PART_OF_EACH uint32_t step_column(const struct simt_batch *batch, struct simt_known *known,
                                       const struct simt_row *row, bool writes) {
    const uint64_t first = row->offset >> 2, blocks = row->step / (4 * SIMT_BLOCK);
    struct simt_block *block = &batch->walk->region->words[first / SIMT_BLOCK];
    const uint32_t place = first % SIMT_BLOCK, written = batch->written;
    uint32_t own = batch->slot | batch->walk->sm->warp->index * SIMT_LANES << SIMT_SLOT_THREAD;
    const struct simt_verdict verdict =
        *simt_ask(batch, known, block->writers[place], block->readers[place]);
    const uint32_t known_writer = known->writer, known_reader = known->reader;
    if (verdict.common > SIMT_MOVE_READER)
        return step_some(batch, known, row, SIMT_FULL_MASK);
    for (uint32_t i = 0; i < SIMT_LANES; i++, block += blocks, own += 1 << SIMT_SLOT_THREAD) {
        uint32_t *to = &block->writers[place];
        const uint32_t writer = to[0], reader = to[SIMT_BLOCK];
        if (((writer ^ known_writer) | (reader ^ known_reader)) & SIMT_SLOT_KEY)
            return step_some(batch, known, row, SIMT_FULL_MASK << i);
        if (writes)
            to[0] = own | (writer & SIMT_SLOT_WRITTEN) | (written & SIMT_SLOT_WRITTEN);
        else if (verdict.common == SIMT_MOVE_READER)
            to[0] = (reader & ~SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL | (writer & SIMT_SLOT_WRITTEN);
        to[SIMT_BLOCK] =
            writes ? (reader & ~SIMT_SLOT_RIVAL) | written >> 2 : (reader & verdict.keeps) | own;
    }
    return 0;
}

/* A bit each. */
static const simt_eight bits = {1, 2, 4, 8, 16, 32, 64, 128};

/* Those words of a block of which a bit is set in `lanes`: lane after lane, of which the first has
 * the slot `mine`. False where some have to be looked at closer; none will change if stepped once
 * more. */
SIMT_PART_OF_EACH bool step_block(const struct simt_batch *batch, struct simt_known *known,
                                  struct simt_block *block, uint32_t lanes, uint32_t mine,
                                  uint32_t shift, bool writes) {
    static const simt_eight places[] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 0, 0, 1, 1, 1, 1}};
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
        rest &= ~simt_any_bits(&parts);
    }
    memcpy(block->writers, &writers, sizeof writers);
    memcpy(block->readers, &readers, sizeof readers);
    return true;
}

/* All ones for each of eight words whose bit is set. */
SIMT_PART_OF_EACH void get_lanes(uint64_t lanes, simt_eight *on) {
    *on = (simt_eight)((bits & (uint32_t)lanes) != 0);
}

/* The words of a row side by side, one a lane, where one verdict does for all; `is_whole` where
 * they are all words of four blocks. False, and nothing has happened, where none does. */
SIMT_PART_OF_EACH bool step_alike(const struct simt_batch *batch, struct simt_known *known,
                                  struct simt_block *blocks, uint64_t lanes, uint32_t mine,
                                  bool writes, bool is_whole) {
    static const simt_eight places = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint32_t first = is_whole ? 0 : (uint32_t)__builtin_ctzll(lanes);
    const uint32_t last = is_whole ? SIMT_LANES - 1 : 63 - (uint32_t)__builtin_clzll(lanes);
    const struct simt_word word = simt_get_word(blocks, first);
    const struct simt_verdict *verdict = simt_ask(batch, known, word.writer, word.reader);
    simt_eight differs = {0};
    if (verdict->common > SIMT_MOVE_READER)
        return false;
    for (uint32_t i = first / SIMT_BLOCK; i <= last / SIMT_BLOCK; i++) {
        simt_eight on = ~(simt_eight){0};
        if (!is_whole)
            get_lanes(lanes >> i * SIMT_BLOCK, &on);
        simt_eight writers, readers;
        memcpy(&writers, blocks[i].writers, sizeof writers);
        memcpy(&readers, blocks[i].readers, sizeof readers);
        differs |= ((writers ^ known->writer) | (readers ^ known->reader)) & on;
    }
    differs &= SIMT_SLOT_KEY;
    if (simt_any_bits(&differs))
        return false;
    const bool moves = verdict->common == SIMT_MOVE_READER;
    for (uint32_t i = first / SIMT_BLOCK; i <= last / SIMT_BLOCK; i++) {
        simt_eight on = ~(simt_eight){0};
        if (!is_whole)
            get_lanes(lanes >> i * SIMT_BLOCK, &on);
        simt_eight own = mine + ((places + i * SIMT_BLOCK) << SIMT_SLOT_THREAD);
        simt_eight writers, readers, writer, reader;
        memcpy(&writers, blocks[i].writers, sizeof writers);
        memcpy(&readers, blocks[i].readers, sizeof readers);
        if (writes) {
            writer = own | (writers & SIMT_SLOT_WRITTEN) | (batch->written & SIMT_SLOT_WRITTEN);
            reader = (readers & ~SIMT_SLOT_RIVAL) | batch->written >> 2;
        } else {
            writer = moves ? (readers & ~SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL |
                                 (writers & SIMT_SLOT_WRITTEN)
                           : writers;
            reader = (readers & verdict->keeps) | own;
        }
        writers = (writer & on) | (writers & ~on);
        readers = (reader & on) | (readers & ~on);
        memcpy(blocks[i].writers, &writers, sizeof writers);
        memcpy(blocks[i].readers, &readers, sizeof readers);
    }
    return true;
}

/* The words of a row side by side, of 1 << shift words a lane; false as above. */
SIMT_PART_OF_EACH bool step_dense(const struct simt_batch *batch, struct simt_known *known,
                                  const struct simt_row *row, uint32_t shift, bool writes) {
    const uint64_t first = row->offset >> 2, lead = first % SIMT_BLOCK;
    const uint32_t thread = batch->walk->sm->warp->index * SIMT_LANES + row->first;
    struct simt_block *block = &batch->walk->region->words[first / SIMT_BLOCK];
    /* Bit i is of the i-th word of the first block. */
    uint64_t lanes = (uint64_t)(row->mask >> row->first) << lead,
             end = lead + ((uint64_t)row->n << shift);
    const uint32_t slot = batch->slot + ((thread - (uint32_t)lead) << SIMT_SLOT_THREAD);
    const bool is_whole = row->mask == SIMT_FULL_MASK && !lead;
    if (!shift && (is_whole ? step_alike(batch, known, block, lanes, slot, writes, true)
                            : step_alike(batch, known, block, lanes, slot, writes, false)))
        return true;
    for (uint64_t at = 0; at < end; at += SIMT_BLOCK, block++) {
        uint32_t mine =
            batch->slot + ((thread + (uint32_t)((at - lead) >> shift)) << SIMT_SLOT_THREAD);
        uint32_t which = lanes >> at & 0xff;
        if (shift) /* all lanes are on */
            which = (at < lead ? 0xffu << lead : 0xffu) &
                    (end - at < SIMT_BLOCK ? 0xffu >> (SIMT_BLOCK - (end - at)) : 0xffu);
        if (which && !step_block(batch, known, block, which & 0xff, mine, shift, writes))
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

/* The lanes of a row that are left to be looked at closer; all of them where it has another shape
 * than those for which there is a quick way. */
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
    return row->bytes == 4 && step % (4 * SIMT_BLOCK) == 0 && row->mask == SIMT_FULL_MASK
               ? step_column(batch, known, row, writes)
               : step_some(batch, known, row, row->mask);
}

/* The next warp's row is often the one behind this. */
SIMT_PART_OF_EACH void fetch_next(const struct simt_block *words, const struct simt_row *row) {
    const struct simt_block *next =
        words + ((row->offset + (uint64_t)row->n * row->step) >> 2) / SIMT_BLOCK;
    for (uint32_t i = 0; i < SIMT_LANES / SIMT_BLOCK; i++)
        __builtin_prefetch(next + i, 1);
}

SIMT_FOR_EACH_CPU
uint32_t simt_check_global_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                enum simt_touch touch, const struct simt_allocation *allocation,
                                const struct simt_row *rows, uint32_t n) {
    const struct simt_region region = {.words = allocation->words, .allocation = allocation};
    const bool is_strong = touch == SIMT_UPDATES || insn->is_strong;
    const struct simt_walk walk = {.sm = sm, .region = &region, .order = &sm->order};
    uint64_t stamp =
        simt_stamp(sm, insn) | (is_strong ? SIMT_STAMP_STRONG : 0) | simt_touched(0, 4);
    const struct simt_batch batch = simt_batch_start(&walk, stamp, touch != SIMT_READS);
    struct simt_known known = SIMT_NOT_KNOWN;
    uint32_t left = 0;
    sm->touched = true;
    if (rows->step == rows->bytes)
        fetch_next(region.words, rows);
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

/* Requests whose lanes lie side by side. False where there is no quick way. */
SIMT_PART_OF_EACH bool check_dense(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    const struct simt_region *region = walk->region;
    const struct simt_row row = {
        .mask = request->mask,
        .n = SIMT_LANES,
        .bytes = request->bytes,
        .step = request->bytes,
        .offset = request->offset[0],
    };
    if (!request->is_dense || request->bytes < 4)
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

SIMT_FOR_EACH_CPU
void simt_check_global(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    bool is_constant = request->insn->space == PTX_CONST;
    if (!is_constant && check_dense(walk))
        return;
    if (request->touch != SIMT_WRITES && !walk->region->allocation->is_defined)
        check_written(walk);
    if (is_constant)
        return;
    if (request->touch == SIMT_READS)
        step_lanes(walk, request->mask, false);
    else
        step_lanes(walk, request->mask, true);
}

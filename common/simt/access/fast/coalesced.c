/*
 * The commonest accesses, without a step a lane: coalesced ones, whose lane i has the element i
 * places behind that of lane 0, whether all lanes are on or not, and loads of one element by all.
 * One element of 4 or 8 bytes a lane, in one region; whatever else there is takes the long way of
 * access.c, which gives the same results and counters.
 */
#include "common/simt/access/fast/coalesced.h"

#include <string.h>

#include "common/simt/access/fast/shape.h"
#include "common/simt/access/region/count.h"
#include "common/simt/access/region/guard.h"

/* An access on its way. */
struct stripe {
    const struct simt_insn *insn;
    uint32_t mask, first, last; /* lanes that are on, the first and the last of them */
    uint32_t bytes;             /* of an element */
    uint32_t step;              /* from lane to lane: `bytes`, or 0 */
    uint64_t address, offset;   /* of the first lane; in the region */
    uint8_t *host;              /* of the region; NULL: there is none */
    uint64_t region_bytes;
    const struct simt_allocation *allocation; /* NULL: shared memory */
};

/* True when lane i's address is that of the first lane and (i - first) steps. */
SIMT_PART_OF_EACH bool is_even32(const struct simt_exec *x, const struct stripe *stripe) {
    const uint32_t *row = (const uint32_t *)(x->rows + stripe->insn->a);
    uint32_t keep = stripe->step ? UINT32_MAX : 0, differs = 0;
    uint32_t start = row[stripe->first] - stripe->first * stripe->step;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        differs |= (row[i] ^ (start + (i * stripe->bytes & keep))) & x->lanes[i];
    return differs == 0;
}

SIMT_PART_OF_EACH bool is_even64(const struct simt_exec *x, const struct stripe *stripe) {
    const uint64_t *row = (const uint64_t *)(x->rows + stripe->insn->a);
    uint64_t keep = stripe->step ? UINT64_MAX : 0, differs = 0;
    uint64_t start = row[stripe->first] - stripe->first * stripe->step;
    for (uint64_t i = 0; i < SIMT_LANES; i++)
        differs |= (row[i] ^ (start + (i * stripe->bytes & keep))) &
                   (uint64_t)(int64_t)(int32_t)x->lanes[i];
    return differs == 0;
}

/* Finds address and step from the row of addresses; false when it is no stripe. */
SIMT_PART_OF_EACH bool find_stripe(const struct simt_exec *x, struct stripe *stripe) {
    const struct simt_insn *insn = stripe->insn;
    uint32_t others = stripe->mask & (stripe->mask - 1);
    uint32_t second = others ? (uint32_t)__builtin_ctz(others) : stripe->first;
    stripe->step = stripe->bytes;
    if (insn->a == SIMT_NO_ROW) {
        stripe->step = 0;
        stripe->address = (uint64_t)insn->imm;
        return true;
    }
    const bool is_vector = insn->n_elements > 1;
    if (insn->address_bytes == 4) {
        const uint32_t *row = (const uint32_t *)(x->rows + insn->a);
        stripe->address = (uint32_t)(row[stripe->first] + (uint32_t)insn->imm);
        if (others && row[stripe->first] == row[second])
            stripe->step = 0;
        return !others || ((!is_vector || !stripe->step) && is_even32(x, stripe));
    }
    const uint64_t *row = (const uint64_t *)(x->rows + insn->a);
    stripe->address = row[stripe->first] + (uint64_t)insn->imm;
    if (others && row[stripe->first] == row[second])
        stripe->step = 0;
    return !others || ((!is_vector || !stripe->step) && is_even64(x, stripe));
}

/* Sectors of 32 bytes that the lanes touch: their bits, shifted to where the first sector begins,
 * in groups of as many as a sector has elements. */
SIMT_PART_OF_EACH uint32_t find_sectors(const struct stripe *stripe) {
    if (stripe->step == 0)
        return 1;
    unsigned per_sector = 32 / stripe->bytes;
    uint64_t into = stripe->address / stripe->bytes % per_sector;
    uint64_t bits = (uint64_t)(stripe->mask >> stripe->first) << into, ends;
    for (unsigned shift = 1; shift < per_sector; shift *= 2)
        bits |= bits >> shift;
    ends = per_sector == 8 ? UINT64_C(0x0101010101010101) : UINT64_C(0x1111111111111111);
    bits &= ends;
    return simt_popcount((uint32_t)bits) + simt_popcount((uint32_t)(bits >> 32));
}

/* Neighbours are in banks of their own: one pass, of a half warp each where lanes have 8 bytes, of
 * a quarter where they have 16. */
SIMT_PART_OF_EACH uint32_t find_wavefronts(const struct stripe *stripe) {
    const uint32_t lane_bytes = stripe->bytes * stripe->insn->n_elements;
    const uint32_t lanes = lane_bytes == 4 ? 32 : lane_bytes == 8 ? 16 : 8;
    uint32_t passes = 0;
    for (uint32_t rest = stripe->mask; rest; rest = lanes == 32 ? 0 : rest >> lanes)
        passes += (rest & ((UINT64_C(1) << lanes) - 1)) != 0;
    return passes;
}

SIMT_PART_OF_EACH void count(struct simt_sm *sm, const struct stripe *stripe,
                             enum simt_touch touch) {
    struct simt_counters *counters = &sm->counters[stripe->insn->index];
    if (!stripe->allocation) {
        const uint32_t passes = find_wavefronts(stripe);
        simt_count_shared(counters, touch, passes, passes);
    } else if (stripe->insn->space != PTX_CONST) {
        simt_count_global(counters, touch, find_sectors(stripe), true);
    }
}

/* All 32 lanes' places, of lanes that are off as well, lie in the region or in what shared memory
 * has behind it. */
SIMT_PART_OF_EACH bool has_room(const struct stripe *stripe) {
    uint64_t lead = stripe->first * (uint64_t)stripe->bytes;
    uint64_t spare = stripe->allocation ? 0 : SIMT_SHARED_SPARE_BYTES;
    return stripe->offset >= lead && stripe->offset - lead + SIMT_LANES * (uint64_t)stripe->bytes <=
                                         stripe->region_bytes + spare;
}

/* Of the lanes of an access, those that have to be looked at one by one. */
SIMT_PART_OF_EACH uint32_t lanes_left(struct simt_sm *sm, const struct stripe *stripe,
                                      enum simt_touch touch) {
    const struct simt_insn *insn = stripe->insn;
    if (sm->guard && stripe->allocation && insn->space != PTX_CONST)
        return stripe->mask; /* other host threads may have to know of it */
    if (!sm->hooks || simt_reads_freely(sm, touch, stripe->allocation))
        return 0;
    const struct simt_row row = {
        .mask = stripe->mask,
        .n = SIMT_LANES,
        .bytes = stripe->bytes * insn->n_elements,
        .step = stripe->step,
        .offset = stripe->offset - stripe->first * (uint64_t)stripe->step,
    };
    return simt_check_rows(sm, insn, touch, stripe->allocation, &row, 1,
                           has_room(stripe) || !stripe->step);
}

/* The access, of these lanes alone, in the words of those who look at it before its bytes move;
 * `address` is of the first lane that is on. False when it must not go on. */
FOR_EACH_CPU static __attribute__((noinline)) bool show(struct simt_sm *sm,
                                                        const struct simt_insn *insn,
                                                        enum simt_touch touch, uint64_t address,
                                                        uint32_t step, uint32_t lanes) {
    struct simt_request request;
    struct simt_region region;
    uint64_t bytes, base = simt_find_region(sm, insn, address, &region, &bytes);
    const uint32_t first = (uint32_t)__builtin_ctz(sm->x.mask),
                   last = 31 - (uint32_t)__builtin_clz(sm->x.mask);
    request.insn = insn;
    request.touch = touch;
    request.bytes = sm->steps[insn->index].bytes;
    request.mask = lanes;
    request.low = address - base;
    request.high = request.low + (last - first) * (uint64_t)step;
    request.step = step;
    request.is_even = lanes == SIMT_FULL_MASK;
    request.is_dense = request.is_even && step;
    uint64_t at = address - first * (uint64_t)step;
    for (unsigned i = 0; i < SIMT_LANES; i++, at += step) {
        request.address[i] = at;
        request.offset[i] = at - base;
    }
    if (sm->guard && region.space == PTX_GLOBAL && insn->space != PTX_CONST &&
        !simt_guard_note(sm->guard, &request, &region))
        return false;
    if (sm->hooks)
        sm->hooks->access(sm, &request, &region);
    return true;
}

/* Moves elements of one type; lanes that are off keep theirs. */
#define MOVES(cell)                                                                                \
    SIMT_PART_OF_EACH void blend_##cell(cell##_t *to, const cell##_t *from,                        \
                                        const uint32_t *lanes) {                                   \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const cell##_t on = (cell##_t)(int64_t)(int32_t)lanes[i];                              \
            to[i] = (from[i] & on) | (to[i] & ~on);                                                \
        }                                                                                          \
    }                                                                                              \
    SIMT_PART_OF_EACH void spread_##cell(cell##_t *to, cell##_t from, const uint32_t *lanes) {     \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const cell##_t on = (cell##_t)(int64_t)(int32_t)lanes[i];                              \
            to[i] = (from & on) | (to[i] & ~on);                                                   \
        }                                                                                          \
    }                                                                                              \
    SIMT_PART_OF_EACH void pick_##cell(cell##_t *to, const cell##_t *from, uint32_t mask) {        \
        for (uint32_t rest = mask; rest; rest &= rest - 1)                                         \
            to[__builtin_ctz(rest)] = from[__builtin_ctz(rest)];                                   \
    }                                                                                              \
    SIMT_PART_OF_EACH void load_##cell(const struct simt_exec *x, const struct stripe *stripe,     \
                                       uint8_t *row) {                                             \
        const uint8_t *from = stripe->host + stripe->offset;                                       \
        cell##_t *to = (cell##_t *)row;                                                            \
        const cell##_t *lane0 = (const cell##_t *)from - stripe->first;                            \
        if (stripe->mask == SIMT_FULL_MASK && stripe->step)                                        \
            memcpy(to, from, SIMT_LANES * sizeof *to);                                             \
        else if (stripe->step == 0)                                                                \
            spread_##cell(to, *(const cell##_t *)from, x->lanes);                                  \
        else if (has_room(stripe))                                                                 \
            blend_##cell(to, lane0, x->lanes);                                                     \
        else                                                                                       \
            pick_##cell(to, lane0, stripe->mask);                                                  \
    }                                                                                              \
    SIMT_PART_OF_EACH void store_##cell(const struct simt_exec *x, const struct stripe *stripe,    \
                                        const uint8_t *row) {                                      \
        uint8_t *to = stripe->host + stripe->offset;                                               \
        const cell##_t *from = (const cell##_t *)row;                                              \
        cell##_t *lane0 = (cell##_t *)to - stripe->first;                                          \
        if (stripe->mask == SIMT_FULL_MASK)                                                        \
            memcpy(to, from, SIMT_LANES * sizeof *from);                                           \
        else if (!stripe->allocation && has_room(stripe))                                          \
            blend_##cell(lane0, from, x->lanes);                                                   \
        else /* global memory between the lanes may be another host thread's */                    \
            pick_##cell(lane0, from, stripe->mask);                                                \
    }
MOVES(uint32)
MOVES(uint64)

/* One vector for all lanes. */
SIMT_PART_OF_EACH void spread_vector(const struct simt_exec *x, const struct stripe *stripe) {
    const struct simt_insn *insn = stripe->insn;
    const uint8_t *from = stripe->host + stripe->offset;
    for (unsigned e = 0; e < insn->n_elements; e++, from += stripe->bytes) {
        if (insn->rows[e] == SIMT_NO_ROW)
            continue;
        uint8_t *row = x->rows + insn->rows[e];
        if (stripe->bytes == 4)
            spread_uint32((uint32_t *)row, *(const uint32_t *)from, x->lanes);
        else
            spread_uint64((uint64_t *)row, *(const uint64_t *)from, x->lanes);
    }
}

/* Finds the region of the first lane. False where that is neither shared nor global memory. */
SIMT_PART_OF_EACH bool place_stripe(struct simt_sm *sm, struct stripe *stripe) {
    if (stripe->insn->space == PTX_SHARED) {
        stripe->host = sm->shared;
        stripe->region_bytes = sm->shared_bytes;
        stripe->offset = stripe->address;
        return stripe->host;
    }
    struct simt_region region;
    uint64_t bytes, base = simt_find_region(sm, stripe->insn, stripe->address, &region, &bytes);
    stripe->host = region.host;
    stripe->allocation = region.allocation;
    stripe->region_bytes = bytes;
    stripe->offset = stripe->address - base;
    return region.host && (region.space == PTX_SHARED || region.space == PTX_GLOBAL);
}

/* An instruction's next access is often as far behind this one as this one is behind its last: has
 * the host fetch that row, and its shadow. */
SIMT_PART_OF_EACH void fetch_ahead(struct simt_sm *sm, const struct stripe *stripe) {
    enum { LINE = 64, ROW_BYTES = SIMT_LANES * sizeof(uint32_t) };
    uint64_t *last = &sm->steps[stripe->insn->index].last;
    const uint64_t next = stripe->offset + (stripe->address - *last);
    *last = stripe->address;
    if ((next ^ stripe->offset) < LINE)
        return;
    const uintptr_t host = (uintptr_t)stripe->host + next,
                    words = (uintptr_t)stripe->allocation->words + next / LINE * 2 * LINE;
    for (uint32_t at = 0; at < ROW_BYTES; at += LINE)
        __builtin_prefetch((const void *)(host + at));
    const bool has_shadow = sm->hooks && stripe->allocation->use != SIMT_USE_READ;
    for (uint32_t at = 0; has_shadow && at < 2 * ROW_BYTES; at += LINE)
        __builtin_prefetch((const void *)(words + at), 1);
}

static bool is_of_launch(const struct simt_sm *sm, const struct simt_allocation *allocation,
                         uint64_t offset) {
    const struct simt_word word = simt_get_word(allocation->words, offset / 4);

    return !(word.writer & SIMT_SLOT_RIVAL) &&
           simt_slot_stamp(sm->contexts, word.writer) >= sm->order.launch;
}

/* Where a load takes the read-only path: whether this launch has written one of the words at its
 * ends. Apart from the rest, which is quicker without it, and without the stripe's address. */
static __attribute__((noinline)) bool was_written_now(const struct simt_sm *sm,
                                                      const struct simt_allocation *allocation,
                                                      uint64_t first, uint64_t last) {
    return allocation && allocation->words &&
           (is_of_launch(sm, allocation, first) || is_of_launch(sm, allocation, last));
}

/* One element a lane, or one vector for all lanes. */
SIMT_PART_OF_EACH bool access_stripe(struct simt_sm *sm, const struct simt_insn *insn,
                                     enum simt_touch touch, uint32_t bytes) {
    struct simt_exec *x = &sm->x;
    struct stripe stripe = {.insn = insn, .mask = x->mask, .bytes = bytes};
    const bool is_vector = insn->n_elements != 1;
    const struct simt_shape *shape = simt_shape_of(sm, insn);
    const bool is_looked_at = touch == SIMT_READS && insn->is_read_only && sm->hooks;
    if (!is_looked_at && shape->insn == insn && shape->mask == x->mask)
        return simt_access_shape(sm, insn, touch, bytes);
    const uint32_t lane_bytes = is_vector ? bytes * insn->n_elements : bytes;
    stripe.first = (uint32_t)__builtin_ctz(x->mask);
    stripe.last = 31 - (uint32_t)__builtin_clz(x->mask);
    if ((is_vector && (touch == SIMT_WRITES || lane_bytes > 16)) || insn->rows[0] == SIMT_NO_ROW)
        return false;
    if (!find_stripe(x, &stripe))
        return !is_vector && !is_looked_at && simt_access_shape(sm, insn, touch, bytes);
    if ((stripe.address & (lane_bytes - 1)) || (stripe.step ? is_vector : touch == SIMT_WRITES))
        return false;
    const uint64_t span = (stripe.last - stripe.first) * (uint64_t)stripe.step + lane_bytes;
    if (!place_stripe(sm, &stripe) || stripe.offset > stripe.region_bytes ||
        span > stripe.region_bytes - stripe.offset)
        return false;
    if (is_looked_at && was_written_now(sm, stripe.allocation, stripe.offset,
                                        stripe.offset + (stripe.last - stripe.first) * stripe.step))
        return false;
    count(sm, &stripe, touch);
    if (stripe.allocation && stripe.step && !insn->is_strong) /* strong ones poll one place */
        fetch_ahead(sm, &stripe);
    uint32_t left = lanes_left(sm, &stripe, touch);
    if ((left && !show(sm, insn, touch, stripe.address, stripe.step, left)) ||
        sm->x.fault != SIMT_OK)
        return true;
    uint8_t *row = x->rows + insn->rows[0];
    if (is_vector)
        spread_vector(x, &stripe);
    else if (touch == SIMT_READS && bytes == 4)
        load_uint32(x, &stripe, row);
    else if (touch == SIMT_READS)
        load_uint64(x, &stripe, row);
    else if (bytes == 4)
        store_uint32(x, &stripe, row);
    else
        store_uint64(x, &stripe, row);
    simt_note_look(sm, insn, touch, stripe.address);
    return true;
}

#define ACCESS(name, touch, bytes)                                                                 \
    FOR_EACH_CPU bool name(struct simt_sm *sm, const struct simt_insn *insn) {                     \
        return access_stripe(sm, insn, touch, bytes);                                              \
    }
ACCESS(simt_load_stripe32, SIMT_READS, 4)
ACCESS(simt_load_stripe64, SIMT_READS, 8)
ACCESS(simt_store_stripe32, SIMT_WRITES, 4)
ACCESS(simt_store_stripe64, SIMT_WRITES, 8)

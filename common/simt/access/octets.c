/*
 * Accesses of tiles: the lanes of each octet, eight neighbouring ones, have elements side by side
 * or all the same one, as those of a block have whose rows are shorter than a warp. One element of
 * 4 or 8 bytes a lane, in one region; whatever else there is takes the long way of access.c, which
 * gives the same results and counters.
 */
#include "common/simt/access/region.h"

#include <string.h>

enum { OCTET = 8, OCTETS = SIMT_LANES / OCTET, SECTOR_SHIFT = 5, BANKS_BYTES = 128 };

/* An access on its way: rows of eight or sixteen lanes. */
struct tile {
    const struct simt_insn *insn;
    enum simt_touch touch;
    uint32_t n;
    struct simt_row rows[OCTETS];
    uint8_t *host;                            /* where the region's bytes are */
    const struct simt_allocation *allocation; /* NULL: shared memory */
    uint64_t base, region_bytes;              /* of the region */
    uint64_t low, high;                       /* the least offset in it, and the largest one */
};

/* All ones for the lanes that are on. */
SIMT_PART_OF_EACH void get_lanes_uint32(const uint32_t *lanes, simt_eight *on) {
    memcpy(on, lanes, sizeof *on);
}
SIMT_PART_OF_EACH void get_lanes_uint64(const uint32_t *lanes, simt_four *on) {
    typedef int32_t narrow __attribute__((vector_size(16)));
    typedef int64_t wide __attribute__((vector_size(32)));
    narrow values;
    memcpy(&values, lanes, sizeof values);
    *on = (simt_four) __builtin_convertvector(values, wide);
}

static const simt_eight places_uint32[] = {{0, 1, 2, 3, 4, 5, 6, 7}};
static const simt_four places_uint64[] = {{0, 1, 2, 3}, {4, 5, 6, 7}};

/* Takes from the first two lanes of an octet that are on how its addresses, of 4 or 8 bytes, follow
 * each other: false where neither way. `differs` gets bits where another lane's is another one. */
#define FIND(cell, vector)                                                                         \
    SIMT_PART_OF_EACH bool find_##cell(const uint8_t *addresses, const uint32_t *lanes,            \
                                       struct simt_row *row, vector *differs) {                    \
        const unsigned n = sizeof *differs / sizeof(cell##_t);                                     \
        const cell##_t *from = (const cell##_t *)addresses;                                        \
        const uint32_t mask = row->mask >> row->first, others = mask & (mask - 1);                 \
        const uint32_t first = (uint32_t)__builtin_ctz(mask);                                      \
        const cell##_t start = from[first];                                                        \
        const uint32_t second = others ? (uint32_t)__builtin_ctz(others) : first;                  \
        const bool is_same = others && from[second] == start;                                      \
        const cell##_t step = is_same ? 0 : row->bytes, lane0 = start - first * step;              \
        if (from[second] != lane0 + second * step)                                                 \
            return false;                                                                          \
        row->step = (uint32_t)step;                                                                \
        row->offset = lane0;                                                                       \
        for (unsigned part = 0; part < OCTET / n; part++) {                                        \
            vector found, on;                                                                      \
            memcpy(&found, from + part * n, sizeof found);                                         \
            get_lanes_##cell(lanes + part * n, &on);                                               \
            *differs |= (found ^ (lane0 + places_##cell[part] * step)) & on;                       \
        }                                                                                          \
        return true;                                                                               \
    }
FIND(uint32, simt_eight)
FIND(uint64, simt_four)

/* The address that the program names in place of the one in its register. */
SIMT_PART_OF_EACH uint64_t with_offset(const struct simt_insn *insn, uint64_t address) {
    return insn->address_bytes == 4 ? (uint32_t)(address + (uint64_t)insn->imm)
                                    : address + (uint64_t)insn->imm;
}

/* The second row goes on from the first one, which takes it in. */
SIMT_PART_OF_EACH bool joins(struct simt_row *row, const struct simt_row *next) {
    if (row->n != OCTET || row->first % (2 * OCTET) || next->first != row->first + OCTET ||
        row->step != next->step || row->offset + (uint64_t)OCTET * row->step != next->offset)
        return false;
    row->n = 2 * OCTET;
    row->mask |= next->mask;
    return true;
}

/* The rows of all lanes that are on, with addresses for offsets. False where the lanes of an octet
 * lie otherwise. */
SIMT_PART_OF_EACH bool find_rows(const struct simt_exec *x, struct tile *tile, uint32_t bytes) {
    const struct simt_insn *insn = tile->insn;
    const uint8_t *addresses = x->rows + insn->a;
    const bool is_wide = insn->address_bytes != 4;
    simt_eight differs = {0};
    simt_four differ = {0};
    tile->n = 0;
    for (uint32_t first = 0; first < SIMT_LANES; first += OCTET) {
        struct simt_row *row = &tile->rows[tile->n];
        row->mask = x->mask & UINT32_C(0xff) << first;
        row->first = first;
        row->n = OCTET;
        row->bytes = bytes;
        if (!row->mask)
            continue;
        const uint8_t *from = addresses + (size_t)first * insn->address_bytes;
        if (is_wide ? !find_uint64(from, x->lanes + first, row, &differ)
                    : !find_uint32(from, x->lanes + first, row, &differs))
            return false;
        row->offset = with_offset(insn, row->offset);
        if (tile->touch == SIMT_WRITES && !row->step)
            return false;
        tile->n += !tile->n || !joins(row - 1, row);
    }
    differs |= (simt_eight)differ;
    return !simt_any_bits(&differs);
}

static uint32_t first_on(const struct simt_row *row) {
    return (uint32_t)__builtin_ctz(row->mask) - row->first;
}

static uint32_t last_on(const struct simt_row *row) {
    return 31 - (uint32_t)__builtin_clz(row->mask) - row->first;
}

/* The lanes that are on have none between them that is off. */
static bool has_no_holes(const struct simt_row *row) {
    uint32_t first = row->mask & -row->mask;
    return (row->mask & (row->mask + first)) == 0;
}

/* Turns addresses into offsets. False where a row is not aligned, or not all of it in the region.
 */
SIMT_PART_OF_EACH bool place_rows(struct simt_sm *sm, struct tile *tile, uint32_t bytes) {
    const struct simt_row *row = tile->rows;
    uint64_t first = row->offset + (uint64_t)first_on(row) * row->step;
    tile->base = 0;
    tile->allocation = NULL;
    if (tile->insn->space == PTX_SHARED) {
        tile->host = sm->shared;
        tile->region_bytes = sm->shared_bytes;
    } else {
        struct simt_region region;
        tile->base = simt_find_region(sm, tile->insn, first, &region, &tile->region_bytes);
        tile->host = region.host;
        tile->allocation = region.allocation;
        if (region.space != PTX_SHARED && region.space != PTX_GLOBAL)
            return false;
    }
    const bool is_shared = !tile->allocation;
    tile->low = UINT64_MAX;
    tile->high = 0;
    if (!tile->host || (is_shared && bytes != 4) || tile->region_bytes < bytes)
        return false;
    for (uint32_t i = 0; i < tile->n; i++) {
        struct simt_row *place = &tile->rows[i];
        place->offset -= tile->base;
        uint64_t low = place->offset + (uint64_t)first_on(place) * place->step;
        uint64_t high = place->offset + (uint64_t)last_on(place) * place->step;
        if ((low & (bytes - 1)) || low > high || high > tile->region_bytes - bytes ||
            (!is_shared && !has_no_holes(place)))
            return false;
        tile->low = low < tile->low ? low : tile->low;
        tile->high = high > tile->high ? high : tile->high;
    }
    /* Words less than a row of banks apart are in banks of their own, or the same word. */
    return !is_shared || tile->high - tile->low < BANKS_BYTES;
}

/* The first sector of 32 bytes that a row touches, and the last one. */
struct span {
    uint64_t from, to;
};

static struct span span_of(const struct tile *tile, const struct simt_row *row) {
    uint64_t at = tile->base + row->offset;
    return (struct span){(at + (uint64_t)first_on(row) * row->step) >> SECTOR_SHIFT,
                         (at + (uint64_t)last_on(row) * row->step) >> SECTOR_SHIFT};
}

/* Sectors that a row touches, and none of those before it. */
static uint32_t count_sectors(const struct tile *tile, uint32_t i) {
    const struct simt_row *row = &tile->rows[i];
    const struct span own = span_of(tile, row);
    uint32_t n = (uint32_t)(own.to - own.from) + 1;
    for (uint64_t sector = own.from; i && sector <= own.to; sector++) {
        bool is_new = true;
        for (uint32_t k = 0; k < i; k++) {
            struct span span = span_of(tile, &tile->rows[k]);
            is_new &= sector < span.from || sector > span.to;
        }
        n -= !is_new;
    }
    return n;
}

static void count(struct simt_sm *sm, const struct tile *tile) {
    struct simt_counters *counters = &sm->counters[tile->insn->index];
    const bool reads = tile->touch == SIMT_READS;
    if (!tile->allocation) {
        *(reads ? &counters->shared_loads : &counters->shared_stores) += 1;
        *(reads ? &counters->shared_load_wavefronts : &counters->shared_store_wavefronts) += 1;
        return;
    }
    if (tile->insn->space == PTX_CONST)
        return;
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < tile->n; i++)
        sectors += count_sectors(tile, i);
    *(reads ? &counters->global_loads : &counters->global_stores) += 1;
    *(reads ? &counters->global_load_sectors : &counters->global_store_sectors) += sectors;
}

/* All places of the row, of lanes that are off as well, lie in the region or in what shared memory
 * has behind it. */
SIMT_PART_OF_EACH bool has_room(const struct tile *tile, const struct simt_row *row) {
    uint64_t end = tile->region_bytes + (tile->allocation ? 0 : SIMT_SHARED_SPARE_BYTES);
    return row->offset < end && (uint64_t)row->n * row->step <= end - row->offset;
}

/* The checks look at lanes one by one. */
static __attribute__((noinline)) void check_lanes(struct simt_sm *sm, const struct tile *tile,
                                                  uint32_t mask) {
    struct simt_request request = {
        .insn = tile->insn,
        .touch = tile->touch,
        .bytes = tile->rows[0].bytes,
        .low = tile->low,
        .high = tile->high,
        .mask = mask,
    };
    for (uint32_t i = 0; i < tile->n; i++) {
        const struct simt_row *row = &tile->rows[i];
        for (uint32_t k = 0; k < row->n; k++) {
            request.offset[row->first + k] = row->offset + (uint64_t)k * row->step;
            request.address[row->first + k] = tile->base + request.offset[row->first + k];
        }
    }
    struct simt_region region = simt_shared_region(sm);
    if (tile->allocation) {
        uint64_t bytes;
        simt_find_region(sm, tile->insn, tile->base, &region, &bytes);
    }
    sm->hooks->access(sm, &request, &region);
}

static void check(struct simt_sm *sm, const struct tile *tile) {
    bool all_have_room = true;
    for (uint32_t i = 0; i < tile->n; i++)
        all_have_room &= !tile->rows[i].step || has_room(tile, &tile->rows[i]);
    uint32_t left = simt_check_rows(sm, tile->insn, tile->touch, tile->allocation, tile->rows,
                                    tile->n, all_have_room);
    if (left)
        check_lanes(sm, tile, left);
}

/* Moves elements of one type; lanes that are off keep theirs. */
#define MOVES(cell, vector, per)                                                                   \
    SIMT_PART_OF_EACH void load_##cell(const struct simt_exec *x, const struct tile *tile,         \
                                       const struct simt_row *row) {                               \
        const cell##_t *from = (const cell##_t *)(tile->host + row->offset);                       \
        cell##_t *to = (cell##_t *)(x->rows + tile->insn->rows[0]) + row->first;                   \
        const uint32_t *lanes = x->lanes + row->first;                                             \
        if (row->step && !has_room(tile, row)) {                                                   \
            for (uint32_t rest = row->mask >> row->first; rest; rest &= rest - 1)                  \
                to[__builtin_ctz(rest)] = from[__builtin_ctz(rest)];                               \
            return;                                                                                \
        }                                                                                          \
        vector fresh = *from - (vector){0}, on, old;                                               \
        for (uint32_t at = 0; at < row->n; at += per) {                                            \
            if (row->step)                                                                         \
                memcpy(&fresh, from + at, sizeof fresh);                                           \
            memcpy(&old, to + at, sizeof old);                                                     \
            get_lanes_##cell(lanes + at, &on);                                                     \
            old = (fresh & on) | (old & ~on);                                                      \
            memcpy(to + at, &old, sizeof old);                                                     \
        }                                                                                          \
    }                                                                                              \
    SIMT_PART_OF_EACH void store_##cell(const struct simt_exec *x, const struct tile *tile,        \
                                        const struct simt_row *row) {                              \
        cell##_t *to = (cell##_t *)(tile->host + row->offset);                                     \
        const cell##_t *from = (const cell##_t *)(x->rows + tile->insn->rows[0]) + row->first;     \
        for (uint32_t rest = row->mask >> row->first; rest; rest &= rest - 1)                      \
            to[__builtin_ctz(rest)] = from[__builtin_ctz(rest)];                                   \
    }
MOVES(uint32, simt_eight, 8)
MOVES(uint64, simt_four, 4)

SIMT_FOR_EACH_CPU
bool simt_access_octets(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                        uint32_t bytes) {
    struct tile tile;
    tile.insn = insn;
    tile.touch = touch;
    if (sm->guard || !find_rows(&sm->x, &tile, bytes) || !place_rows(sm, &tile, bytes))
        return false;
    count(sm, &tile);
    if (sm->hooks)
        check(sm, &tile);
    for (uint32_t i = 0; i < tile.n; i++) {
        if (touch == SIMT_READS && bytes == 4)
            load_uint32(&sm->x, &tile, &tile.rows[i]);
        else if (touch == SIMT_READS)
            load_uint64(&sm->x, &tile, &tile.rows[i]);
        else if (bytes == 4)
            store_uint32(&sm->x, &tile, &tile.rows[i]);
        else
            store_uint64(&sm->x, &tile, &tile.rows[i]);
    }
    simt_note_look(sm, insn, touch,
                   tile.base + tile.rows[0].offset +
                       (uint64_t)first_on(&tile.rows[0]) * tile.rows[0].step);
    return true;
}

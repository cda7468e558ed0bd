/*
 * Accesses that have a shape: once it is known, what is left to do is to place them, to count, to
 * have the checks look, and to move the bytes. One element of 4 or 8 bytes a lane, in one region;
 * whatever else there is takes the long way of access.c, which gives the same results and counters.
 */
#include "common/simt/access/fast/shape.h"

#include <string.h>

#include "common/simt/access/region/count.h"

/* An access on its way. */
struct shaped {
    const struct simt_insn *insn;
    struct simt_shape *shape;
    enum simt_touch touch;
    uint32_t bytes;
    uint64_t address, offset; /* of the first lane that is on; in the region */
    uint64_t region_bytes;
    uint8_t *host;                            /* of that lane's element */
    const struct simt_allocation *allocation; /* NULL: shared memory */
};

/* How far a lane is behind the first one. */
static inline int64_t place_of(const struct simt_shape *shape, uint32_t lane) {
    return shape->starts[lane / SIMT_OCTET] + (int64_t)(lane % SIMT_OCTET * shape->step);
}

/* True where the lanes that are on lie behind the first one as the shape says. */
#define IS_ALIKE(cell, vector)                                                                     \
    SIMT_PART_OF_EACH bool is_alike_##cell(const struct simt_exec *x,                              \
                                           const struct simt_shape *shape, const cell##_t *row,    \
                                           bool is_full) {                                         \
        enum { PER = sizeof(vector) / sizeof(cell##_t) };                                          \
        const cell##_t first = row[__builtin_ctz(shape->mask)];                                    \
        vector found, places, on, differs = {0};                                                   \
        for (uint32_t i = 0; i < SIMT_LANES; i += PER) {                                           \
            const cell##_t start = first + (cell##_t)(int64_t)shape->starts[i / SIMT_OCTET];       \
            simt_get_places_##cell(shape->step, i % SIMT_OCTET / PER, &places);                    \
            memcpy(&found, row + i, sizeof found);                                                 \
            simt_get_lanes_##cell(x->lanes + i, &on);                                              \
            found ^= start + places;                                                               \
            differs |= is_full ? found : found & on;                                               \
        }                                                                                          \
        const simt_eight bits = (simt_eight)differs;                                               \
        return !simt_any_bits(&bits);                                                              \
    }
IS_ALIKE(uint32, simt_eight)
IS_ALIKE(uint64, simt_four)

/* True where the access has the shape that is known, and its address is found. */
SIMT_PART_OF_EACH bool is_known(const struct simt_exec *x, struct shaped *access) {
    const struct simt_insn *insn = access->insn;
    const struct simt_shape *shape = access->shape;
    const bool is_full = x->mask == SIMT_FULL_MASK;
    const uint32_t first = (uint32_t)__builtin_ctz(x->mask);
    if (shape->insn != insn || shape->mask != x->mask)
        return false;
    if (insn->address_bytes == 4) {
        const uint32_t *row = (const uint32_t *)(x->rows + insn->a);
        access->address = (uint32_t)(row[first] + (uint32_t)insn->imm);
        return is_full ? is_alike_uint32(x, shape, row, true)
                       : is_alike_uint32(x, shape, row, false);
    }
    const uint64_t *row = (const uint64_t *)(x->rows + insn->a);
    access->address = row[first] + (uint64_t)insn->imm;
    return is_full ? is_alike_uint64(x, shape, row, true) : is_alike_uint64(x, shape, row, false);
}

/* The same where another shape was known. */
SIMT_PART_OF_EACH bool is_found(const struct simt_exec *x, struct shaped *access) {
    const struct simt_insn *insn = access->insn;
    uint64_t address = 0;
    if (insn->a == SIMT_NO_ROW || !simt_shape_find(x, insn, access->bytes, access->shape))
        return false;
    memcpy(&address, x->rows + insn->a + __builtin_ctz(x->mask) * (size_t)insn->address_bytes,
           insn->address_bytes);
    access->address = insn->address_bytes == 4 ? (uint32_t)(address + (uint64_t)insn->imm)
                                               : address + (uint64_t)insn->imm;
    return true;
}

/* Finds the region. False where not all lanes lie there, or one is not aligned. */
SIMT_PART_OF_EACH bool place(struct simt_sm *sm, struct shaped *access) {
    const struct simt_shape *shape = access->shape;
    access->allocation = NULL;
    access->offset = access->address;
    access->region_bytes = sm->shared_bytes;
    access->host = sm->shared;
    if (access->insn->space != PTX_SHARED) {
        struct simt_region region;
        access->offset -=
            simt_find_region(sm, access->insn, access->address, &region, &access->region_bytes);
        access->host = region.host;
        access->allocation = region.allocation;
        if (region.space != PTX_SHARED && (!region.allocation || sm->guard))
            return false;
    }
    if (access->offset < shape->below || access->offset >= access->region_bytes ||
        (uint64_t)shape->above + access->bytes > access->region_bytes - access->offset ||
        access->address % access->bytes)
        return false;
    access->host += access->offset;
    return true;
}

/* The access, of these lanes alone, lane by lane. */
static struct simt_request request_of(const struct shaped *access, uint32_t mask) {
    const struct simt_shape *shape = access->shape;
    struct simt_request request = {
        .insn = access->insn,
        .touch = access->touch,
        .bytes = access->bytes,
        .low = access->offset - shape->below,
        .high = access->offset + shape->above,
        .mask = mask,
        .step = shape->step,
        .is_even = shape->rows[0].n == SIMT_LANES && mask == SIMT_FULL_MASK,
    };
    request.is_dense = request.is_even && request.step == request.bytes;
    for (uint32_t i = 0; i < SIMT_LANES; i++) {
        request.address[i] = access->address + (uint64_t)place_of(shape, i);
        request.offset[i] = access->offset + (uint64_t)place_of(shape, i);
    }
    return request;
}

static __attribute__((noinline)) void find_passes(struct simt_sm *sm, const struct shaped *access) {
    const struct simt_request request = request_of(access, access->shape->mask);
    uint32_t groups;
    access->shape->passes = (uint8_t)simt_find_passes(sm, &request, &groups);
    access->shape->groups = (uint8_t)groups;
}

/* Sectors that lanes touch whose first address is so far into one. */
static __attribute__((noinline)) uint8_t find_sectors(const struct shaped *access, uint64_t into) {
    const struct simt_shape *shape = access->shape;
    int64_t seen[SIMT_LANES];
    uint8_t n = 0;
    for (uint32_t rest = shape->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const int64_t sector = (place_of(shape, lane) + (int64_t)into) >> 5;
        uint32_t i = n; /* from the end: neighbours share sectors */
        while (i > 0 && seen[i - 1] != sector)
            i--;
        if (i == 0)
            seen[n++] = sector;
    }
    return n;
}

SIMT_PART_OF_EACH void count(struct simt_sm *sm, const struct shaped *access) {
    struct simt_counters *counters = &sm->counters[access->insn->index];
    struct simt_shape *shape = access->shape;
    if (!access->allocation) {
        if (!shape->passes)
            find_passes(sm, access);
        simt_count_shared(counters, access->touch, shape->passes, shape->groups);
    } else if (access->insn->space != PTX_CONST) {
        const uint64_t into = access->address % SIMT_SECTOR_BYTES;
        uint8_t *sectors = &shape->sectors[into / 4];
        if (!*sectors)
            *sectors = find_sectors(access, into);
        simt_count_global(counters, access->touch, *sectors, true);
    }
}

/* All places of rows, of lanes that are off as well, lie in the region or in what shared memory has
 * behind it. */
SIMT_PART_OF_EACH bool has_room(const struct shaped *access) {
    const struct simt_shape *shape = access->shape;
    const uint64_t spare = access->allocation ? 0 : SIMT_SHARED_SPARE_BYTES;
    return access->offset >= shape->room_below &&
           shape->room_above <= access->region_bytes + spare - access->offset;
}

/* The checks look at lanes one by one. */
static __attribute__((noinline)) void check_lanes(struct simt_sm *sm, const struct shaped *access,
                                                  uint32_t mask) {
    struct simt_region region;
    uint64_t bytes;
    simt_find_region(sm, access->insn, access->address, &region, &bytes);
    const struct simt_request request = request_of(access, mask);
    sm->hooks->access(sm, &request, &region);
}

/* The checks look at rows, and at lanes of which that leaves something open. Apart from the rest,
 * which is quicker without it where they need not see the access. */
static __attribute__((noinline)) void check(struct simt_sm *sm, const struct shaped *access) {
    const struct simt_shape *shape = access->shape;
    struct simt_row rows[SIMT_OCTETS];
    for (uint32_t i = 0; i < shape->n; i++) {
        const uint32_t first = shape->rows[i].first, n = shape->rows[i].n;
        rows[i] = (struct simt_row){
            .mask = shape->mask & SIMT_FULL_MASK >> (SIMT_LANES - n) << first,
            .first = first,
            .n = n,
            .bytes = access->bytes,
            .step = shape->step,
            .offset = access->offset + (uint64_t)(int64_t)shape->starts[first / SIMT_OCTET],
        };
    }
    const uint32_t left = simt_check_rows(sm, access->insn, access->touch, access->allocation, rows,
                                          shape->n, !shape->step || has_room(access));
    if (left)
        check_lanes(sm, access, left);
}

/* Moves elements of one type; lanes that are off keep theirs, and so does memory between lanes. */
#define MOVES(cell, vector)                                                                        \
    SIMT_PART_OF_EACH void put_##cell(const struct simt_exec *x, cell##_t *to, uint32_t first,     \
                                      const vector *values, bool is_full) {                        \
        vector fresh = *values, old, on;                                                           \
        if (!is_full) {                                                                            \
            memcpy(&old, to + first, sizeof old);                                                  \
            simt_get_lanes_##cell(x->lanes + first, &on);                                          \
            fresh = (fresh & on) | (old & ~on);                                                    \
        }                                                                                          \
        memcpy(to + first, &fresh, sizeof fresh);                                                  \
    }                                                                                              \
    /* The step is 0, `bytes`, or any other. */                                                    \
    SIMT_PART_OF_EACH void load_octets_##cell(                                                     \
        const struct simt_exec *x, const struct shaped *access, uint64_t step, bool is_full) {     \
        enum { PER = sizeof(vector) / sizeof(cell##_t) };                                          \
        cell##_t *to = (cell##_t *)(x->rows + access->insn->rows[0]);                              \
        for (uint32_t i = 0; i < SIMT_LANES; i += PER) {                                           \
            const uint8_t *from =                                                                  \
                access->host + access->shape->starts[i / SIMT_OCTET] + i % SIMT_OCTET * step;      \
            vector values = {0};                                                                   \
            if (!is_full && !(x->mask >> i & ((1u << PER) - 1)))                                   \
                continue;                                                                          \
            if (!step)                                                                             \
                simt_spread_##cell(from, &values);                                                 \
            else if (step == sizeof *to)                                                           \
                memcpy(&values, from, sizeof values);                                              \
            else                                                                                   \
                simt_gather_##cell(from, step, &values);                                           \
            put_##cell(x, to, i, &values, is_full);                                                \
        }                                                                                          \
    }                                                                                              \
    SIMT_PART_OF_EACH void load_##cell(const struct simt_exec *x, const struct shaped *access,     \
                                       bool is_full) {                                             \
        const uint64_t step = access->shape->step;                                                 \
        if (step == sizeof(cell##_t))                                                              \
            load_octets_##cell(x, access, sizeof(cell##_t), is_full);                              \
        else if (!step)                                                                            \
            load_octets_##cell(x, access, 0, is_full);                                             \
        else                                                                                       \
            load_octets_##cell(x, access, step, is_full);                                          \
    }                                                                                              \
    SIMT_PART_OF_EACH void move_lanes_##cell(const struct simt_exec *x,                            \
                                             const struct shaped *access, bool reads) {            \
        cell##_t *row = (cell##_t *)(x->rows + access->insn->rows[0]);                             \
        for (uint32_t rest = x->mask; rest; rest &= rest - 1) {                                    \
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);                                   \
            uint8_t *at = access->host + place_of(access->shape, lane);                            \
            if (reads)                                                                             \
                memcpy(row + lane, at, sizeof *row);                                               \
            else                                                                                   \
                memcpy(at, row + lane, sizeof *row);                                               \
        }                                                                                          \
    }                                                                                              \
    SIMT_PART_OF_EACH void move_##cell(const struct simt_exec *x, const struct shaped *access) {   \
        const bool reads = access->touch == SIMT_READS;                                            \
        if (reads && x->mask == SIMT_FULL_MASK)                                                    \
            load_##cell(x, access, true);                                                          \
        else if (reads && (!access->shape->step || has_room(access)))                              \
            load_##cell(x, access, false);                                                         \
        else                                                                                       \
            move_lanes_##cell(x, access, reads);                                                   \
    }
MOVES(uint32, simt_eight)
MOVES(uint64, simt_four)

SIMT_PART_OF_EACH bool run(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                           uint32_t bytes) {
    struct shaped access;
    access.insn = insn;
    access.shape = simt_shape_of(sm, insn);
    access.touch = touch;
    access.bytes = bytes;
    if ((!is_known(&sm->x, &access) && !is_found(&sm->x, &access)) || !place(sm, &access))
        return false;
    count(sm, &access);
    if (sm->hooks && !simt_reads_freely(sm, touch, access.allocation)) {
        check(sm, &access);
        if (sm->x.fault != SIMT_OK)
            return true;
    }
    if (bytes == 4)
        move_uint32(&sm->x, &access);
    else
        move_uint64(&sm->x, &access);
    simt_note_look(sm, insn, touch, access.address);
    return true;
}

FOR_EACH_CPU
bool simt_access_shape(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                       uint32_t bytes) {
    if (bytes == 4)
        return touch == SIMT_READS ? run(sm, insn, SIMT_READS, 4) : run(sm, insn, SIMT_WRITES, 4);
    return touch == SIMT_READS ? run(sm, insn, SIMT_READS, 8) : run(sm, insn, SIMT_WRITES, 8);
}

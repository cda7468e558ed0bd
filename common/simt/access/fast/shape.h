/*
 * The shape of an instruction's accesses: which lanes are on, and how far each one's address is
 * behind that of the first of them. Where lanes lie equally far apart within each octet, eight
 * neighbouring ones, an instruction mostly repeats its shape; what was found out about it is kept,
 * and one comparison tells that it still holds.
 */
#pragma once

#include "common/simt/access/region/region.h"

enum { SIMT_OCTET = 8, SIMT_OCTETS = SIMT_LANES / SIMT_OCTET };
enum { SIMT_SHAPES = 256, SIMT_SECTOR_BYTES = 32 };
enum { SIMT_SHAPE_BYTES = 1 << 30 }; /* lanes are no further apart than that */

struct simt_shape {
    const struct simt_insn *insn;    /* whose it is; NULL: nobody's */
    uint32_t mask, step;             /* the lanes that are on; from lane to lane of an octet */
    int32_t starts[SIMT_OCTETS];     /* of octets' first lanes, behind the first lane that is on */
    uint32_t below, above;           /* how far lanes lie before and behind that … */
    uint32_t room_below, room_above; /* … and all places of octets, to the end of the last one */
    uint8_t sectors[SIMT_SECTOR_BYTES / 4]; /* of global memory, by the word of a sector where the
                                               first address is; 0: not counted yet */
    uint8_t passes, groups; /* over the banks of shared memory: passes, and how many it would take
                               without conflicts; 0: not counted yet */
    uint8_t n;              /* rows of one octet or several, as the checks take them */
    struct {
        uint8_t first, n;
    } rows[SIMT_OCTETS];
};

/* All ones for the lanes that are on, of eight and of four lanes. */
SIMT_PART_OF_EACH void simt_get_lanes_uint32(const uint32_t *lanes, simt_eight *on) {
    memcpy(on, lanes, sizeof *on);
}
SIMT_PART_OF_EACH void simt_get_lanes_uint64(const uint32_t *lanes, simt_four *on) {
    typedef int32_t narrow __attribute__((vector_size(16)));
    typedef int64_t wide __attribute__((vector_size(32)));
    narrow values;
    memcpy(&values, lanes, sizeof values);
    *on = (simt_four) __builtin_convertvector(values, wide);
}

/* How far the lanes of an octet are behind the first one. */
SIMT_PART_OF_EACH void simt_get_places_uint32(uint32_t step, uint32_t part, simt_eight *places) {
    (void)part;
    *places = (simt_eight){0, 1, 2, 3, 4, 5, 6, 7} * step;
}
SIMT_PART_OF_EACH void simt_get_places_uint64(uint32_t step, uint32_t part, simt_four *places) {
    typedef uint32_t narrow __attribute__((vector_size(16)));
    const narrow lanes = (narrow){0, 1, 2, 3} + 4 * part;
    *places = __builtin_convertvector(lanes * step, simt_four);
}

/* One element in all places of a vector, and elements that lie apart. */
SIMT_PART_OF_EACH uint32_t simt_get_uint32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}
SIMT_PART_OF_EACH uint64_t simt_get_uint64(const uint8_t *from) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}
SIMT_PART_OF_EACH void simt_spread_uint32(const uint8_t *from, simt_eight *values) {
    const uint32_t value = simt_get_uint32(from);
    uint32_t all[8];
    for (uint32_t i = 0; i < 8; i++)
        all[i] = value;
    memcpy(values, all, sizeof all);
}
SIMT_PART_OF_EACH void simt_spread_uint64(const uint8_t *from, simt_four *values) {
    const uint64_t value = simt_get_uint64(from);
    uint64_t all[4];
    for (uint32_t i = 0; i < 4; i++)
        all[i] = value;
    memcpy(values, all, sizeof all);
}
SIMT_PART_OF_EACH void simt_gather_uint32(const uint8_t *from, uint64_t step, simt_eight *values) {
    *values = (simt_eight){simt_get_uint32(from),
                           simt_get_uint32(from + step),
                           simt_get_uint32(from + 2 * step),
                           simt_get_uint32(from + 3 * step),
                           simt_get_uint32(from + 4 * step),
                           simt_get_uint32(from + 5 * step),
                           simt_get_uint32(from + 6 * step),
                           simt_get_uint32(from + 7 * step)};
}
SIMT_PART_OF_EACH void simt_gather_uint64(const uint8_t *from, uint64_t step, simt_four *values) {
    *values = (simt_four){simt_get_uint64(from), simt_get_uint64(from + step),
                          simt_get_uint64(from + 2 * step), simt_get_uint64(from + 3 * step)};
}

/* Where the shape of an instruction is kept, which may be another one's. */
static inline struct simt_shape *simt_shape_of(const struct simt_sm *sm,
                                               const struct simt_insn *insn) {
    return &sm->shapes[insn->index % SIMT_SHAPES];
}

/* Runs an access of one element of 4 or 8 bytes a lane that has a shape. False, and nothing has
 * happened, where it has none, or not all of it is in one place. */
bool simt_access_shape(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                       uint32_t bytes);

/* octets.c: finds the shape of such an access anew. False where it has none. */
bool simt_shape_find(const struct simt_exec *x, const struct simt_insn *insn, uint32_t bytes,
                     struct simt_shape *shape);

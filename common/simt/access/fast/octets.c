/*
 * Finds the shape of an access (shape.h) in the addresses of its lanes.
 */
#include "common/simt/access/fast/shape.h"

/* How far lanes are apart, by two neighbours of an octet that are on, or else by any two. */
#define STEP(cell)                                                                                 \
    static inline cell##_t step_##cell(const cell##_t *from, uint32_t mask, uint32_t bytes) {      \
        const uint32_t pairs = mask & mask >> 1 & 0x7f7f7f7f, others = mask & (mask - 1);          \
        const uint32_t first = (uint32_t)__builtin_ctz(pairs ? pairs : mask);                      \
        if (pairs)                                                                                 \
            return from[first + 1] - from[first];                                                  \
        return others && from[__builtin_ctz(others)] == from[first] ? 0 : bytes;                   \
    }
STEP(uint32)
STEP(uint64)

/* The second row goes on from the first one, which takes it in. */
static bool joins(struct simt_shape *shape, uint32_t i) {
    const uint32_t first = shape->rows[i].first, n = shape->rows[i].n, next = first + n;
    if (n != shape->rows[i + 1].n || first % (2 * n) || shape->rows[i + 1].first != next ||
        shape->starts[first / SIMT_OCTET] + (int64_t)n * shape->step !=
            shape->starts[next / SIMT_OCTET])
        return false;
    shape->rows[i].n = (uint8_t)(2 * n);
    return true;
}

/* The octet from that lane on becomes a row, or part of one. */
static void add_octet(struct simt_shape *shape, uint32_t lane, uint32_t on, uint32_t bytes) {
    const int64_t start = shape->starts[lane / SIMT_OCTET], step = shape->step;
    const int64_t low = start + (uint32_t)__builtin_ctz(on) * step,
                  high = start + (31 - (uint32_t)__builtin_clz(on)) * step,
                  end = start + (SIMT_OCTET - 1) * step + bytes;
    shape->below = -low > shape->below ? (uint32_t)-low : shape->below;
    shape->above = high > shape->above ? (uint32_t)high : shape->above;
    shape->room_below = -start > shape->room_below ? (uint32_t)-start : shape->room_below;
    shape->room_above = end > shape->room_above ? (uint32_t)end : shape->room_above;
    shape->rows[shape->n].first = (uint8_t)lane;
    shape->rows[shape->n++].n = SIMT_OCTET;
    while (shape->n > 1 && joins(shape, shape->n - 2u))
        shape->n--;
}

/* The same from a row of addresses of 4 or 8 bytes. False where lanes lie otherwise, too far from
 * each other, or by a part of an element. */
#define FIND(cell, vector)                                                                         \
    SIMT_PART_OF_EACH bool find_##cell(const struct simt_exec *x, const uint8_t *addresses,        \
                                       struct simt_shape *shape, uint32_t bytes) {                 \
        enum { PER = sizeof(vector) / sizeof(cell##_t) };                                          \
        const cell##_t *from = (const cell##_t *)addresses;                                        \
        const cell##_t start = from[__builtin_ctz(x->mask)],                                       \
                       step = step_##cell(from, x->mask, bytes);                                   \
        vector found, on, places, differs = {0};                                                   \
        if (step > SIMT_SHAPE_BYTES / SIMT_LANES || step % bytes)                                  \
            return false;                                                                          \
        *shape = (struct simt_shape){.mask = x->mask, .step = (uint32_t)step};                     \
        for (uint32_t lane = 0; lane < SIMT_LANES; lane += SIMT_OCTET) {                           \
            const uint32_t some = x->mask >> lane & 0xff;                                          \
            if (!some)                                                                             \
                continue;                                                                          \
            const uint32_t first = (uint32_t)__builtin_ctz(some);                                  \
            const cell##_t at = from[lane + first] - first * step, behind = at - start;            \
            if ((cell##_t)(behind + SIMT_SHAPE_BYTES / 2) > SIMT_SHAPE_BYTES || behind % bytes)    \
                return false;                                                                      \
            shape->starts[lane / SIMT_OCTET] = (int32_t)behind;                                    \
            add_octet(shape, lane, some, bytes);                                                   \
            for (uint32_t part = 0; part < SIMT_OCTET / PER; part++) {                             \
                memcpy(&found, from + lane + part * PER, sizeof found);                            \
                simt_get_lanes_##cell(x->lanes + lane + part * PER, &on);                          \
                simt_get_places_##cell(shape->step, part, &places);                                \
                differs |= (found ^ (at + places)) & on;                                           \
            }                                                                                      \
        }                                                                                          \
        const simt_eight bits = (simt_eight)differs;                                               \
        return !simt_any_bits(&bits);                                                              \
    }
FIND(uint32, simt_eight)
FIND(uint64, simt_four)

FOR_EACH_CPU
bool simt_shape_find(const struct simt_exec *x, const struct simt_insn *insn, uint32_t bytes,
                     struct simt_shape *shape) {
    const uint8_t *addresses = x->rows + insn->a;
    const bool is_found = insn->address_bytes == 4 ? find_uint32(x, addresses, shape, bytes)
                                                   : find_uint64(x, addresses, shape, bytes);
    shape->insn = is_found ? insn : NULL;
    return is_found;
}

/*
 * Results that known mistakes make, recognised element by element: a wrong scan is mostly a right
 * one of something else. How large a tile is, the student's file decides; the usual sizes are
 * tried.
 */
#include <stdlib.h>

#include "labs/common/scan/scan.h"

/* A wrong result. sums[i] is the sum of the first i ints. */
struct scene {
    const int32_t *in, *got;
    const uint32_t *sums;
    size_t n, tile;
    uint64_t n_blocks; /* of the first launch; 0 where nobody knows */
    bool exclusive;
    bool has_totals; /* there was a launch for them, or nobody knows */
    uint32_t lost;   /* of short_total */
};

/* What element i comes to with the mistake; false where the mistake leaves it unwritten. Asked for
 * each i from 0 on. */
typedef bool element(struct scene *s, size_t i, uint32_t *value);

static uint32_t right(const struct scene *s, size_t i) {
    return s->sums[s->exclusive ? i : i + 1];
}

static bool other_form(struct scene *s, size_t i, uint32_t *value) {
    *value = s->sums[s->exclusive ? i + 1 : i];
    return true;
}

static bool no_first(struct scene *s, size_t i, uint32_t *value) {
    *value = right(s, i);
    return i > 0 || !s->exclusive;
}

/* Each tile's first element is what nobody wrote. */
static bool no_first_of_tile(struct scene *s, size_t i, uint32_t *value) {
    *value = right(s, i);
    return i % s->tile > 0 || !s->exclusive;
}

static bool tiles_alone(struct scene *s, size_t i, uint32_t *value) {
    *value = right(s, i) - s->sums[i - i % s->tile];
    return true;
}

/* The tile's own total is added, too. */
static bool inclusive_offset(struct scene *s, size_t i, uint32_t *value) {
    size_t first = i - i % s->tile, end = first + s->tile < s->n ? first + s->tile : s->n;

    *value = right(s, i) + s->sums[end] - s->sums[first];
    return true;
}

/* Only the total of the one tile before is added. */
static bool last_total(struct scene *s, size_t i, uint32_t *value) {
    size_t first = i - i % s->tile;

    *value = right(s, i) - (first > 0 ? s->sums[first - s->tile] : 0);
    return true;
}

/* The totals were scanned tile by tile, as if they fitted into one. */
static bool one_level(struct scene *s, size_t i, uint32_t *value) {
    size_t level = s->tile * s->tile;

    *value = right(s, i) - s->sums[i - i % level];
    return true;
}

/* Only the first tile of totals was scanned; later tiles got their own total for an offset. */
static bool first_level_block(struct scene *s, size_t i, uint32_t *value) {
    size_t level = s->tile * s->tile, first = i - i % s->tile;
    size_t end = first + s->tile < s->n ? first + s->tile : s->n;

    if (i < level)
        *value = right(s, i);
    else
        *value = right(s, i) - 2 * s->sums[first] + s->sums[end];
    return true;
}

/* The ints behind the last full tile are not there. */
static bool full_tiles(struct scene *s, size_t i, uint32_t *value) {
    *value = right(s, i);
    return i < s->n - s->n % s->tile;
}

/* A total lacks its tile's last int: it was taken from the exclusive scan. */
static bool short_total(struct scene *s, size_t i, uint32_t *value) {
    if (i == 0)
        s->lost = 0;
    else if (i % s->tile == 0)
        s->lost += (uint32_t)s->in[i - 1];
    *value = right(s, i) - s->lost;
    return true;
}

/* In this order, so that an explanation of fewer things comes first. */
static const struct {
    const char *id;
    element *comes_to;
} wrong_results[] = {
    {NULL, other_form},
    {"no_identity", no_first},
    {"totals_not_added", tiles_alone},
    {"single_level", one_level},
    {"single_level", first_level_block},
    {"totals_inclusive", inclusive_offset},
    {"totals_not_scanned", last_total},
    {"exclusive_totals", short_total},
    {"dropped_partial_tile", full_tiles},
    {"no_identity", no_first_of_tile}, /* leaves the most open */
};

/* True where this can be what the output was filled with before the call: four equal bytes. */
static bool is_poison(int32_t value) {
    return (uint32_t)value == ((uint32_t)value & 0xff) * 0x01010101u;
}

/* True when the mistake makes just this. What it leaves unwritten may have become anything, but for
 * a tail: there, nobody was. */
static bool explains(struct scene *s, element *comes_to) {
    if (comes_to == inclusive_offset && !s->has_totals)
        return false;
    if (comes_to == full_tiles &&
        (s->n < s->tile || (s->n_blocks > 0 && s->n_blocks != s->n / s->tile)))
        return false;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t value;
        bool is_written = comes_to(s, i, &value);

        if (is_written ? (uint32_t)s->got[i] != value
                       : comes_to == full_tiles && !is_poison(s->got[i]))
            return false;
    }
    return true;
}

/* The first mistake that explains the result with tiles of this size. */
static const char *explanation(struct scene *s) {
    for (size_t i = 0; i < sizeof wrong_results / sizeof *wrong_results; i++)
        if (explains(s, wrong_results[i].comes_to))
            return wrong_results[i].comes_to != other_form ? wrong_results[i].id
                   : s->exclusive                          ? "inclusive_for_exclusive"
                                                           : "exclusive_for_inclusive";
    return NULL;
}

/* sums[i]: the sum of the first i ints. The caller frees it; NULL where there is no memory. */
static uint32_t *sums_before(const int32_t *in, size_t n) {
    uint32_t *sums = malloc((n + 1) * sizeof *sums);

    if (sums == NULL)
        return NULL;
    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + (uint32_t)in[i];
    return sums;
}

const char *scan_known_in_tiles(const int32_t *in, size_t n, size_t tile, bool exclusive,
                                const int32_t *got) {
    uint32_t *sums = sums_before(in, n);
    struct scene s = {.in = in,
                      .got = got,
                      .sums = sums,
                      .n = n,
                      .tile = tile,
                      .exclusive = exclusive,
                      .has_totals = true};
    const char *id = sums != NULL ? explanation(&s) : NULL;

    free(sums);
    return id;
}

const char *scan_known_result(const struct lab *lab, const int32_t *in, size_t n, unsigned block,
                              const int32_t *got) {
    /* One int a thread first: with it, what was made of two levels is not taken for large tiles. */
    static const size_t usual_items[] = {1, 2, 4, 8, 16};
    size_t n_items = sizeof usual_items / sizeof *usual_items;
    size_t known_items = lab_launch(lab, 0).n_blocks > 1 ? scan_items(lab, n, block) : 0;
    uint32_t *sums = sums_before(in, n);
    struct scene s = {
        .in = in, .got = got, .sums = sums, .n = n, .exclusive = scan_was_exclusive()};
    s.n_blocks = lab_launch(lab, 0).n_blocks;
    s.has_totals = lab_n_launches(lab) != 1;
    const char *id = NULL;

    if (sums == NULL)
        return NULL;
    if (known_items > 0)
        s.tile = block * known_items, id = explanation(&s);
    for (size_t i = 0; known_items == 0 && i < n_items && id == NULL; i++)
        s.tile = block * usual_items[i], id = explanation(&s);
    free(sums);
    return id;
}

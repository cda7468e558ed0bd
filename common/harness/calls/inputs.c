/*
 * Arguments of a call, and inputs that show mistakes: an index that is off by one must change the
 * result, and so must an element that is dropped. Equal neighbours and zeros would hide that.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/base/each_cpu.h"
#include "common/base/splitmix.h"
#include "common/base/system/parallel.h"
#include "common/harness/context.h"

static struct call_arg buffer(enum call_kind kind, const char *name, const void *data, size_t count,
                              size_t element_bytes) {
    return (struct call_arg){.kind = kind,
                             .name = name,
                             .data = (void *)data,
                             .count = count,
                             .element_bytes = element_bytes};
}

struct call_arg lab_in(const char *name, const void *data, size_t count, size_t element_bytes) {
    return buffer(CALL_ARG_IN, name, data, count, element_bytes);
}

/* Whether elements first … first + count - 1 are those of before the last lab_drawn_anew. */
static bool is_same(const void *context, size_t first, size_t count) {
    const struct lab_drawn *drawn = context;
    bool is_new = false;

    for (size_t at = first / LAB_STRETCH; at <= (first + count - 1) / LAB_STRETCH; at++)
        is_new |= drawn->stretches[at].is_new;
    return !is_new;
}

struct call_arg lab_in_drawn(const char *name, const struct lab_drawn *drawn) {
    return (struct call_arg){.kind = CALL_ARG_IN,
                             .name = name,
                             .make = lab_drawn_make,
                             .context = drawn,
                             .period = drawn->period,
                             .is_same = drawn->stretches ? is_same : NULL,
                             .count = drawn->n,
                             .element_bytes = sizeof(int32_t)};
}

struct call_arg lab_out(const char *name, void *data, size_t count, size_t element_bytes) {
    return buffer(CALL_ARG_OUT, name, data, count, element_bytes);
}

struct call_arg lab_inout(const char *name, void *data, size_t count, size_t element_bytes) {
    return buffer(CALL_ARG_INOUT, name, data, count, element_bytes);
}

struct call_arg lab_scratch(const char *name, size_t count, size_t element_bytes) {
    return buffer(CALL_ARG_SCRATCH, name, NULL, count, element_bytes);
}

struct call_arg lab_host_in(const char *name, const void *data, size_t count,
                            size_t element_bytes) {
    return buffer(CALL_ARG_HOST_IN, name, data, count, element_bytes);
}

struct call_arg lab_host_out(const char *name, void *data, size_t count, size_t element_bytes) {
    return buffer(CALL_ARG_HOST_OUT, name, data, count, element_bytes);
}

struct call_arg lab_pinned_in(const char *name, const void *data, size_t count,
                              size_t element_bytes) {
    struct call_arg arg = lab_host_in(name, data, count, element_bytes);

    arg.is_pinned = true;
    return arg;
}

struct call_arg lab_pinned_out(const char *name, void *data, size_t count, size_t element_bytes) {
    struct call_arg arg = lab_host_out(name, data, count, element_bytes);

    arg.is_pinned = true;
    return arg;
}

struct call_arg lab_size(size_t value) {
    return (struct call_arg){.kind = CALL_ARG_U64, .name = "n", .value.u64 = value};
}

struct call_arg lab_u32(const char *name, uint32_t value) {
    return (struct call_arg){.kind = CALL_ARG_U32, .name = name, .value.u64 = value};
}

uint64_t lab_random_seed(uint64_t seed, const char *word, const char *second) {
    uint64_t state = seed;

    for (; *word; word++)
        state = splitmix_next(&state) ^ (unsigned char)*word;
    state = splitmix_next(&state);
    for (; *second; second++)
        state = splitmix_next(&state) ^ (unsigned char)*second;
    return splitmix_next(&state);
}

/* A number from an index and two keys: two rounds of multiplying and shifting (C. Wellons's
 * public-domain "lowbias32" constants). One element depends on no other: any part can be made
 * alone, by any thread, and compilers make vectors of the loop. */
static inline uint32_t mix(uint32_t index, uint32_t key, uint32_t second) {
    uint32_t x = index ^ key;

    x = (x ^ x >> 16) * 0x7feb352du + second;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* One tile of elements, whose first index is a multiple of TILE: the lowest bit tells even from odd
 * indices, so that neighbours differ; 0 becomes 2. */
enum { TILE = 1024 };

/* Whole floats: few of them may be large, so that those a mistake leaves out hardly add up to 0. */
enum { FEW = 4096, FEW_BITS = 11, MANY_BITS = 4 };

/* All 32 bits: sums wrap around, and no float holds them. A few are small, so that a reader can
 * follow them with a pencil. */
enum { FEW_SMALL = 64 };

static int int_bits(const struct lab_drawn *drawn) {
    if (drawn->type == LAB_I32_SMALL)
        return 6;
    return drawn->n <= FEW_SMALL ? 16 : 32;
}

FOR_EACH_CPU static void make_tile_i32(uint64_t keys, uint32_t index, int n_bits, int32_t *to) {
    for (uint32_t i = 0; i < TILE; i++) {
        uint32_t bits = mix(index + i, (uint32_t)keys, (uint32_t)(keys >> 32));
        int32_t value =
            (int32_t)((bits & ~1u) << (32 - n_bits)) >> (32 - n_bits) | (int32_t)(i & 1);

        to[i] = value == 0 ? 2 : value;
    }
}

/* The same with 24 bits, in units of 2^-16. */
FOR_EACH_CPU static void make_tile_f32(uint64_t keys, uint32_t index, float *to) {
    for (uint32_t i = 0; i < TILE; i++) {
        uint32_t bits = mix(index + i, (uint32_t)keys, (uint32_t)(keys >> 32));
        int32_t value = (int32_t)((bits & 0xfffffe00) | (i & 1) << 8) >> 8;

        to[i] = (float)(value == 0 ? 2 : value) * (1.0f / 65536);
    }
}

/* Whole numbers in floats: 1 to 2 ^ (n_bits + 1), even ones at even indices, each with either sign.
 * As likely above 0 as below, so that sums of many stay small (lab.h says how small). */
FOR_EACH_CPU static void make_tile_whole(uint64_t keys, uint32_t index, int n_bits, float *to) {
    for (uint32_t i = 0; i < TILE; i++) {
        uint32_t bits = mix(index + i, (uint32_t)keys, (uint32_t)(keys >> 32));
        int32_t size = (int32_t)(bits >> (32 - n_bits)) * 2 + 2 - (int32_t)(i & 1);
        int32_t sign = 1 - (int32_t)(bits & 2);

        to[i] = (float)(sign * size);
    }
}

static int whole_bits(const struct lab_drawn *drawn) {
    return drawn->type == LAB_F32_WHOLE && drawn->n <= FEW ? FEW_BITS : MANY_BITS;
}

static uint64_t seed_of(const struct lab_drawn *drawn, size_t index) {
    return drawn->stretches ? drawn->stretches[index / LAB_STRETCH].seed : drawn->seed;
}

/* Elements first … first + count - 1, tile by tile; those at the ends by way of a spare tile. */
static void make(const struct lab_drawn *drawn, size_t first, size_t count, char *to) {
    int32_t spare[TILE];

    while (count > 0) {
        size_t start = first - first % TILE, skipped = first - start;
        size_t n = TILE - skipped < count ? TILE - skipped : count;
        void *tile = n == TILE ? (void *)to : spare;
        uint64_t state = seed_of(drawn, start) ^ (start >> 32) << 32;
        uint64_t keys = splitmix_next(&state);

        if (drawn->type == LAB_F32)
            make_tile_f32(keys, (uint32_t)start, tile);
        else if (lab_drawn_is_float(drawn))
            make_tile_whole(keys, (uint32_t)start, whole_bits(drawn), tile);
        else
            make_tile_i32(keys, (uint32_t)start, int_bits(drawn), tile);
        if (n < TILE)
            memcpy(to, spare + skipped, n * sizeof *spare);
        if (drawn->probe)
            lab_probe_change(drawn, first, n, to);
        first += n;
        count -= n;
        to += n * sizeof *spare;
    }
}

enum { PART = LAB_PIECE }; /* what a thread does at a time */

/* What the threads that fill an array share. */
struct fill {
    struct lab_drawn drawn;
    int32_t *data;
};

static void fill_part(void *context, size_t part) {
    const struct fill *fill = context;
    size_t at = part * PART, rest = fill->drawn.n - at;

    make(&fill->drawn, at, rest < PART ? rest : PART, (char *)(fill->data + at));
}

static void fill_ints(struct fill *fill) {
    parallel_run((fill->drawn.n + PART - 1) / PART, fill_part, fill);
}

void lab_fill_i32(int32_t *data, size_t n, uint64_t seed) {
    struct fill fill = {.drawn = {.type = LAB_I32, .seed = seed, .n = n}, .data = data};

    fill_ints(&fill);
}

union tile {
    int32_t i32[TILE];
    float f32[TILE];
};

/* By halves of 16 bits, since wide vectors add 32 bits twice as fast as 64. */
FOR_EACH_CPU static int64_t sum_ints(const int32_t *values) {
    int32_t high = 0, low = 0;

    for (uint32_t i = 0; i < TILE; i++) {
        high += values[i] >> 16;
        low += values[i] & 0xffff;
    }
    return (int64_t)high * 65536 + low;
}

FOR_EACH_CPU static void scale_floats(const float *values, float scale, int32_t *to) {
    for (uint32_t i = 0; i < TILE; i++)
        to[i] = (int32_t)(values[i] * scale);
}

/* The sum of a tile's first n elements in units of the type. */
static int64_t sum_tile(const struct lab_drawn *drawn, union tile *tile, size_t n) {
    int32_t units[TILE];

    memset(tile->i32 + n, 0, (TILE - n) * sizeof *tile->i32);
    if (!lab_drawn_is_float(drawn))
        return sum_ints(tile->i32);
    scale_floats(tile->f32, drawn->type == LAB_F32 ? 65536 : 1, units);
    return sum_ints(units);
}

static size_t count_of_piece(const struct lab_drawn *drawn, size_t piece) {
    size_t rest = drawn->n - piece * PART;

    return rest < PART ? rest : PART;
}

/* The piece that it is the same as, of those that differ. */
static size_t original(const struct lab_drawn *drawn, size_t piece) {
    return drawn->period ? piece % (drawn->period / PART) : piece;
}

/* Where the sum of a whole piece is kept; NULL for nowhere. The last piece, which may have fewer
 * elements than the one that it repeats, has none then. */
static int64_t *total_of(const struct lab_drawn *drawn, size_t piece) {
    bool is_own = !drawn->period || count_of_piece(drawn, piece) == PART;

    return drawn->totals && is_own ? &drawn->totals[original(drawn, piece)] : NULL;
}

/* Makes a whole piece, to `to` unless that is NULL, and sums it. What lies at `to` is not read: a
 * worker can write there. */
static int64_t make_piece(const struct lab_drawn *drawn, size_t piece, char *to) {
    size_t at = original(drawn, piece) * PART, end = at + count_of_piece(drawn, piece);
    int64_t total = 0;
    union tile tile;

    for (; at < end; at += TILE) {
        size_t n = end - at < TILE ? end - at : TILE;

        make(drawn, at, n, (char *)&tile);
        total += sum_tile(drawn, &tile, n);
        if (to)
            to = (char *)memcpy(to, &tile, n * sizeof *tile.i32) + n * sizeof *tile.i32;
    }
    return total;
}

/* No sum of a piece. */
#define UNKNOWN INT64_MIN

int64_t lab_drawn_piece_sum(const struct lab_drawn *drawn, size_t piece) {
    const int64_t *total = total_of(drawn, piece);
    int64_t known = total ? __atomic_load_n(total, __ATOMIC_RELAXED) : UNKNOWN;

    return known != UNKNOWN ? known : make_piece(drawn, piece, NULL);
}

void lab_drawn_make(const void *context, size_t first, size_t count, void *to) {
    const struct lab_drawn *drawn = context;
    char *at = to;

    while (count > 0) {
        size_t piece = first / PART, within = first % PART;
        size_t n = PART - within < count ? PART - within : count;
        int64_t *total = total_of(drawn, piece);

        if (total && n == count_of_piece(drawn, piece))
            __atomic_store_n(total, make_piece(drawn, piece, at), __ATOMIC_RELAXED);
        else
            make(drawn, original(drawn, piece) * PART + within, n, at);
        first += n;
        count -= n;
        at += n * sizeof(int32_t);
    }
}

static size_t count_pieces(const struct lab_drawn *drawn) {
    return (drawn->n + PART - 1) / PART;
}

static void forget_totals(const struct lab_drawn *drawn, size_t first, size_t end) {
    for (size_t i = first; drawn->totals && i < end && i < count_pieces(drawn); i++)
        drawn->totals[i] = UNKNOWN;
}

static size_t count_stretches(const struct lab_drawn *drawn) {
    return (drawn->n + LAB_STRETCH - 1) / LAB_STRETCH;
}

static void change_stretch(const struct lab_drawn *drawn, size_t at, uint64_t seed) {
    const size_t n_pieces = LAB_STRETCH / PART;

    drawn->stretches[at] = (struct lab_stretch){seed, true};
    forget_totals(drawn, at * n_pieces, (at + 1) * n_pieces);
}

enum { CHANGED = 2 }; /* stretches each time */

/* All of them have the seed 0 before the first time. */
static void change_stretches(const struct lab_drawn *drawn, uint64_t seed) {
    size_t n = count_stretches(drawn);
    bool is_first = n > 0 && drawn->stretches[0].seed == 0;

    for (size_t i = 0; i < n; i++)
        drawn->stretches[i].is_new = false;
    for (size_t i = 0; i < (is_first ? n : CHANGED); i++) {
        size_t at = is_first ? i : splitmix_next(&seed) % n;
        change_stretch(drawn, at, splitmix_next(&seed) | 1);
    }
}

void lab_drawn_anew(struct lab_drawn *drawn, uint64_t seed) {
    drawn->seed = seed;
    if (drawn->stretches)
        change_stretches(drawn, seed);
    else
        forget_totals(drawn, 0, SIZE_MAX);
}

void lab_drawn_by_stretches(struct lab *lab, struct lab_drawn *drawn) {
    drawn->stretches = lab_memory(lab, count_stretches(drawn) * sizeof *drawn->stretches);
}

void lab_drawn_keep_sums(struct lab *lab, struct lab_drawn *drawn) {
    drawn->totals = lab_memory(lab, count_pieces(drawn) * sizeof *drawn->totals);
    forget_totals(drawn, 0, SIZE_MAX);
}

/* What the threads that sum share. */
struct sum {
    const struct lab_drawn *drawn;
    atomic_int_least64_t total;
};

static void sum_part(void *context, size_t part) {
    struct sum *sum = context;

    atomic_fetch_add(&sum->total, lab_drawn_piece_sum(sum->drawn, part));
}

/* Threads cost more than sums that are kept. */
int64_t lab_drawn_sum(const struct lab_drawn *drawn) {
    struct sum sum = {.drawn = drawn};

    if (!drawn->totals)
        parallel_run(count_pieces(drawn), sum_part, &sum);
    for (size_t i = 0; drawn->totals && i < count_pieces(drawn); i++)
        sum_part(&sum, i);
    return sum.total;
}

void lab_case_clear(struct lab *lab) {
    while (lab->blocks) {
        struct lab_block *block = lab->blocks;

        lab->blocks = block->next;
        free(block);
    }
    lab->current = NULL;
}

/* Asks for pages of 2 MiB, with which gigabytes are allocated sooner. */
static void advise_huge_pages(char *start, size_t bytes) {
    const uintptr_t huge = (uintptr_t)2 << 20;
    uintptr_t first = ((uintptr_t)start + huge - 1) & ~(huge - 1);
    uintptr_t end = ((uintptr_t)start + bytes) & ~(huge - 1);

    if (first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *lab_memory(struct lab *lab, size_t bytes) {
    struct lab_block *block = NULL;

    if (bytes <= SIZE_MAX / 2)
        block = calloc(1, sizeof *block + bytes);
    if (block)
        advise_huge_pages(block->bytes, bytes);
    if (!block)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This machine has no %zu bytes of memory for a test.",
                 bytes);
    block->next = lab->blocks;
    lab->blocks = block;
    return block->bytes;
}

/* The seed of the case's next array. */
static uint64_t next_seed(struct lab *lab) {
    return (lab->current ? lab->current->seed : lab->seed) + lab->n_arrays++;
}

int32_t *lab_random_i32(struct lab *lab, size_t n) {
    int32_t *data = lab_memory(lab, n * sizeof *data);
    struct fill fill = {.drawn = lab_draw(lab, LAB_I32, n), .data = data};

    fill_ints(&fill);
    lab_probe_place(lab, fill.drawn.array, data);
    return data;
}

struct lab_drawn lab_draw(struct lab *lab, int type, size_t n) {
    lab->has_drawn_ints |= type == LAB_I32 && n > FEW_SMALL;
    if (type == LAB_I32 && lab->draws_small)
        type = LAB_I32_SMALL;
    struct lab_drawn drawn = {.type = type, .n = n, .array = lab->n_arrays};

    drawn.seed = next_seed(lab);
    lab_probe_draw(lab, &drawn);
    return drawn;
}

void lab_name_drawn(struct lab *lab, const char *name) {
    if (lab->n_arrays > 0)
        lab_probe_name(lab, lab->n_arrays - 1, name);
}

/* An odd number of pieces: an index that is off by a power of two, or by 2^32, meets another
 * element. */
enum { REPEATED = 65 * PART, MANY = 4 * REPEATED };

struct lab_drawn lab_draw_repeating(struct lab *lab, int type, size_t n) {
    struct lab_drawn drawn = lab_draw(lab, type, n);

    drawn.period = n > MANY ? REPEATED : 0;
    return drawn;
}

float *lab_drawn_f32(struct lab *lab, const struct lab_drawn *drawn) {
    float *data = lab_memory(lab, drawn->n * sizeof *data);

    lab_drawn_make(drawn, 0, drawn->n, data);
    lab_probe_place(lab, drawn->array, data);
    return data;
}

#include "labs/06-warps-and-occupancy/tests/seats.h"

#include <string.h>

#include "common/base/each_cpu.h"

enum { WARP = 32 };

/* -- Who sits where -- */

/* Each has another number of threads. */
static const unsigned shapes[][3] = {
    {1, 1, 1},   {2, 2, 2},   {3, 2, 2}, {31, 1, 1},  {32, 1, 1},   {1, 33, 1},   {4, 4, 3},
    {5, 4, 3},   {1, 1, 63},  {8, 8, 1}, {3, 32, 1},  {20, 5, 1},   {2, 1, 64},   {5, 1, 40},
    {16, 16, 1}, {5, 10, 10}, {8, 8, 8}, {31, 32, 1}, {10, 10, 10}, {1023, 1, 1}, {16, 32, 2},
};

static size_t n_warps(const struct seats *seats) {
    return (seats->nx * seats->ny * seats->nz + WARP - 1) / WARP;
}

size_t seats_count(const struct seats *seats) {
    return seats->blocks * n_warps(seats) * WARP;
}

int32_t seats_nobody(size_t seat) {
    return -1000 - (int32_t)(seat % 97);
}

static int32_t *empty(struct lab *lab, size_t n) {
    int32_t *seats = lab_memory(lab, n * sizeof *seats);

    for (size_t i = 0; i < n; i++)
        seats[i] = seats_nobody(i);
    return seats;
}

void seats_args(struct lab *lab, struct seats *seats, struct call_arg args[SEATS_ARGS]) {
    size_t n = seats_count(seats);

    seats->x = empty(lab, n);
    seats->y = empty(lab, n);
    seats->z = empty(lab, n);
    args[0] = lab_u32("nx", seats->nx);
    args[1] = lab_u32("ny", seats->ny);
    args[2] = lab_u32("nz", seats->nz);
    args[3] = lab_u32("blocks", seats->blocks);
    args[4] = lab_inout("x", seats->x, n, sizeof(int32_t));
    args[5] = lab_inout("y", seats->y, n, sizeof(int32_t));
    args[6] = lab_inout("z", seats->z, n, sizeof(int32_t));
}

/* Thread `number` of each block sits at seat `number` of its block's. */
static bool compare(struct lab *lab, const struct seats *seats) {
    size_t n = seats_count(seats), of_a_block = n_warps(seats) * WARP;
    size_t n_threads = seats->nx * seats->ny * seats->nz;
    int32_t *x = empty(lab, n), *y = empty(lab, n), *z = empty(lab, n);

    for (size_t i = 0; i < n; i++) {
        size_t number = i % of_a_block;

        if (number >= n_threads)
            continue;
        x[i] = (int32_t)(number % seats->nx);
        y[i] = (int32_t)(number / seats->nx % seats->ny);
        z[i] = (int32_t)(number / seats->nx / seats->ny);
    }
    return lab_expect_i32(lab, "x", seats->x, x, n) && lab_expect_i32(lab, "y", seats->y, y, n) &&
           lab_expect_i32(lab, "z", seats->z, z, n);
}

bool seats_call(struct lab *lab, struct seats *seats) {
    struct call_arg args[SEATS_ARGS];

    seats_args(lab, seats, args);
    lab_describe(lab, "%u block%s of %u × %u × %u threads", seats->blocks,
                 seats->blocks == 1 ? "" : "s", seats->nx, seats->ny, seats->nz);
    lab_set_diagnoser(lab, seats_diagnose);
    if (!lab_call_args(lab, "seat_threads", args, SEATS_ARGS) || !compare(lab, seats))
        return false;
    size_t bytes = (size_t)seats->blocks * seats->nx * seats->ny * seats->nz * sizeof *seats->x;
    return lab_expect_stored(lab, "x", bytes) && lab_expect_stored(lab, "y", bytes) &&
           lab_expect_stored(lab, "z", bytes);
}

void seats_case(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = c->block, .ny = 1, .nz = 1, .blocks = (unsigned)c->n};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i][0] * shapes[i][1] * shapes[i][2] == c->block) {
            seats.nx = shapes[i][0];
            seats.ny = shapes[i][1];
            seats.nz = shapes[i][2];
        }
    seats_call(lab, &seats);
}

/* -- Two ways to mix a number -- */

enum { EVEN_ROUNDS = 32, ODD_ROUNDS = 16 };

static inline uint32_t even_round(uint32_t bits) {
    bits = bits * bits + 0x9e3779b9u;
    return bits ^ bits >> 16;
}

static inline uint32_t odd_round(uint32_t bits) {
    bits ^= bits << 13;
    bits ^= bits >> 17;
    return bits ^ bits << 5;
}

int32_t mix_number(size_t i, int32_t number) {
    uint32_t bits = (uint32_t)number;

    if (i % 2 == 0)
        for (int round = 0; round < EVEN_ROUNDS; round++)
            bits = even_round(bits);
    else
        for (int round = 0; round < ODD_ROUNDS; round++)
            bits = odd_round(bits);
    return (int32_t)bits;
}

/* The same of many: a round of a row of them at a time, of which compilers make vectors. */
enum { ROW = 256 };

FOR_EACH_CPU static void mix_evens(uint32_t row[ROW]) {
    for (int round = 0; round < EVEN_ROUNDS; round++)
        for (int i = 0; i < ROW; i++)
            row[i] = even_round(row[i]);
}

FOR_EACH_CPU static void mix_odds(uint32_t row[ROW]) {
    for (int round = 0; round < ODD_ROUNDS; round++)
        for (int i = 0; i < ROW; i++)
            row[i] = odd_round(row[i]);
}

/* Of numbers whose first place is even, as that of each piece of lab_out_made is. */
static void mix_piece(int32_t *numbers, size_t n) {
    for (size_t at = 0; at < n; at += 2 * ROW) {
        const size_t end = at + 2 * ROW < n ? at + 2 * ROW : n;
        uint32_t rows[2][ROW] = {{0}};

        for (size_t i = at; i < end; i++)
            rows[i % 2][(i - at) / 2] = (uint32_t)numbers[i];
        mix_evens(rows[0]);
        mix_odds(rows[1]);
        for (size_t i = at; i < end; i++)
            numbers[i] = (int32_t)rows[i % 2][(i - at) / 2];
    }
}

void mix_args(struct lab *lab, const struct lab_case *c, struct call_arg args[MIX_ARGS]) {
    args[0] = lab_in("in", lab_random_i32(lab, c->n), c->n, sizeof(int32_t));
    args[1] = lab_size(c->n);
    args[2] = lab_u32("block", c->block);
    args[3] = lab_out("out", lab_memory(lab, c->n * sizeof(int32_t)), c->n, sizeof(int32_t));
}

static void make_mixed(const void *context, size_t first, size_t count, int32_t *to) {
    const struct mapped *map = context;

    lab_drawn_make(&map->in, first, count, to);
    mix_piece(to, count);
}

static size_t mapped_args(struct lab *lab, struct mapped *map, unsigned block,
                          struct call_arg *args) {
    (void)lab;
    map->out = (struct lab_made){.make = make_mixed, .context = map, .n = map->in.n};
    args[0] = lab_in_drawn("in", &map->in);
    args[1] = lab_size(map->in.n);
    args[2] = lab_u32("block", block);
    args[3] = lab_out_made("out", &map->out);
    return MIX_ARGS;
}

struct mapped mix_mapped(void) {
    return (struct mapped){
        .function = "mix_by_warps", .diagnoser = seats_diagnose, .args = mapped_args};
}

bool mix_by(struct lab *lab, const struct lab_case *c, const char *function) {
    static const unsigned small_blocks[] = {64};
    struct call_arg args[MIX_ARGS];
    int32_t *right = lab_memory(lab, c->n * sizeof *right);

    mix_args(lab, c, args);
    memcpy(right, args[0].data, c->n * sizeof *right);
    mix_piece(right, c->n);
    lab_set_diagnoser(lab, seats_diagnose);
    lab_set_small_blocks(lab, small_blocks, 1);
    return lab_call_args(lab, function, args, MIX_ARGS) &&
           lab_expect_i32(lab, "out", args[3].data, right, c->n);
}

void mix_case(struct lab *lab, const struct lab_case *c) {
    mix_by(lab, c, "mix_by_warps");
}

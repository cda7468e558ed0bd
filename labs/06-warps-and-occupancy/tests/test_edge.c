/* Shapes, sizes and limits at which indices and roundings go wrong. */
#include <string.h>

#include "labs/06-warps-and-occupancy/tests/limits.h"
#include "labs/06-warps-and-occupancy/tests/seats.h"
#include "labs/common/sampled.h"

/* With room for a busy machine. */
enum { MILLION_MS = 20000 };

LAB_TEST(edge, seats_blocks_of_any_shape) {
    static const size_t sizes[] = {0, 1, 2, 3, 7};
    static const unsigned blocks[] = {1,   8,   12,  31,  32,  33,  48,  60,   63,   64,  96,
                                      100, 128, 200, 256, 500, 512, 992, 1000, 1023, 1024};

    LAB_SWEEP(lab, sizes, blocks, seats_case);
}

LAB_TEST(edge, mixes_any_number) {
    static const size_t sizes[] = {0,   1,   2,   3,   31,  32,  33,   63,   64,   65,  127,
                                   128, 129, 255, 257, 511, 513, 1023, 1024, 1025, 5003};
    static const unsigned blocks[] = {64, 256, 1024};

    LAB_SWEEP(lab, sizes, blocks, mix_case);
}

LAB_TEST(edge, mixes_in_any_block) {
    static const size_t sizes[] = {1, 97, 1000, 4096};
    static const unsigned blocks[] = {64, 128, 192, 320, 512, 704, 960, 1024};

    LAB_SWEEP(lab, sizes, blocks, mix_case);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes, blocks, mix_case);
}

/* So many seats that a place in 31 bits is too short: blocks of 16 × 8 × 8 threads. */
enum { NX = 16, NY = 8, NZ = 8, SEATED = NX * NY * NZ };
static const size_t most_seats = (size_t)3 << 30;

static void seats_by_number(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = NX, .ny = NY, .nz = NZ};

    seats.blocks = (unsigned)((c->n + SEATED - 1) / SEATED);
    seats_call(lab, &seats);
}

static void far_seats_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    if (c->n > INT32_MAX &&
        (strcmp(verdict, "wrong_answer") == 0 || lab_finding(lab, "out_of_bounds")))
        lab_diagnose(lab, "index_overflow");
}

static bool is_seated(const struct call_arg seats[3], size_t first) {
    for (size_t i = 0; i < SEATED; i++) {
        const int32_t place[3] = {(int32_t)(i % NX), (int32_t)(i / NX % NY),
                                  (int32_t)(i / NX / NY)};

        for (size_t axis = 0; axis < 3; axis++)
            if (((const int32_t *)seats[axis].data)[first + i] != place[axis])
                return false;
    }
    return true;
}

/* A sample of the blocks is seated. */
static void seats_sampled(struct lab *lab, const struct lab_case *c) {
    const size_t n_blocks = c->n / SEATED;
    struct lab_shares shares = {.what = "the threads are seated right in",
                                .of_first = "blocks of the lower half",
                                .of_last = "of the upper half",
                                .least = LAB_PLACES / 8};
    struct call_arg args[SEATS_ARGS] = {
        lab_u32("nx", NX),
        lab_u32("ny", NY),
        lab_u32("nz", NZ),
        lab_u32("blocks", (uint32_t)n_blocks),
        lab_out_sparse("x", c->n, sizeof(int32_t)),
        lab_out_sparse("y", c->n, sizeof(int32_t)),
        lab_out_sparse("z", c->n, sizeof(int32_t)),
    };
    size_t places[LAB_PLACES];

    lab_describe(lab, "%zu blocks of %u × %u × %u threads", n_blocks, NX, NY, NZ);
    lab_set_diagnoser(lab, far_seats_diagnose);
    if (!lab_call_sampled(lab, "seat_threads", args, SEATS_ARGS))
        return;
    lab_sampled_places(lab, n_blocks, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        bool is_right = is_seated(args + 4, places[i] * SEATED);

        shares.first += is_right && i % 2 == 0;
        shares.last += is_right && i % 2 != 0;
    }
    lab_expect_alike(lab, &shares);
}

LAB_TEST(edge, seats_more_than_2_31) {
    if (lab_on_gpu(lab))
        lab_skip(lab, "The simulator looks at a sample of the blocks here; a GPU does not.");
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, SEATED, most_seats, seats_by_number, seats_sampled);
}

static void mix_gigabytes(struct lab *lab, const struct lab_case *c) {
    struct mapped mix = mix_mapped();

    if (c->n <= MAPPED_IN_MEMORY)
        mix_case(lab, c);
    else
        mapped_case(lab, c, &mix);
}

/* Numbers that are looked at behind a place: of the threads of one block. */
enum { WINDOW = 16 };

static bool is_mixed(const int32_t *out, size_t place) {
    for (size_t i = place; i < place + WINDOW; i++)
        if (out[i] != mix_number(i, 1))
            return false;
    return true;
}

/* A grid of fewer threads than numbers: its blocks, which have mixed one number a thread, have to
 * go on to the number that lies as far behind as the grid has threads. */
static bool leaves_second_turn(struct lab *lab, size_t n, const int32_t *out) {
    const struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));
    const size_t n_threads = launch.n_blocks * launch.n_threads;
    size_t places[LAB_PLACES], n_first = 0, n_second = 0;

    if (n_threads < LAB_PLACES * WINDOW || n_threads > n / 2)
        return false;
    lab_sampled_places(lab, launch.n_blocks, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        const size_t place = places[i] * launch.n_threads;

        n_first += is_mixed(out, place);
        n_second += is_mixed(out, place) && is_mixed(out, place + n_threads);
    }
    if (n_first < LAB_PLACES / 8 || n_second > n_first / 2)
        return false;
    lab_fail(lab, "wrong_answer",
             "%s: the grid has %zu threads, and there are %zu numbers. Its threads have left out "
             "their second ones.",
             lab_function(lab), n_threads, n);
    return true;
}

/* A sample of the blocks mixes ones, into *out unless that is NULL. */
static bool call_mix(struct lab *lab, const struct lab_case *c, const int32_t **out) {
    const size_t n_ones = c->n / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
    struct call_arg args[] = {
        lab_in_set("in", 1, 0, n_ones, c->n),
        lab_size(c->n),
        lab_u32("block", c->block),
        lab_out_sparse("out", c->n, sizeof(int32_t)),
    };
    const bool is_good = lab_call_sampled(lab, "mix_by_warps", args, sizeof args / sizeof *args);

    if (out)
        *out = args[3].data;
    return is_good;
}

static bool call_again(struct lab *lab, const struct lab_case *c, const void *context) {
    (void)context;
    return call_mix(lab, c, NULL);
}

static void mix_sampled(struct lab *lab, const struct lab_case *c) {
    struct lab_shares shares = {.what = "the ones are mixed at",
                                .of_first = "places of the lower half",
                                .of_last = "of the upper half",
                                .least = LAB_PLACES / 8};
    size_t places[LAB_PLACES];
    const int32_t *out;

    lab_set_diagnoser(lab, sampled_diagnose);
    if (!call_mix(lab, c, &out) || leaves_second_turn(lab, c->n, out))
        return;
    lab_sampled_places(lab, c->n, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        bool is_right = places[i] + WINDOW <= c->n && is_mixed(out, places[i]);

        shares.first += is_right && i % 2 == 0;
        shares.last += is_right && i % 2 != 0;
    }
    if (lab_expect_alike(lab, &shares))
        sampled_expect_all(lab, c, SAMPLED_ONCE, call_again, NULL);
}

static void mix_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, mix_case, mix_sampled);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        mapped_sizes(lab, (size_t)1 << 28, 256, mix_gigabytes);
    else
        mix_large(lab, 0);
}

/* More than 2^31 numbers: an index that was computed as an int turns negative. */
LAB_TEST(edge, handles_index_beyond_int) {
    if (lab_on_gpu(lab))
        mapped_sizes(lab, ((size_t)1 << 31) + 1001, 256, mix_gigabytes);
    else
        mix_large(lab, ((size_t)1 << 33) + (1 << 24) + 501);
}

/* All rows; those of compute capability 1.2 only by threads. */
static void all_by_threads(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_THREADS, 0, c->n, NULL);
}

static void all_by_registers(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_REGISTERS, 3, c->n, NULL);
}

static void all_by_shared(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_SHARED, 3, c->n, NULL);
}

static void all_by_all(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_ALL, 3, c->n, NULL);
}

LAB_TEST(edge, counts_any_block_by_threads) {
    lab_one(lab, LIMITS_ROWS, 1, all_by_threads);
}

LAB_TEST(edge, counts_any_block_by_registers) {
    lab_one(lab, LIMITS_ROWS - 3, 1, all_by_registers);
}

LAB_TEST(edge, counts_any_block_by_shared) {
    lab_one(lab, LIMITS_ROWS - 3, 1, all_by_shared);
}

LAB_TEST(edge, counts_any_resident_blocks) {
    lab_one(lab, LIMITS_ROWS - 3, 1, all_by_all);
}

static void ask_often(struct lab *lab, const struct lab_case *c) {
    static const unsigned threads[] = {1, 32, 33, 100, 256, 768, 1024};
    static const unsigned bytes[] = {0, 24, 280, 3096, 15400, 20900, 40000, 50000};
    struct limits_here here[56];

    for (size_t i = 0; i < c->n; i++)
        here[i] = (struct limits_here){threads[i / 8], bytes[i % 8]};
    limits_call_here(lab, here, c->n);
}

LAB_TEST(edge, asks_for_any_block) {
    lab_one(lab, 56, 1, ask_often);
}

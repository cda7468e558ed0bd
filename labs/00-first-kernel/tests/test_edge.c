/* Sizes at which launches and bounds go wrong. All numbers are drawn: no two neighbours are equal,
 * so an index that is off by one shows. */
#include "labs/00-first-kernel/tests/map_case.h"
#include "labs/common/sampled.h"

/* With room for a busy machine. */
enum { MILLION_MS = 20000 };

enum { FACTOR = 3 };

static const unsigned usual_blocks[] = {32, 256, 1024};

LAB_TEST(edge, handles_sizes_around_a_block) {
    static const size_t sizes[] = {0,   1,   2,   31,  32,  33,   63,   65,   255,
                                   256, 257, 511, 513, 769, 1023, 1024, 1025, 5003};

    MAP_SWEEP(lab, sizes, usual_blocks, scale_case);
}

LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096};
    static const unsigned blocks[] = {1, 2, 3, 31, 33, 96, 100, 500, 512, 1000, 1023, 1024};

    MAP_SWEEP(lab, sizes, blocks, scale_case);
}

/* The last size is more than the pieces in which somebody may copy. */
LAB_TEST(edge, handles_host_arrays_of_any_size) {
    static const size_t sizes[] = {0, 1, 7, 255, 256, 257, 1000, 4097, 20011, 200003};
    static const unsigned blocks[] = {256};

    MAP_SWEEP(lab, sizes, blocks, host_case);
}

/* Rows without a gap, of a width and height that blocks do not divide. */
static void tight_picture(struct lab *lab, const struct lab_case *c) {
    negative_of(lab, (unsigned)c->n, 1 + (unsigned)(5 * c->n % 19), c->n);
}

/* Few pixels in a row, many rows. */
static void tall_picture(struct lab *lab, const struct lab_case *c) {
    negative_of(lab, (unsigned)c->n, 70001, c->n);
}

/* One row, or two. */
static void wide_picture(struct lab *lab, const struct lab_case *c) {
    if (negative_of(lab, (unsigned)c->n, 1, c->n))
        negative_of(lab, (unsigned)c->n, 2, c->n);
}

LAB_TEST(edge, handles_pictures_of_any_size) {
    static const size_t sizes[] = {0, 1, 2, 7, 31, 32, 33, 40, 63, 65, 100, 257, 1000};
    static const unsigned blocks[] = {32};

    MAP_SWEEP(lab, sizes, blocks, tight_picture);
    lab_one(lab, 5, 32, wide_picture);
    lab_one(lab, 70001, 32, wide_picture);
    lab_one(lab, 3, 32, tall_picture);
}

LAB_TEST(edge, handles_gaps_between_rows) {
    static const size_t sizes[] = {1, 2, 3, 30, 31, 33, 63, 65, 101, 257};
    static const unsigned blocks[] = {32};

    MAP_SWEEP(lab, sizes, blocks, negative_case);
}

/* Fewer numbers than threads, as many, and many more. */
LAB_TEST(edge, handles_any_grid) {
    static const size_t sizes[] = {0, 1, 33, 255, 256, 257, 1009, 5003, 20011};
    static const unsigned blocks[] = {1, 32, 100, 256, 1024};

    MAP_SWEEP(lab, sizes, blocks, strided_case);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    lab_allow_ms(lab, MILLION_MS);
    MAP_SWEEP(lab, sizes, blocks, scale_case);
}

static void scale_gigabytes(struct lab *lab, const struct lab_case *c) {
    enum { IN_MEMORY = 1 << 24 };
    struct scale_made made = {.in = lab_draw(lab, LAB_I32, c->n), .factor = FACTOR};
    struct call_arg args[SCALE_N_ARGS];

    if (c->n <= IN_MEMORY) {
        scale_case(lab, c);
        return;
    }
    lab_set_diagnoser(lab, map_diagnose);
    scale_made_args(&made, c->block, args);
    if (lab_call_args(lab, "scale", args, SCALE_N_ARGS))
        lab_expect_made(lab, "out", &made.out);
}

/* On a GPU, smaller sizes first: what is wrong there, too, is wrong for another reason than the
 * size. The time limit allows 128 MB a second, there and back. */
static void scale_on_gpu(struct lab *lab, size_t n) {
    const size_t sizes[] = {513, (1 << 20) + 1, n}, bytes = 2 * n * sizeof(int32_t);
    static const unsigned blocks[] = {256};

    lab_need_gpu(lab, bytes + bytes / 64);
    lab_allow_ms(lab, 5000 + (int)(bytes >> 17));
    MAP_SWEEP(lab, sizes, blocks, scale_gigabytes);
}

/* Numbers that are looked at behind a place: of the threads of one block. */
enum { WINDOW = 16 };

static bool is_scaled(const int32_t *out) {
    for (size_t i = 0; i < WINDOW; i++)
        if (out[i] != FACTOR)
            return false;
    return true;
}

/* A sample of the blocks multiplies ones. */
static void scale_sampled(struct lab *lab, const struct lab_case *c) {
    size_t n_ones = c->n / CALL_SPARSE_STEP * CALL_SPARSE_STEP, places[LAB_PLACES];
    struct lab_shares shares = {.what = "the ones are multiplied at",
                                .of_first = "places of the lower half",
                                .of_last = "of the upper half",
                                .least = LAB_PLACES / 8};
    struct call_arg args[] = {
        lab_in_set("in", 1, 0, n_ones, c->n),
        lab_size(c->n),
        {.kind = CALL_ARG_I32, .name = "factor", .value.i64 = FACTOR},
        lab_u32("block", c->block),
        lab_out_sparse("out", c->n, sizeof(int32_t)),
    };
    const int32_t *out;

    lab_set_diagnoser(lab, sampled_diagnose);
    if (!lab_call_sampled(lab, "scale", args, sizeof args / sizeof *args))
        return;
    out = args[4].data;
    lab_sampled_places(lab, c->n, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        bool is_right = places[i] + WINDOW <= c->n && is_scaled(out + places[i]);

        shares.first += is_right && i % 2 == 0;
        shares.last += is_right && i % 2 != 0;
    }
    lab_expect_alike(lab, &shares);
}

static void scale_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, scale_case, scale_sampled);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        scale_on_gpu(lab, (size_t)1 << 28);
    else
        scale_large(lab, 0);
}

/* More than 2^31 numbers: an index that was computed as an int turns negative. */
LAB_TEST(edge, handles_index_beyond_int) {
    if (lab_on_gpu(lab))
        scale_on_gpu(lab, ((size_t)1 << 31) + 1001);
    else
        scale_large(lab, ((size_t)1 << 33) + (1 << 24) + 1001);
}

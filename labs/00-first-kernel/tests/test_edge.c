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

    LAB_SWEEP(lab, sizes, usual_blocks, scale_case);
}

LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096};
    static const unsigned blocks[] = {1, 2, 3, 31, 33, 96, 100, 500, 512, 1000, 1023, 1024};

    LAB_SWEEP(lab, sizes, blocks, scale_case);
}

/* The last size is more than the pieces in which somebody may copy. */
LAB_TEST(edge, handles_host_arrays_of_any_size) {
    static const size_t sizes[] = {0,   1,   7,    255,  256,   257,   273,
                                   289, 305, 1000, 4097, 20011, 200003};
    static const unsigned blocks[] = {256};

    LAB_SWEEP(lab, sizes, blocks, host_case);
}

/* Rows without a gap, of a width and height that blocks do not divide. */
static void tight_picture(struct lab *lab, const struct lab_case *c) {
    negative_of(lab, (unsigned)c->n, 1 + (unsigned)(5 * c->n % 19), c->n);
}

/* Few pixels in a row, many rows. */
static void tall_picture(struct lab *lab, const struct lab_case *c) {
    negative_of(lab, (unsigned)c->n, 70001, c->n);
}

/* Rows of no pixels, and no rows. */
static void no_picture(struct lab *lab, const struct lab_case *c) {
    enum { WIDTH = 40 };

    (void)c;
    if (negative_of(lab, WIDTH, 0, WIDTH))
        negative_of(lab, 0, WIDTH, WIDTH);
}

/* One row, or two. */
static void wide_picture(struct lab *lab, const struct lab_case *c) {
    if (negative_of(lab, (unsigned)c->n, 1, c->n))
        negative_of(lab, (unsigned)c->n, 2, c->n);
}

LAB_TEST(edge, handles_pictures_of_any_size) {
    static const size_t sizes[] = {0, 1, 2, 7, 31, 32, 33, 40, 63, 65, 100, 257, 1000};
    static const unsigned blocks[] = {32};

    LAB_SWEEP(lab, sizes, blocks, tight_picture);
    lab_one(lab, 0, 32, no_picture);
    lab_one(lab, 5, 32, wide_picture);
    lab_one(lab, 70001, 32, wide_picture);
    lab_one(lab, 3, 32, tall_picture);
}

LAB_TEST(edge, handles_gaps_between_rows) {
    static const size_t sizes[] = {1, 2, 3, 30, 31, 33, 63, 65, 101, 257};
    static const unsigned blocks[] = {32};

    LAB_SWEEP(lab, sizes, blocks, negative_case);
}

/* Fewer numbers than threads, as many, and many more. */
LAB_TEST(edge, handles_any_grid) {
    static const size_t sizes[] = {0, 1, 33, 255, 256, 257, 1009, 5003, 20011};
    static const unsigned blocks[] = {1, 32, 100, 256, 1024};

    LAB_SWEEP(lab, sizes, blocks, strided_case);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes, blocks, scale_case);
}

static void scale_gigabytes(struct lab *lab, const struct lab_case *c) {
    struct scale_mapped scale = scale_mapped(FACTOR);

    if (c->n <= MAPPED_IN_MEMORY)
        scale_case(lab, c);
    else
        mapped_case(lab, c, &scale.map);
}

/* Numbers that are looked at behind a place: of the threads of one block. */
enum { WINDOW = 16 };

/* Pixels of a row of a large picture. */
enum { WIDE = 1 << 15 };

static bool is_scaled(const int32_t *out) {
    for (size_t i = 0; i < WINDOW; i++)
        if (out[i] != FACTOR)
            return false;
    return true;
}

/* Elements of n of which the first so many hold ones. */
static size_t n_ones(size_t n) {
    return n / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
}

static size_t sampled_args(const struct lab_case *c, struct call_arg args[MAP_MAX_ARGS]) {
    args[0] = lab_in_set("in", 1, 0, n_ones(c->n), c->n);
    args[1] = lab_size(c->n);
    args[2] = (struct call_arg){.kind = CALL_ARG_I32, .name = "factor", .value.i64 = FACTOR};
    args[3] = lab_u32("block", c->block);
    args[4] = lab_out_sparse("out", c->n, sizeof(int32_t));
    return 5;
}

static const struct lab_shares halves = {.what = "the ones are multiplied at",
                                         .of_first = "places of the lower half",
                                         .of_last = "of the upper half",
                                         .least = LAB_PLACES / 8};

/* Places whose numbers are right, of the first `n` in the lower half and the upper half. */
static void count_scaled(struct lab *lab, const int32_t *out, size_t n, struct lab_shares *shares) {
    size_t places[LAB_PLACES];

    lab_sampled_places(lab, n, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        bool is_right = places[i] + WINDOW <= n && is_scaled(out + places[i]);

        shares->first += is_right && i % 2 == 0;
        shares->last += is_right && i % 2 != 0;
    }
}

/* A sample of the blocks multiplies ones. */
static void scale_sampled(struct lab *lab, const struct lab_case *c) {
    struct lab_shares shares = halves;
    struct call_arg args[MAP_MAX_ARGS];

    lab_set_diagnoser(lab, sampled_diagnose);
    if (!lab_call_briefly(lab, "scale", args, sampled_args(c, args)))
        return;
    count_scaled(lab, args[4].data, c->n, &shares);
    /* Of another grid the sample has other blocks, and nothing is to be seen at these places. */
    if (shares.first < shares.least && shares.last < shares.least &&
        !lab_expect_grid(lab, c->block, (c->n + c->block - 1) / c->block))
        return;
    if (lab_expect_alike(lab, &shares))
        lab_expect_grid(lab, c->block, (c->n + c->block - 1) / c->block);
}

/* The same with so many threads that few, those of the first blocks, have a second number. Of
 * 2^33 threads 32 bits leave none. */
static void stride_sampled(struct lab *lab, const struct lab_case *c) {
    const size_t n_threads = c->n > UINT32_MAX ? (size_t)1 << 33 : c->n / 2;
    struct lab_shares shares = halves;
    struct call_arg args[MAP_MAX_ARGS];

    lab_set_diagnoser(lab, sampled_diagnose);
    sampled_args(c, args);
    args[5] = args[4];
    args[4] = lab_u32("blocks", (uint32_t)(n_threads / c->block));
    if (!lab_call_briefly(lab, "scale_strided", args, 6))
        return;
    const int32_t *out = args[5].data;
    count_scaled(lab, out, n_threads, &shares);
    if (lab_expect_alike(lab, &shares) && !is_scaled(out + n_threads))
        lab_fail(lab, "wrong_answer",
                 "%s: the grid has %zu threads, and those of block 0 have left out their second "
                 "numbers.",
                 lab_function(lab), n_threads);
}

/* The negative of ones, in rows with a gap: how many blocks of the lower half of the picture and of
 * the upper half have made theirs. */
static void count_pixels(struct lab *lab, const int32_t *out, size_t n_blocks, size_t row,
                         struct lab_shares *shares) {
    size_t places[LAB_PLACES];

    lab_sampled_places(lab, n_blocks, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        const int32_t *pixels =
            out + places[i] / (WIDE / 32) * 8 * row + places[i] % (WIDE / 32) * 32;
        bool is_right = true;

        for (size_t x = 0; x < WINDOW; x++)
            is_right &= pixels[x] == 254;
        shares->first += is_right && i % 2 == 0;
        shares->last += is_right && i % 2 != 0;
    }
}

static void picture_sampled(struct lab *lab, const struct lab_case *c) {
    const size_t height = c->n / WIDE, row = WIDE + WINDOW;
    struct lab_shares shares = {.what = "the negative is right at",
                                .of_first = "places of the upper half",
                                .of_last = "of the lower half",
                                .least = LAB_PLACES / 8};
    struct call_arg args[] = {
        lab_in_set("in", 1, 0, n_ones(height * row), height * row),
        lab_u32("width", WIDE),
        lab_u32("height", (uint32_t)height),
        {.kind = CALL_ARG_U64, .name = "pitch", .value.u64 = row * sizeof(int32_t)},
        lab_out_sparse("out", height * row, sizeof(int32_t)),
    };

    lab_set_diagnoser(lab, sampled_diagnose);
    if (!lab_call_briefly(lab, "negative", args, sizeof args / sizeof *args))
        return;
    count_pixels(lab, args[4].data, WIDE / 32 * (height / 8), row, &shares);
    lab_expect_alike(lab, &shares);
}

/* Rows that lie further apart than 32 bits can say: ones, of which all blocks make the negative. */
static void far_rows(struct lab *lab, const struct lab_case *c) {
    enum { HEIGHT = 8 };
    const size_t row = c->n / HEIGHT;
    struct call_arg args[] = {
        lab_in_set("in", 1, 0, n_ones(c->n), c->n),
        lab_u32("width", WINDOW),
        lab_u32("height", HEIGHT),
        {.kind = CALL_ARG_U64, .name = "pitch", .value.u64 = row * sizeof(int32_t)},
        lab_out_sparse("out", c->n, sizeof(int32_t)),
    };

    lab_set_diagnoser(lab, sampled_diagnose);
    if (!lab_call_briefly(lab, "negative", args, sizeof args / sizeof *args))
        return;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WINDOW; x++)
            if (((const int32_t *)args[4].data)[y * row + x] != 254)
                lab_fail(lab, "wrong_answer",
                         "%s: rows of %zu bytes; pixel %zu of row %zu is %d, and must be 254.",
                         lab_function(lab), row * sizeof(int32_t), x, y,
                         ((const int32_t *)args[4].data)[y * row + x]);
}

static void scale_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, scale_case, scale_sampled);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        mapped_sizes(lab, (size_t)1 << 28, 256, scale_gigabytes);
    else
        scale_large(lab, 0);
}

/* More than 2^31 numbers: an index that was computed as an int turns negative. */
LAB_TEST(edge, handles_index_beyond_int) {
    if (lab_on_gpu(lab))
        mapped_sizes(lab, ((size_t)1 << 31) + 1001, 256, scale_gigabytes);
    else
        scale_large(lab, ((size_t)1 << 33) + (1 << 24) + 201); /* a float rounds it down */
}

/* More than the simulator's device holds. Of their bytes 32 bits keep 32. */
static const size_t beyond_memory = ((size_t)1 << 32) + 8;

static void host_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    (void)c, (void)verdict;
    if (lab_finding(lab, "out_of_bounds"))
        lab_diagnose(lab, "bytes_in_32_bits");
}

static void host_beyond_memory(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[] = {
        lab_host_in_sparse("in", c->n, sizeof(int32_t)),
        lab_size(c->n),
        {.kind = CALL_ARG_I32, .name = "factor", .value.i64 = FACTOR},
        lab_host_out_sparse("out", c->n, sizeof(int32_t)),
    };

    lab_set_diagnoser(lab, host_diagnose);
    lab_call_beyond_memory(lab, "scale_on_host", "arrays of more than 16 GB", args,
                           sizeof args / sizeof *args);
}

LAB_TEST(edge, copies_no_part_of_what_has_no_room) {
    if (lab_on_gpu(lab))
        lab_skip(lab, "The simulator has 16 GB of memory; this GPU may have more.");
    lab_one(lab, 5003, 256, host_case);
    lab_one(lab, beyond_memory, 256, host_beyond_memory);
}

/* Sizes of the other functions that no GPU's test has. */
static void sample_on_simulator(struct lab *lab, size_t beyond, lab_case_body *body,
                                lab_case_body *sampled_body) {
    if (lab_on_gpu(lab))
        lab_skip(lab, "The simulator looks at a sample of the blocks here; a GPU does not.");
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, body, sampled_body);
}

LAB_TEST(edge, strides_beyond_32_bits) {
    sample_on_simulator(lab, ((size_t)1 << 33) + (1 << 24), strided_case, stride_sampled);
}

/* The bytes before a row are more than 32 bits hold. */
LAB_TEST(edge, handles_pictures_beyond_4_gigabytes) {
    sample_on_simulator(lab, (size_t)1 << 33, negative_case, picture_sampled);
    lab_one(lab, ((size_t)1 << 33) + 512, 256, far_rows);
}

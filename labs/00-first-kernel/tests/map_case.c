#include "labs/00-first-kernel/tests/map_case.h"

#include <string.h>

enum { HOST_BLOCK = 256, WHITE = 255, BESIDE = -1000, FEW = 64, MANY = 1 << 16 };

/* 2 to 9 for few numbers, which a reader is to see through, and any other 32 bits for more: neither
 * 0 nor 1, with which mistakes would not show. Some sizes have those, and their like. */
static int32_t draw_factor(const struct lab_case *c) {
    static const int32_t special[] = {0, 1, -1, INT32_MIN};
    const size_t turn = c->n / 16 + c->n / 64 + c->block / 32;

    if (c->n <= FEW || c->n > MANY)
        return 2 + (int32_t)(c->seed % 8);
    if (c->n % 16 == 1)
        return special[turn % (sizeof special / sizeof *special)];
    return (int32_t)(c->seed >> 32 | 0x10002);
}

static int32_t times(int32_t number, int32_t factor) {
    return (int32_t)((uint32_t)factor * (uint32_t)number);
}

static int32_t *scaled(struct lab *lab, const int32_t *in, size_t n, int32_t factor) {
    int32_t *right = lab_memory(lab, n * sizeof *right);

    for (size_t i = 0; i < n; i++)
        right[i] = times(in[i], factor);
    return right;
}

static struct call_arg factor_arg(int32_t factor) {
    return (struct call_arg){.kind = CALL_ARG_I32, .name = "factor", .value.i64 = factor};
}

/* -- The arguments, in order -- */

/* Drawn numbers are never 0; here every seventh is. */
static int32_t *draw_numbers(struct lab *lab, size_t n) {
    int32_t *numbers = lab_random_i32(lab, n);

    for (size_t i = 3; i < n; i += 7)
        numbers[i] = 0;
    return numbers;
}

static void make_scaled(const void *context, size_t first, size_t count, int32_t *to) {
    const struct scale_mapped *scale = context;

    lab_drawn_make(&scale->map.in, first, count, to);
    for (size_t i = 0; i < count; i++)
        to[i] = times(to[i], scale->factor);
}

static size_t mapped_args(struct lab *lab, struct mapped *map, unsigned block,
                          struct call_arg *args) {
    const struct scale_mapped *scale = (struct scale_mapped *)map;

    (void)lab;
    map->out = (struct lab_made){.make = make_scaled, .context = scale, .n = map->in.n};
    args[0] = lab_in_drawn("in", &map->in);
    args[1] = lab_size(map->in.n);
    args[2] = factor_arg(scale->factor);
    args[3] = lab_u32("block", block);
    args[4] = lab_out_made("out", &map->out);
    return 5;
}

struct scale_mapped scale_mapped(int32_t factor) {
    return (struct scale_mapped){
        .map = {.function = "scale", .diagnoser = map_diagnose, .args = mapped_args},
        .factor = factor,
    };
}

static size_t scale_args(struct lab *lab, const struct lab_case *c,
                         struct call_arg args[MAP_MAX_ARGS]) {
    args[0] = lab_in("in", draw_numbers(lab, c->n), c->n, sizeof(int32_t));
    args[1] = lab_size(c->n);
    args[2] = factor_arg(draw_factor(c));
    args[3] = lab_u32("block", c->block);
    args[4] = lab_out("out", lab_memory(lab, c->n * sizeof(int32_t)), c->n, sizeof(int32_t));
    return 5;
}

static size_t host_args(struct lab *lab, const struct lab_case *c,
                        struct call_arg args[MAP_MAX_ARGS]) {
    args[0] = lab_host_in("in", draw_numbers(lab, c->n), c->n, sizeof(int32_t));
    args[1] = lab_size(c->n);
    args[2] = factor_arg(draw_factor(c));
    args[3] = lab_host_out("out", lab_memory(lab, c->n * sizeof(int32_t)), c->n, sizeof(int32_t));
    return 4;
}

static size_t strided_args(struct lab *lab, const struct lab_case *c,
                           struct call_arg args[MAP_MAX_ARGS]) {
    size_t n_args = scale_args(lab, c, args);

    args[n_args] = args[n_args - 1];
    args[n_args - 1] = lab_u32("blocks", 1 + (unsigned)((7 * c->n + c->block) % 61));
    return n_args + 1;
}

static size_t picture_args(struct lab *lab, unsigned width, unsigned height, size_t row,
                           struct call_arg args[MAP_MAX_ARGS]) {
    size_t n = height * row;

    if (row > width)
        lab_leave_unread(lab);
    int32_t *in = lab_random_i32(lab, n), *out = lab_memory(lab, n * sizeof *out);

    for (size_t i = 0; i < n; i++) {
        in[i] &= WHITE;
        out[i] = BESIDE - (int32_t)(i % 100);
    }
    args[0] = lab_in("in", in, n, sizeof *in);
    args[1] = lab_u32("width", width);
    args[2] = lab_u32("height", height);
    args[3] = (struct call_arg){
        .kind = CALL_ARG_U64, .name = "pitch", .value.u64 = row * sizeof(int32_t)};
    args[4] = lab_inout("out", out, n, sizeof *out);
    return 5;
}

static size_t negative_args(struct lab *lab, const struct lab_case *c,
                            struct call_arg args[MAP_MAX_ARGS]) {
    return picture_args(lab, (unsigned)c->n, 4, c->n, args);
}

const struct map_function map_functions[MAP_FUNCTIONS] = {
    [MAP_SCALE] = {"scale", scale_case, scale_args},
    [MAP_ON_HOST] = {"scale_on_host", host_case, host_args},
    [MAP_NEGATIVE] = {"negative", negative_case, negative_args},
    [MAP_STRIDED] = {"scale_strided", strided_case, strided_args},
};

/* -- Who owns an element -- */

static uint64_t value(const struct lab *lab, const char *name, uint64_t otherwise) {
    const struct call_arg *arg = lab_argument(lab, name);

    return arg != NULL && arg->value.u64 > 0 ? arg->value.u64 : otherwise;
}

/* Thread i % block of block i / block; in a grid that is given, the first ones begin again. */
static struct lab_owner own_number(const struct lab *lab, const char *what, size_t index) {
    uint64_t block = value(lab, "block", HOST_BLOCK), blocks = value(lab, "blocks", UINT32_MAX);

    (void)what;
    return (struct lab_owner){.launch = 0,
                              .block = (int64_t)(index / block % blocks),
                              .thread = (int64_t)(index % block)};
}

/* A pixel's block and thread are pairs, which an owner is not. */
static struct lab_owner own_pixel(const struct lab *lab, const char *what, size_t index) {
    (void)lab, (void)what, (void)index;
    return (struct lab_owner){-1, -1, -1};
}

/* -- Cases -- */

/* Blocks in which few numbers are enough to go wrong, one of them no power of two. */
static const unsigned small_blocks[] = {2, 3, 4, 8};

/* The last argument is the output, the third the factor. */
static bool call_and_compare(struct lab *lab, const struct lab_case *c, int which,
                             struct call_arg args[MAP_MAX_ARGS], size_t n_args) {
    int32_t *right = scaled(lab, args[0].data, c->n, (int32_t)args[2].value.i64);

    lab_set_owner(lab, own_number);
    lab_set_diagnoser(lab, map_diagnose);
    lab_set_small_blocks(lab, small_blocks, sizeof small_blocks / sizeof *small_blocks);
    return lab_call_args(lab, map_functions[which].name, args, n_args) &&
           lab_expect_i32(lab, "out", args[n_args - 1].data, right, c->n);
}

static void map_case(struct lab *lab, const struct lab_case *c, int which) {
    struct call_arg args[MAP_MAX_ARGS];

    call_and_compare(lab, c, which, args, map_functions[which].args(lab, c, args));
}

void scale_case(struct lab *lab, const struct lab_case *c) {
    map_case(lab, c, MAP_SCALE);
}

void host_case(struct lab *lab, const struct lab_case *c) {
    map_case(lab, c, MAP_ON_HOST);
}

void strided_case(struct lab *lab, const struct lab_case *c) {
    map_case(lab, c, MAP_STRIDED);
}

bool scale_in_blocks(struct lab *lab, const struct lab_case *c, unsigned blocks) {
    struct call_arg args[MAP_MAX_ARGS];
    size_t n_args = strided_args(lab, c, args);

    args[4] = lab_u32("blocks", blocks);
    return call_and_compare(lab, c, MAP_STRIDED, args, n_args);
}

bool negative_of(struct lab *lab, unsigned width, unsigned height, size_t row) {
    struct call_arg args[MAP_MAX_ARGS];
    size_t n_args = picture_args(lab, width, height, row, args);
    const int32_t *in = args[0].data;
    int32_t *out = args[4].data, *right = lab_memory(lab, height * row * sizeof *right);

    memcpy(right, out, height * row * sizeof *right);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            right[y * row + x] = WHITE - in[y * row + x];
    lab_describe(lab, "width = %u, height = %u, pitch = %zu", width, height, row * sizeof *in);
    lab_set_owner(lab, own_pixel);
    lab_set_diagnoser(lab, map_diagnose);
    return lab_call_args(lab, "negative", args, n_args) &&
           lab_expect_i32(lab, "out", out, right, height * row) &&
           lab_expect_stored(lab, "out", (size_t)width * height * sizeof *out);
}

/* From one row to nineteen, with a gap of up to 15 ints. */
void negative_case(struct lab *lab, const struct lab_case *c) {
    negative_of(lab, (unsigned)c->n, 1 + (unsigned)(5 * c->n % 19), c->n + c->n % 4 * 5);
}

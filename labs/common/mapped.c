#include "labs/common/mapped.h"

static void begin(struct mapped *map) {
    if (map->begin)
        map->begin(map);
    lab_made_begin(&map->out);
}

void mapped_case(struct lab *lab, const struct lab_case *c, struct mapped *map) {
    struct call_arg args[CALL_MAX_ARGS];

    map->in = lab_draw_repeating(lab, LAB_I32, c->n);
    size_t n_args = map->args(lab, map, c->block, args);
    begin(map);
    lab_set_diagnoser(lab, map->diagnoser);
    if (lab_call_args(lab, map->function, args, n_args))
        lab_expect_made(lab, "out", &map->out);
}

/* The ints there and back, at 128 MB a second, which a busy machine may need. */
static void allow_bytes(struct lab *lab, size_t bytes) {
    lab_allow_ms(lab, 5000 + (int)(bytes >> 17));
}

void mapped_sizes(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    const size_t sizes[] = {513, (1 << 20) + 1, n}, bytes = 2 * n * sizeof(int32_t);
    const unsigned blocks[] = {block};

    lab_need_gpu(lab, bytes + bytes / 64);
    allow_bytes(lab, bytes);
    lab_sweep(lab, sizes, sizeof sizes / sizeof *sizes, blocks, 1, body);
}

static void refresh(void *state, uint64_t seed) {
    struct mapped *map = state;

    lab_drawn_anew(&map->in, seed);
    begin(map);
}

static bool is_right(const void *state) {
    const struct mapped *map = state;

    return lab_made_is_right(&map->out);
}

void mapped_time(struct lab *lab, struct mapped *map, size_t n, unsigned block) {
    struct call_arg args[CALL_MAX_ARGS];
    struct lab_bench bench = {
        .function = map->function,
        .n = n,
        .block = block,
        .bytes = 2 * n * sizeof(int32_t),
        .args = args,
        .refresh = refresh,
        .is_right = is_right,
        .state = map,
    };

    lab_need_gpu(lab, bench.bytes / 2 * 5);
    allow_bytes(lab, bench.bytes);
    lab_set_diagnoser(lab, map->diagnoser);
    map->in = (struct lab_drawn){.type = LAB_I32, .n = n};
    lab_drawn_by_stretches(lab, &map->in);
    bench.n_args = map->args(lab, map, block, args);
    lab_time(lab, &bench);
}

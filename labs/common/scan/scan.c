#include "labs/common/scan/scan.h"

#include "labs/common/levels.h"

static bool was_exclusive;

bool scan_was_exclusive(void) {
    return was_exclusive;
}

const char *scan_function(bool exclusive) {
    was_exclusive = exclusive;
    return exclusive ? "scan_exclusive" : "scan_inclusive";
}

void scan_reference(const int32_t *in, size_t n, bool exclusive, int32_t *out) {
    uint32_t sum = 0; /* unsigned wraps around; signed overflow is undefined in C */

    for (size_t i = 0; i < n; i++) {
        uint32_t before = sum;

        sum += (uint32_t)in[i];
        out[i] = (int32_t)(exclusive ? before : sum);
    }
}

static size_t count_pieces(const struct scan_mapped *scan) {
    return (scan->map.in.n + LAB_PIECE - 1) / LAB_PIECE;
}

/* The piece's own scan, in place. */
static void scan_piece(uint32_t sum, size_t count, bool exclusive, int32_t *numbers) {
    for (size_t i = 0; i < count; i++) {
        uint32_t before = sum;

        sum += (uint32_t)numbers[i];
        numbers[i] = (int32_t)(exclusive ? before : sum);
    }
}

/* Works out `before`: after the call, when the sums are known that were kept. */
static void sum_pieces(struct scan_mapped *scan) {
    uint32_t before = 0;

    pthread_mutex_lock(&scan->mutex);
    for (size_t i = 0; i < count_pieces(scan) && !scan->is_summed; i++) {
        scan->before[i] = before;
        before += (uint32_t)lab_drawn_piece_sum(&scan->map.in, i);
    }
    scan->is_summed = true;
    pthread_mutex_unlock(&scan->mutex);
}

static void make_scan(const void *context, size_t first, size_t count, int32_t *to) {
    struct scan_mapped *scan = (struct scan_mapped *)context;

    sum_pieces(scan);
    lab_drawn_make(&scan->map.in, first, count, to);
    scan_piece(scan->before[first / LAB_PIECE], count, scan->exclusive, to);
}

static void mapped_begin(struct mapped *map) {
    ((struct scan_mapped *)map)->is_summed = false;
}

static size_t mapped_args(struct lab *lab, struct mapped *map, unsigned block,
                          struct call_arg *args) {
    struct scan_mapped *scan = (struct scan_mapped *)map;

    scan->before = lab_memory(lab, count_pieces(scan) * sizeof *scan->before);
    pthread_mutex_init(&scan->mutex, NULL);
    lab_drawn_keep_sums(lab, &map->in);
    map->out = (struct lab_made){.make = make_scan, .context = scan, .n = map->in.n};
    scan_args(args, NULL, map->in.n, block, NULL);
    args[0] = lab_in_drawn("in", &map->in);
    args[SCAN_N_ARGS - 1] = lab_out_made("out", &map->out);
    return SCAN_N_ARGS;
}

struct scan_mapped scan_mapped(bool exclusive) {
    return (struct scan_mapped){
        .map = {.function = scan_function(exclusive),
                .diagnoser = scan_diagnose,
                .args = mapped_args,
                .begin = mapped_begin},
        .exclusive = exclusive,
    };
}

size_t scan_items(const struct lab *lab, size_t n, unsigned block) {
    uint64_t tiles = lab_launch(lab, 0).n_blocks;

    for (size_t items = 1; lab_report(lab) != NULL && items <= 64; items++)
        if ((n + block * items - 1) / (block * items) == tiles)
            return items;
    return 0;
}

unsigned scan_steps(unsigned block) {
    unsigned steps = 0;

    while (1u << steps < block)
        steps++;
    return steps;
}

/* An element belongs to the thread of the first launch that scanned it, whose block the last launch
 * has, too. With one tile, or on a GPU, how many ints a thread takes is not known. */
static struct lab_owner own_element(const struct lab *lab, const char *what, size_t index) {
    size_t n = lab_argument(lab, "n")->value.u64;
    size_t block = lab_argument(lab, "block")->value.u64;
    size_t items = lab_launch(lab, 0).n_blocks > 1 ? scan_items(lab, n, (unsigned)block) : 0;

    (void)what;
    if (items == 0)
        return (struct lab_owner){-1, -1, -1};
    return (struct lab_owner){.launch = (int64_t)lab_n_launches(lab) - 1,
                              .block = (int64_t)(index / (block * items)),
                              .thread = (int64_t)(index % (block * items) / items)};
}

void scan_args(struct call_arg args[SCAN_N_ARGS], const int32_t *in, size_t n, unsigned block,
               int32_t *out) {
    args[0] = lab_in("in", in, n, sizeof *in);
    args[1] = lab_size(n);
    args[2] = lab_u32("block", block);
    args[3] = lab_scratch("scratch", levels_scratch(n, block), sizeof *in);
    args[4] = lab_out("out", out, n, sizeof *out);
    args[0].is_round = args[4].is_round = true;
}

bool scan_ints(struct lab *lab, const int32_t *in, size_t n, unsigned block, bool exclusive) {
    struct call_arg args[SCAN_N_ARGS];
    int32_t *out = lab_memory(lab, n * sizeof *out), *right = lab_memory(lab, n * sizeof *right);

    lab_set_owner(lab, own_element);
    lab_set_small_blocks(lab, scan_small_blocks, SCAN_SMALL_BLOCKS);
    scan_reference(in, n, exclusive, right);
    scan_args(args, in, n, block, out);
    return lab_call_args(lab, scan_function(exclusive), args, SCAN_N_ARGS) &&
           lab_expect_i32(lab, "out", out, right, n);
}

void scan_case(struct lab *lab, const struct lab_case *c) {
    const int32_t *in = lab_random_i32(lab, c->n);

    lab_set_diagnoser(lab, scan_diagnose);
    if (scan_ints(lab, in, c->n, c->block, false))
        scan_ints(lab, in, c->n, c->block, true);
}

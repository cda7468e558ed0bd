#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

#include <math.h>
#include <string.h>

const struct shuffle warps_all = {"sum_warps_all", "out", 32, true, 5};
const struct shuffle warps_first = {"sum_warps_first", "out", 32, false, 5};
const struct shuffle blocks = {"sum_blocks", "out", 0, false, 10};
const struct shuffle grid = {"sum_grid", "sum", SIZE_MAX, false, 0};

/* More elements than that are made where they are needed, and no memory holds them. */
enum { MAX_KEPT = 1 << 24 };

size_t shuffle_group(const struct shuffle *f, size_t n, unsigned block) {
    size_t group = f->group == 0 ? block : f->group;

    return group < n ? group : n;
}

size_t shuffle_n_out(const struct shuffle *f, size_t n, unsigned block) {
    size_t group = f->group == 0 ? block : f->group;

    if (f->group == SIZE_MAX)
        return 1;
    return f->for_each ? n : (n + group - 1) / group;
}

size_t shuffle_args(struct call_arg *args, const struct shuffle *f, struct call_arg in,
                    unsigned block, void *out) {
    args[0] = in;
    args[0].is_round = true;
    args[1] = lab_size(in.count);
    args[2] = lab_u32("block", block);
    args[3] = lab_out(f->output, out, shuffle_n_out(f, in.count, block), sizeof(float));
    return SHUFFLE_N_ARGS;
}

/* Additions that a value goes through at most in a grid's sum: its thread's, its block's, and one
 * atomic for each block. A thread's elements times the blocks, of 32 threads or more, are n / 32 or
 * fewer, rounded up; so the two add up to no more than n / 32, and some. */
static double sum_depth(const struct shuffle *f, size_t n) {
    enum { MAX_ITEMS = 64 };

    return f->depth > 0 ? f->depth : MAX_ITEMS + 10 + (double)n / 32;
}

/* The right sums, and the largest sum of absolute values: each addition rounds by at most 2^-24 of
 * its result, which no partial sum's absolute values exceed. */
static double reference(const struct shuffle *f, const float *in, size_t n, unsigned block,
                        double *right) {
    size_t group = shuffle_group(f, n, block), n_out = shuffle_n_out(f, n, block);
    double largest = 0;

    for (size_t first = 0; first < n; first += group) {
        double sum = 0, absolute = 0;

        for (size_t i = first; i < n && i < first + group; i++) {
            sum += (double)in[i];
            absolute += fabs((double)in[i]);
        }
        if (f->for_each)
            for (size_t i = first; i < n && i < first + group; i++)
                right[i] = sum;
        else
            right[first / group] = sum;
        largest = absolute > largest ? absolute : largest;
    }
    if (n == 0 && n_out > 0)
        right[0] = 0;
    return largest;
}

/* Which thread stores an output: in sum_grid, nobody knows. */
static struct lab_owner own(const struct lab *lab, const char *what, size_t index) {
    struct lab_owner owner = {-1, -1, -1};
    int64_t block = (int64_t)lab_argument(lab, "block")->value.u64, i = (int64_t)index;
    const char *function = lab_function(lab);

    (void)what;
    if (function == blocks.function)
        owner = (struct lab_owner){0, i, 0};
    else if (function == warps_all.function)
        owner = (struct lab_owner){0, i / block, i % block};
    else if (function == warps_first.function)
        owner = (struct lab_owner){0, 32 * i / block, 32 * i % block};
    return owner;
}

/* Blocks in which few numbers are enough to go wrong; only sum_blocks is for any number of threads.
 */
static const unsigned few_threads[] = {2, 5, 32, 33}, whole_warps[] = {32};

static bool call_args(struct lab *lab, const struct shuffle *f, struct call_arg *args) {
    lab_set_owner(lab, own);
    lab_set_elements(lab, LAB_FLOATS);
    lab_set_small_blocks(lab, f == &blocks ? few_threads : whole_warps, f == &blocks ? 4 : 1);
    return lab_call_args(lab, f->function, args, SHUFFLE_N_ARGS);
}

static bool call(struct lab *lab, const struct shuffle *f, struct call_arg in, unsigned block,
                 float *out) {
    struct call_arg args[SHUFFLE_N_ARGS];

    shuffle_args(args, f, in, block, out);
    return call_args(lab, f, args);
}

/* Draws, calls and compares; `rounding` is what one addition may be off by. */
static bool sum_drawn(struct lab *lab, const struct shuffle *f, const struct lab_case *c, int type,
                      double rounding) {
    struct lab_drawn drawn = lab_draw(lab, type, c->n);
    size_t n_out = shuffle_n_out(f, c->n, c->block);
    float *in = lab_drawn_f32(lab, &drawn), *out = lab_memory(lab, n_out * sizeof *out);
    double *right = lab_memory(lab, n_out * sizeof *right);
    double depth = sum_depth(f, c->n), absolute = reference(f, in, c->n, c->block, right);
    double bound = depth * rounding / (1 - depth * rounding) * absolute;

    return call(lab, f, lab_in("in", in, c->n, sizeof *in), c->block, out) &&
           lab_expect_f32(lab, f->output, out, right, bound, n_out);
}

/* So many that no memory holds them: the sum of all. */
static bool sum_many(struct lab *lab, const struct lab_case *c) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32_WHOLE, c->n);
    float sum = 0;

    lab_drawn_keep_sums(lab, &drawn);
    if (!call(lab, &grid, lab_in_drawn("in", &drawn), c->block, &sum))
        return false;
    double right = (double)lab_drawn_sum(&drawn);
    return lab_expect_f32(lab, "sum", &sum, &right, 0, 1);
}

/* So many, and the sums of their groups. */
struct many {
    const struct shuffle *f;
    size_t group;
    struct lab_drawn in;
};

/* The sums of the groups of n neighbours, of which the first begins a group. */
static void add_groups(const struct many *many, const float *neighbours, size_t n, int32_t *to) {
    for (size_t first = 0; first < n; first += many->group) {
        const size_t end = first + many->group < n ? first + many->group : n;
        float sum = 0; /* of whole numbers, so exact */

        for (size_t i = first; i < end; i++)
            sum += neighbours[i];
        for (size_t i = first; many->f->for_each && i < end; i++)
            memcpy(to + i, &sum, sizeof sum);
        if (!many->f->for_each)
            memcpy(to + first / many->group, &sum, sizeof sum);
    }
}

/* Outputs from `first` on, which begins a group: pieces have whole groups. */
static void make_sums(const void *context, size_t first, size_t count, int32_t *to) {
    enum { AT_ONCE = 1 << 13 }; /* elements: groups of at most 1,024 */
    const struct many *many = context;
    const size_t of_an_output = many->f->for_each ? 1 : many->group;
    const size_t most = AT_ONCE / many->group * many->group / of_an_output;
    float neighbours[AT_ONCE];

    for (size_t done = 0; done < count; done += most) {
        const size_t n_out = count - done < most ? count - done : most;
        const size_t from = (first + done) * of_an_output, left = many->in.n - from;
        const size_t n = n_out * of_an_output < left ? n_out * of_an_output : left;

        lab_drawn_make(&many->in, from, n, neighbours);
        add_groups(many, neighbours, n, to + done);
    }
}

static bool sum_many_groups(struct lab *lab, const struct shuffle *f, const struct lab_case *c) {
    struct many many = {.f = f,
                        .group = shuffle_group(f, c->n, c->block),
                        .in = lab_draw_repeating(lab, LAB_F32_WHOLE, c->n)};
    struct lab_made sums = {
        .make = make_sums, .context = &many, .n = shuffle_n_out(f, c->n, c->block)};
    struct call_arg args[SHUFFLE_N_ARGS];

    shuffle_args(args, f, lab_in_drawn("in", &many.in), c->block, NULL);
    args[3] = lab_out_made(f->output, &sums);
    return call_args(lab, f, args) && lab_expect_made(lab, f->output, &sums);
}

bool shuffle_whole_by(struct lab *lab, const struct shuffle *f, const struct lab_case *c,
                      lab_diagnoser *diagnoser) {
    lab_set_diagnoser(lab, diagnoser);
    if (c->n > MAX_KEPT)
        return f == &grid ? sum_many(lab, c) : sum_many_groups(lab, f, c);
    return sum_drawn(lab, f, c, LAB_F32_WHOLE, 0);
}

bool shuffle_whole(struct lab *lab, const struct shuffle *f, const struct lab_case *c) {
    return shuffle_whole_by(lab, f, c, shuffle_diagnose);
}

bool shuffle_infinite(struct lab *lab, const struct shuffle *f, const struct lab_case *c) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32_WHOLE, c->n);
    size_t n_out = shuffle_n_out(f, c->n, c->block);
    float *in = lab_drawn_f32(lab, &drawn), *out = lab_memory(lab, n_out * sizeof *out);
    double *right = lab_memory(lab, n_out * sizeof *right);

    in[c->n - 1] = INFINITY;
    reference(f, in, c->n, c->block, right);
    lab_set_diagnoser(lab, shuffle_diagnose);
    return call(lab, f, lab_in("in", in, c->n, sizeof *in), c->block, out) &&
           lab_expect_f32(lab, f->output, out, right, 0, n_out);
}

bool shuffle_rounded(struct lab *lab, const struct shuffle *f, const struct lab_case *c) {
    lab_set_diagnoser(lab, shuffle_diagnose);
    return sum_drawn(lab, f, c, LAB_F32, 0x1p-24);
}

void warps_all_case(struct lab *lab, const struct lab_case *c) {
    shuffle_whole(lab, &warps_all, c);
}

void warps_first_case(struct lab *lab, const struct lab_case *c) {
    shuffle_whole(lab, &warps_first, c);
}

void blocks_case(struct lab *lab, const struct lab_case *c) {
    shuffle_whole(lab, &blocks, c);
}

void grid_case(struct lab *lab, const struct lab_case *c) {
    shuffle_whole(lab, &grid, c);
}

#include "labs/04-shared-memory-scan/tests/scan_case.h"

#include <stdlib.h>

#include "common/base/system/parallel.h"
#include "labs/common/levels.h"

static bool was_exclusive;

bool scan_was_exclusive(void) {
    return was_exclusive;
}

const char *scan_function(bool exclusive) {
    was_exclusive = exclusive;
    return exclusive ? "scan_exclusive" : "scan_inclusive";
}

enum { PART = 1 << 18 }; /* what a thread scans at a time */

/* What threads share: first they sum their parts, then they scan them from the sums before. */
struct reference {
    const int32_t *in;
    int32_t *out;
    size_t n;
    bool exclusive;
    uint32_t *sums; /* of each part; then of all before it */
};

static size_t part_end(const struct reference *reference, size_t part) {
    size_t end = (part + 1) * PART;

    return end < reference->n ? end : reference->n;
}

static void sum_part(void *context, size_t part) {
    struct reference *reference = context;
    uint32_t sum = 0; /* unsigned wraps around; signed overflow is undefined in C */

    for (size_t i = part * PART; i < part_end(reference, part); i++)
        sum += (uint32_t)reference->in[i];
    reference->sums[part] = sum;
}

static void scan_part(void *context, size_t part) {
    const struct reference *reference = context;
    uint32_t sum = reference->sums[part];

    for (size_t i = part * PART; i < part_end(reference, part); i++) {
        uint32_t before = sum;

        sum += (uint32_t)reference->in[i];
        reference->out[i] = (int32_t)(reference->exclusive ? before : sum);
    }
}

void scan_reference(const int32_t *in, size_t n, bool exclusive, int32_t *out) {
    size_t n_parts = (n + PART - 1) / PART;
    uint32_t small = 0, *sums = n_parts > 1 ? calloc(n_parts, sizeof *sums) : &small;
    struct reference reference = {in, out, n, exclusive, sums};
    uint32_t before = 0;

    if (sums == NULL)
        abort(); /* kilobytes: there is nothing to be said for going on */
    if (n_parts > 1)
        parallel_run(n_parts, sum_part, &reference);
    for (size_t i = 0; i < n_parts; i++) {
        uint32_t sum = sums[i];

        sums[i] = before;
        before += sum;
    }
    parallel_run(n_parts, scan_part, &reference);
    if (sums != &small)
        free(sums);
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
}

/* Blocks in which few numbers are enough to go wrong, one of them no power of two. */
static const unsigned small_blocks[] = {2, 3, 4, 8};

bool scan_ints(struct lab *lab, const int32_t *in, size_t n, unsigned block, bool exclusive) {
    struct call_arg args[SCAN_N_ARGS];
    int32_t *out = lab_memory(lab, n * sizeof *out), *right = lab_memory(lab, n * sizeof *right);

    lab_set_owner(lab, own_element);
    lab_set_small_blocks(lab, small_blocks, sizeof small_blocks / sizeof *small_blocks);
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

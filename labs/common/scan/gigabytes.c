/* Scans of more ints than 31 or 32 bits count: on a GPU of gigabytes, on the simulator by a sample
 * of the blocks. */
#include <stdlib.h>

#include "labs/common/sampled.h"
#include "labs/common/scan/scan.h"

enum { BLOCK = 512, ALLOWED_MS = 20000 /* with room for a busy machine */ };

static void scan_both_forms(struct lab *lab, const struct lab_case *c) {
    struct scan_mapped inclusive = scan_mapped(false), exclusive = scan_mapped(true);

    if (c->n <= MAPPED_IN_MEMORY) {
        scan_case(lab, c);
        return;
    }
    mapped_case(lab, c, &inclusive.map);
    mapped_case(lab, c, &exclusive.map);
}

/* Ints of the scan that are looked at, around a place. */
enum { WINDOW = 256 };

/* True where the scan of ones that run side by side goes up by one. */
static bool goes_up(const int32_t *out) {
    for (size_t i = 1; i < WINDOW; i++)
        if (out[i] == 0 || out[i] != out[i - 1] + 1)
            return false;
    return true;
}

static int compare_places(const void *a, const void *b) {
    const size_t *one = a, *other = b;

    return (*one > *other) - (*one < *other);
}

/* How many places in the lower half and the upper half of the scan are right: of a sample's blocks,
 * where each has a tile of neighbouring ints. What comes before a tile is part of its ints: they
 * are more than those at any place before. */
static void count_places(struct lab *lab, const int32_t *out, size_t n, struct lab_shares *shares) {
    size_t places[LAB_PLACES];
    int32_t most = 0;

    lab_sampled_places(lab, n, places);
    qsort(places, LAB_PLACES, sizeof *places, compare_places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        size_t first = places[i] > WINDOW / 2 ? places[i] - WINDOW / 2 : 0;
        bool is_right = first + WINDOW <= n && goes_up(out + first) && out[first] >= most;

        shares->first += is_right && i < LAB_PLACES / 2;
        shares->last += is_right && i >= LAB_PLACES / 2;
        if (is_right)
            most = out[first];
    }
}

/* True where the grids are too small to reach the upper half: block 0, which runs, has scanned a
 * tile of so many ints from the beginning on, and the last block the one that follows from that. */
static bool ends_early(struct lab *lab, const int32_t *out, size_t n) {
    size_t tile = 1, n_blocks = 0, last = 0;

    while (tile < n / 2 && out[tile] == out[tile - 1] + 1)
        tile++;
    for (size_t i = 0; i < lab_n_launches(lab); i++)
        n_blocks += lab_launch(lab, i).n_blocks;
    if (n_blocks == 0 || n_blocks > n / 2 / tile || tile < WINDOW)
        return false;
    last = (lab_launch(lab, 0).n_blocks - 1) * tile;
    if (!goes_up(out + last))
        return false;
    lab_fail(
        lab, "wrong_answer",
        "%s (n = %zu): a tile has %zu ints, and the grid's %zu blocks have the first %zu of them. "
        "The others are not scanned.",
        lab_function(lab), n, tile, last / tile + 1, last + tile);
    return true;
}

/* A sample of the blocks scans ones. */
static void scan_sampled(struct lab *lab, const struct lab_case *c) {
    size_t n_ones = c->n / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
    struct lab_shares shares = {.what = "the scan of ones goes up by one at",
                                .of_first = "places of the lower half",
                                .of_last = "of the upper half",
                                .least = LAB_PLACES / 8};
    struct call_arg args[SCAN_N_ARGS];

    lab_set_diagnoser(lab, sampled_diagnose);
    scan_args(args, NULL, c->n, c->block, NULL);
    args[0] = lab_in_set("in", 1, 0, n_ones, c->n);
    args[3].sparse.is_on = args[4].sparse.is_on = true;
    if (!lab_call_sampled(lab, scan_function(c->n % 2 != 0), args, SCAN_N_ARGS))
        return;
    count_places(lab, args[4].data, c->n, &shares);
    if ((shares.first + shares.last > 0 || !ends_early(lab, args[4].data, c->n)) &&
        lab_expect_alike(lab, &shares))
        sampled_expect_all(lab, c, SAMPLED_UP_AND_BACK, NULL, NULL);
}

void scan_gigabytes(struct lab *lab, bool beyond) {
    size_t on_gpu = beyond ? ((size_t)1 << 29) + 1001 : (size_t)1 << 28;

    if (lab_on_gpu(lab)) {
        mapped_sizes(lab, on_gpu, BLOCK, scan_both_forms);
        return;
    }
    lab_allow_ms(lab, ALLOWED_MS);
    sampled_sizes(lab, BLOCK, beyond ? ((size_t)1 << 33) + (3 << 29) + 501 : 0, scan_case,
                  scan_sampled);
}

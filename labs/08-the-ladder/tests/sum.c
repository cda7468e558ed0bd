/* Lab 08's functions, rung by rung. What goes wrong in their trees, experiments find. */
#include "labs/common/levels/sum.h"

#define RUNG(name, shares, halves)                                                                 \
    { .function = name, .share = shares, .least_block = 64, .is_halving = halves }

const struct levels_sum levels_sums[] = {
    RUNG("sum_divergent", 1, false),          RUNG("sum_strided", 1, false),
    RUNG("sum_sequential", 1, true),          RUNG("sum_first_add", 2, true),
    RUNG("sum_last_warp", 2, true),           RUNG("sum_unrolled", 2, true),
    RUNG("sum_many", LEVELS_ANY_SHARE, true), {.function = NULL},
};

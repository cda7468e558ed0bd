/* Lab 01's function, and the mistakes of its tree. */
#include "labs/common/levels/sum.h"

/* A loop that ends one step early leaves two sums: that of the largest power of two below the
 * block's size, and the rest. */
static int32_t ends_early(int32_t *tile, unsigned block) {
    unsigned half = 1;

    while (2 * half < block)
        half *= 2;
    return levels_reference(tile, half);
}

static const struct levels_mistake mistakes[] = {{"loop_ends_early", ends_early}};

const struct levels_sum levels_sums[] = {
    {.function = "sum_divergent",
     .past_the_tile = "neighbour_past_the_block",
     .too_many_add = "wrong_modulus",
     .mistakes = mistakes,
     .n_mistakes = 1},
    {.function = NULL},
};

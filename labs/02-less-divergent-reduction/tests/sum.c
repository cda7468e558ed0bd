/* Lab 02's functions, and the mistakes of their trees. */
#include "labs/common/levels/sum.h"

/* The halving stride up to, and without, `last`; each stride is half of the one before, rounded
 * down. */
static int32_t halve(int32_t *tile, unsigned block, unsigned last) {
    for (unsigned stride = block / 2; stride > last; stride /= 2)
        for (unsigned t = 0; t < stride; t++)
            tile[t] = (int32_t)((uint32_t)tile[t] + (uint32_t)tile[t + stride]);
    return tile[0];
}

static int32_t drops_odd(int32_t *tile, unsigned block) {
    return halve(tile, block, 0);
}

/* The stride is rounded up, but the number of words that are left is not. */
static int32_t forgets_odd(int32_t *tile, unsigned block) {
    for (unsigned words = block; words > 1; words /= 2) {
        unsigned stride = (words + 1) / 2;

        for (unsigned t = 0; t + stride < words; t++)
            tile[t] = (int32_t)((uint32_t)tile[t] + (uint32_t)tile[t + stride]);
    }
    return tile[0];
}

static int32_t ends_early(int32_t *tile, unsigned block) {
    return halve(tile, block, 1);
}

static const struct levels_mistake halving_mistakes[] = {
    {"odd_element_dropped", drops_odd},
    {"odd_element_dropped", forgets_odd},
    {"loop_ends_early", ends_early},
};

const struct levels_sum levels_sums[] = {
    {.function = "sum_halving",
     .past_the_tile = "past_the_tile",
     .past_the_full_tile = "past_the_tile",
     .too_many_add = "too_many_add",
     .is_halving = true,
     .mistakes = halving_mistakes,
     .n_mistakes = sizeof halving_mistakes / sizeof *halving_mistakes},
    {.function = "sum_strided",
     .past_the_tile = "neighbour_past_the_block",
     .too_many_add = "too_many_add"},
    {.function = NULL},
};

/* Lab 07's functions. What goes wrong in their trees, experiments find. */
#include "labs/common/levels/sum.h"

const struct levels_sum levels_sums[] = {
    {.function = "sum_interleaved", .data = "data", .past_the_tile = "neighbour_past_the_block"},
    {.function = "sum_neighboured", .data = "data", .past_the_tile = "neighbour_past_the_block"},
    {.function = "sum_packed", .data = "data", .past_the_tile = "neighbour_past_the_block"},
    {.function = NULL},
};

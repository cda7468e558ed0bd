/*
 * What the labs share whose sums are made level by level: each launch leaves one partial sum a
 * block, and the next one sums those.
 */
#ifndef LEVELS_H
#define LEVELS_H

#include <stddef.h>

/* How many elements of scratch a sum of n needs in blocks of `block` threads: one for each partial
 * sum of each level, the last level's single one included. Levels lie one after the other. */
static inline size_t levels_scratch(size_t n, unsigned block) {
    size_t total = 1;
    while (n > block) {
        n = (n + block - 1) / block;
        total += n;
    }
    return total;
}

/* Elements of a level, 0 being the input: one for each block of the level before. */
static inline size_t levels_n(size_t n, unsigned block, size_t level) {
    for (; level > 0; level--)
        n = n / block + (n % block > 0);
    return n;
}

#endif

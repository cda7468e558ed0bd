/* How lab 11 cuts n ints into tiles, and how many words its blocks hand sums through. Plain C,
 * which the tests read, too. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stddef.h>

/* Ints that a thread takes: so many that tiles are few, and that a load has time to come. */
enum { ITEMS = 32 };

/* Tiles of n ints; the last one may have fewer. */
static inline size_t n_tiles(size_t n, unsigned block) {
    size_t tile = (size_t)block * ITEMS;

    return n / tile + (n % tile > 0);
}

/* A word tells of a tile: what is known (the upper 32 bits), and the sum (the lower 32). Cleared
 * words say NOTHING; OF_TILE: the sum of the tile's ints; OF_ALL: of all ints up to its end. */
enum { NOTHING, OF_TILE, OF_ALL };

/* Words for so many tiles: one for each, and one for the ticket. */
static inline size_t state_words(size_t tiles) {
    return tiles + 1;
}

#endif

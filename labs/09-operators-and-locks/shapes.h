/* What lab 09's functions leave behind, and how many blocks they are launched in. Plain C, which
 * the tests read, too. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stddef.h>

/* An element, and its place. A double holds each float; with a float here, four bytes between the
 * two would belong to nobody. */
struct largest {
    double value;
    size_t index;
};

/* The place of no element. */
#define NO_INDEX ((size_t)-1)

/* Of n numbers: how many they are, their mean, and the sum of (x - mean)^2 over all of them. */
struct moments {
    double n, mean, m2;
};

/* Blocks that share n elements: eight elements a thread and more, 1,024 blocks at most; one where n
 * is 0. */
static inline unsigned operator_blocks(size_t n, unsigned block) {
    enum { ELEMENTS = 8, MOST = 1024 };
    size_t share = (size_t)ELEMENTS * block, blocks = n / share + (n % share > 0);

    return blocks > MOST ? MOST : blocks > 0 ? (unsigned)blocks : 1;
}

#endif

/* How much scratch the functions of lab 14 are given. Plain C, which the tests read, too. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stddef.h>

/* Words of 8 bytes for n ints: enough for one word for each 256 ints, and 1,024 for whatever else
 * blocks have to tell each other. */
static inline size_t scratch_words(size_t n) {
    return n / 256 + 1024;
}

#endif

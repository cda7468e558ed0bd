/*
 * Lists that grow by doubling, whose owner has a pointer, a number of elements and the room.
 */
#ifndef SIMT_GROW_H
#define SIMT_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* The list of n elements with room for another one; at first for `least`. NULL, and the list stays
 * as it is, where the host has no memory. */
static inline void *simt_grown(void *list, size_t n, size_t *room, size_t least,
                               size_t element_bytes) {
    if (n < *room)
        return list;
    size_t wanted = *room ? 2 * *room : least;
    void *larger = realloc(list, wanted * element_bytes);
    if (larger)
        *room = wanted;
    return larger;
}

#endif

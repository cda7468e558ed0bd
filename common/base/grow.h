/* Lists that grow at their end. */
#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* The list of n items with room for another one. Like text.h's strings it is too small for a lack
 * of memory to be worth a way out: it aborts. */
static inline void *grow_list(void *list, size_t n, size_t item_bytes) {
    list = realloc(list, (n + 1) * item_bytes);
    if (!list)
        abort();
    return list;
}

/* The same for a list that may get long: it grows by doubling, at first to `least` items, and its
 * owner keeps `room`, how many there may be. NULL, and the list stays as it is, where the host has
 * no memory. */
static inline void *grow_room(void *list, size_t n, size_t *room, size_t least, size_t item_bytes) {
    if (n < *room)
        return list;
    size_t wanted = *room ? 2 * *room : least;
    void *larger = realloc(list, wanted * item_bytes);
    if (larger)
        *room = wanted;
    return larger;
}

#endif

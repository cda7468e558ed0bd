/* Memory that is zeros, and lists: grown at their end, searched by name or by number. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* n items, all zeros; never NULL. Like text.h's strings, what is made so is too small for a lack of
 * memory to be worth a way out: it aborts. */
static inline void *make_zeroed(size_t n, size_t item_bytes) {
    void *items = calloc(n ? n : 1, item_bytes);
    if (!items)
        abort();
    return items;
}

/* The first of n items whose name this is, NULL where none's is. An item is a pointer to its name,
 * or a struct whose first member is. */
static inline void *find_in_list(const char *name, const void *list, size_t n, size_t item_bytes) {
    for (const char *item = list; n-- > 0; item += item_bytes) {
        if (strcmp(name, *(const char *const *)item) == 0)
            return (void *)item;
    }
    return NULL;
}

/* How many of n items are below `key`, by bisection. An item is a number, or a struct whose first
 * member is; they stand in the order of these. */
static inline size_t count_below(uint64_t key, const void *list, size_t n, size_t item_bytes) {
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        uint64_t number;
        memcpy(&number, (const char *)list + middle * item_bytes, sizeof number);
        if (number < key)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* The list of n items with room for another one; aborts, too. */
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

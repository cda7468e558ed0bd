/*
 * Lists that grow by one. Like text.h's strings they are too small for a lack of memory to be worth
 * a way out: it aborts.
 */
#ifndef GRADER_GROW_H
#define GRADER_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* The list of n items with room for another one. */
static inline void *grow_list(void *list, size_t n, size_t item_bytes) {
    list = realloc(list, (n + 1) * item_bytes);
    if (!list)
        abort();
    return list;
}

#endif

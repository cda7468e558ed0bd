/*
 * The turns of a launch, found by bisection.
 */
#include "common/simt/checks/turns.h"

#include <stdlib.h>

/* 256 MiB of host memory at most. */
enum { MAX_TURNS = 1 << 24 };

void simt_turns_add(struct simt_turns *turns, uint64_t stamp, uint64_t cta) {
    if (turns->n == turns->room && !turns->is_full) {
        size_t room = turns->room ? 2 * turns->room : 64;
        struct simt_turn *list =
            room > MAX_TURNS ? NULL : realloc(turns->list, room * sizeof *list);
        turns->is_full = list == NULL;
        if (list) {
            turns->list = list;
            turns->room = room;
        }
    }
    if (!turns->is_full)
        turns->list[turns->n++] = (struct simt_turn){stamp, cta};
}

uint64_t simt_turns_find(const struct simt_turns *turns, uint64_t stamp, uint64_t unknown) {
    size_t low = 0, high = turns->n; /* the first turn after the stamp */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (turns->list[middle].stamp <= stamp)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 || (low == turns->n && turns->is_full) ? unknown : turns->list[low - 1].cta;
}

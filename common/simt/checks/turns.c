/*
 * The turns of a launch, found by bisection.
 */
#include "common/simt/checks/turns.h"

#include "common/base/grow.h"

/* 256 MiB of host memory at most. */
enum { MAX_TURNS = 1 << 24 };

void simt_turns_add(struct simt_turns *turns, uint64_t stamp, uint64_t cta) {
    struct simt_turn *list = NULL;
    if (!turns->is_full && turns->n < MAX_TURNS)
        list = grow_room(turns->list, turns->n, &turns->room, 64, sizeof *list);
    turns->is_full = list == NULL;
    if (turns->is_full)
        return;
    turns->list = list;
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

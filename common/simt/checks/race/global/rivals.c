/*
 * The table of second readers, its places by the words' addresses: neighbours never share one.
 */
#include "common/simt/checks/race/global/rivals.h"

#include <stdlib.h>

static struct simt_rival *place_of(const struct simt_rivals *rivals, uint64_t address) {
    return &rivals->list[address / 4 % SIMT_RIVALS];
}

uint64_t simt_rivals_find(const struct simt_rivals *rivals, uint64_t address) {
    const struct simt_rival *place = rivals->list ? place_of(rivals, address) : NULL;
    return place && place->address == address ? place->stamp : 0;
}

void simt_rivals_keep(struct simt_rivals *rivals, uint64_t address, uint64_t stamp) {
    if (!rivals->list) /* fresh pages: what nobody touches costs nothing */
        rivals->list = calloc(SIMT_RIVALS, sizeof *rivals->list);
    if (rivals->list)
        *place_of(rivals, address) = (struct simt_rival){address, stamp};
}

void simt_rivals_free(struct simt_rivals *rivals) {
    if (rivals)
        free(rivals->list);
    free(rivals);
}

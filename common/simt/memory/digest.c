/*
 * Digests of what allocations hold, also of those that are gone: to compare runs of one program.
 */
#include "common/simt/memory/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/splitmix.h"

/* Each step is one to one, so equal digests of different bytes are a matter of chance. */
static uint64_t digest_of(const uint8_t *bytes, uint64_t n) {
    uint64_t value = n;
    for (uint64_t at = 0; at < n; at += sizeof value) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, n - at < sizeof word ? n - at : sizeof word);
        value = splitmix_mix(value ^ word) + SPLITMIX_STEP;
    }
    return value;
}

static struct simt_digest describe(const struct simt_allocation *allocation) {
    struct simt_digest digest = {
        .number = allocation->number,
        .bytes = allocation->bytes,
        .value = digest_of(allocation->host, allocation->bytes),
    };
    if (allocation->name)
        snprintf(digest.name, sizeof digest.name, "%s", allocation->name);
    return digest;
}

void simt_space_number(struct simt_space *space, uint64_t address) {
    simt_space_find(space, address)->number = ++space->n_numbered;
}

void simt_space_note(struct simt_space *space, const struct simt_allocation *allocation) {
    if (!space->keeps_digests || !allocation->number || space->n_digests == SIMT_MAX_DIGESTS)
        return;
    struct simt_digest *digests =
        grow_room(space->digests, space->n_digests, &space->digests_room, 16, sizeof *digests);
    if (!digests)
        return;
    space->digests = digests;
    space->digests[space->n_digests++] = describe(allocation);
}

static int by_number(const void *a, const void *b) {
    uint64_t x = ((const struct simt_digest *)a)->number;
    uint64_t y = ((const struct simt_digest *)b)->number;
    return (x > y) - (x < y);
}

size_t simt_space_digests(const struct simt_space *space, struct simt_digest **digests) {
    size_t n = space->n_digests;
    *digests = malloc((n + space->n + 1) * sizeof **digests);
    if (!*digests)
        return 0;
    if (n)
        memcpy(*digests, space->digests, n * sizeof **digests);
    for (size_t i = 0; i < space->n; i++)
        if (space->table[i]->number)
            (*digests)[n++] = describe(space->table[i]);
    qsort(*digests, n, sizeof **digests, by_number);
    return n;
}

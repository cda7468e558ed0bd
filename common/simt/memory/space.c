/*
 * Allocation by bumping an address: fresh addresses as long as the reservation lasts, then first
 * fit in the gaps.
 */
#include "common/simt/memory/origin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/base/grow.h"

enum { ALIGN_BYTES = 256, GAP_BYTES = 512, EDGE_BYTES = 4096, PAGE_BYTES = 4096 };

/* The largest access of one lane. */
enum { ACCESS_BYTES = 16 };

/* Beyond what a process can map on x86-64: for a host that refuses the reservation. */
static const uint64_t UNMAPPABLE_BASE = UINT64_C(0x0000800000000000);

/* Address space beyond the capacity, for the gaps and for addresses that are not used again. */
static const uint64_t SLACK_BYTES = UINT64_C(1) << 36;

static uint64_t align_up(uint64_t address) {
    return (address + ALIGN_BYTES - 1) & ~(uint64_t)(ALIGN_BYTES - 1);
}

void simt_space_open(struct simt_space *space, size_t capacity) {
    memset(space, 0, sizeof *space);
    space->reserved = (uint64_t)capacity + SLACK_BYTES;
    void *range = mmap((void *)(uintptr_t)SIMT_MEMORY_BASE, space->reserved, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    space->mapped = range != MAP_FAILED;
    space->base = space->mapped ? (uint64_t)(uintptr_t)range : UNMAPPABLE_BASE;
    space->capacity = space->limit = capacity;
    space->next = space->base + EDGE_BYTES;
}

void simt_space_limit(struct simt_space *space, size_t bytes) {
    simt_host_open(&space->host, bytes);
    size_t room = simt_host_room(&space->host);
    space->limit = room < space->capacity ? room : space->capacity;
}

static void free_allocation(struct simt_allocation *allocation) {
    free(allocation->name);
    simt_origin_close(allocation);
    simt_zeros_free(allocation->words, simt_shadow_size(allocation));
    if (!allocation->is_mapped && !allocation->is_lent && !allocation->exposed_bytes)
        simt_zeros_free(allocation->host, allocation->bytes);
    free(allocation);
}

/* The first page that an exposed allocation touches. */
static void *first_page(const struct simt_allocation *allocation) {
    return (void *)(uintptr_t)(allocation->address & ~(uint64_t)(PAGE_BYTES - 1));
}

void simt_space_close(struct simt_space *space) {
    for (size_t i = 0; i < space->n; i++)
        free_allocation(space->table[i]);
    free(space->table);
    free(space->digests);
    free(space->contexts.stamps);
    if (space->mapped)
        munmap((void *)(uintptr_t)space->base, space->reserved);
    memset(space, 0, sizeof *space);
}

/* Index of the first allocation that lies beyond the address. */
static size_t upper(const struct simt_space *space, uint64_t address) {
    size_t low = 0, high = space->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->table[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A round address for `bytes`, 0 when no gap is large enough. */
static uint64_t place(struct simt_space *space, size_t bytes) {
    uint64_t end = space->base + space->reserved - EDGE_BYTES;
    if (space->next + bytes <= end) {
        uint64_t address = space->next;
        space->next = align_up(address + bytes + GAP_BYTES);
        return address;
    }
    uint64_t from = space->base + EDGE_BYTES;
    for (size_t i = 0; i < space->n; i++) {
        const struct simt_allocation *next = space->table[i];
        if (next->is_mapped) /* lies elsewhere */
            continue;
        if (from + bytes + GAP_BYTES <= next->address)
            return from;
        from = align_up(next->address + next->bytes + GAP_BYTES);
    }
    return from + bytes <= end ? from : 0;
}

static enum simt_status insert(struct simt_space *space, struct simt_allocation *allocation) {
    struct simt_allocation **table =
        grow_room(space->table, space->n, &space->room, 16, sizeof *table);
    if (!table)
        return SIMT_NO_MEMORY;
    space->table = table;
    size_t at = upper(space, allocation->address);
    memmove(space->table + at + 1, space->table + at, (space->n - at) * sizeof *space->table);
    space->table[at] = allocation;
    space->n++;
    return SIMT_OK;
}

/* Notes why an allocation fails. */
static enum simt_status refuse(struct simt_space *space, size_t bytes, const char *why) {
    snprintf(space->refusal, sizeof space->refusal, "%zu bytes of device memory can't be had: %s.",
             bytes, why);
    return SIMT_NO_MEMORY;
}

/* The same where the device has room, and the computer had when the program began. */
static enum simt_status refuse_by_system(struct simt_space *space, size_t bytes) {
    char why[96];
    snprintf(why, sizeof why, "the device has them, the operating system doesn't give them (%s)",
             strerror(errno));
    return refuse(space, bytes, why);
}

static enum simt_status check_limits(struct simt_space *space, size_t bytes) {
    const uint64_t room = space->capacity - space->used, spare = space->limit - space->used;
    char why[128];
    if (bytes > room)
        snprintf(why, sizeof why, "the device has %" PRIu64 ", of which %" PRIu64 " are free",
                 space->capacity, room);
    else
        snprintf(why, sizeof why,
                 "the device has them, this computer doesn't: of what it had to spare when the "
                 "program began, %" PRIu64 " are left",
                 spare);
    return bytes > spare ? refuse(space, bytes, why) : SIMT_OK;
}

/* Makes the allocation that `like` describes, `shift` bytes behind a round address, and fresh bytes
 * where it has none. */
static enum simt_status add(struct simt_space *space, const struct simt_allocation *like,
                            size_t shift, uint64_t *address) {
    enum simt_status status = SIMT_OK;
    struct simt_allocation *allocation = malloc(sizeof *allocation);
    if (!allocation)
        return refuse_by_system(space, like->bytes);
    *allocation = *like;
    allocation->address = place(space, shift + like->bytes);
    if (allocation->address)
        allocation->address += shift;
    allocation->element_bytes = 1;
    if (!allocation->is_lent)
        allocation->host = simt_zeros(like->bytes);
    if (!allocation->address)
        status =
            refuse(space, like->bytes, "the device's range of addresses has no gap of that size");
    else if (!allocation->host || insert(space, allocation) != SIMT_OK)
        status = refuse_by_system(space, like->bytes);
    if (status == SIMT_OK)
        *address = allocation->address;
    else
        free_allocation(allocation);
    return status;
}

enum simt_status simt_space_allocate(struct simt_space *space, size_t bytes, uint64_t *address) {
    return simt_space_allocate_shifted(space, bytes, 0, address);
}

enum simt_status simt_space_allocate_shifted(struct simt_space *space, size_t bytes, size_t shift,
                                             uint64_t *address) {
    const struct simt_allocation fresh = {.bytes = bytes, .is_defined = !space->is_watched};
    *address = 0;
    if (bytes == 0)
        return SIMT_OK;
    enum simt_status status = check_limits(space, bytes);
    if (status == SIMT_OK)
        status = add(space, &fresh, shift, address);
    if (status == SIMT_OK)
        space->used += bytes;
    return status;
}

enum simt_status simt_space_lend(struct simt_space *space, void *host, size_t bytes,
                                 uint64_t *address) {
    const struct simt_allocation lent = {
        .bytes = bytes, .host = host, .is_lent = true, .is_defined = true};
    *address = 0;
    return bytes ? add(space, &lent, 0, address) : SIMT_OK;
}

enum simt_status simt_space_release(struct simt_space *space, uint64_t address) {
    size_t at = upper(space, address);
    if (at == 0 || space->table[at - 1]->address != address)
        return SIMT_BAD_ADDRESS;
    struct simt_allocation *allocation = space->table[--at];
    simt_space_note(space, allocation);
    if (!allocation->is_mapped && !allocation->is_lent)
        space->used -= allocation->bytes;
    if (allocation->exposed_bytes)
        mmap(first_page(allocation), allocation->exposed_bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    memmove(space->table + at, space->table + at + 1, (space->n - at - 1) * sizeof *space->table);
    space->n--;
    space->last_hit = NULL;
    free_allocation(allocation);
    return SIMT_OK;
}

void simt_space_begin_page(struct simt_space *space) {
    space->next = (space->next + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

enum simt_status simt_space_expose(struct simt_space *space, uint64_t address, bool is_fresh) {
    struct simt_allocation *allocation = simt_space_range(space, address, 0);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    if (!space->mapped)
        return SIMT_UNSUPPORTED;
    if (allocation->exposed_bytes || allocation->is_mapped)
        return SIMT_OK;
    uint64_t end = allocation->address + allocation->bytes;
    uint64_t bytes = end - (uint64_t)(uintptr_t)first_page(allocation);
    bytes = (bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (mprotect(first_page(allocation), bytes, PROT_READ | PROT_WRITE) != 0)
        return refuse_by_system(space, allocation->bytes);
    uint8_t *host = (uint8_t *)(uintptr_t)allocation->address;
    if (!is_fresh)
        memcpy(host, allocation->host, allocation->bytes);
    simt_zeros_free(allocation->host, allocation->bytes);
    allocation->host = host;
    allocation->exposed_bytes = bytes;
    allocation->is_defined = true;
    return SIMT_OK;
}

/* True when some of the bytes are of the device's range, or of another allocation. */
static bool is_taken(struct simt_space *space, uint64_t address, uint64_t bytes) {
    size_t at = upper(space, address);
    bool is_in_range = address < space->base + space->reserved && address + bytes > space->base;
    return is_in_range || simt_space_range(space, address, 1) ||
           (at < space->n && space->table[at]->address < address + bytes);
}

enum simt_status simt_space_map(struct simt_space *space, uint64_t address, void *host,
                                size_t bytes) {
    uint64_t lead = address % ACCESS_BYTES, end;
    if (bytes == 0 || __builtin_add_overflow(address, bytes, &end) ||
        is_taken(space, address - lead, lead + bytes))
        return SIMT_BAD_ADDRESS;
    struct simt_allocation *allocation = calloc(1, sizeof *allocation);
    if (!allocation)
        return SIMT_NO_MEMORY;
    *allocation = (struct simt_allocation){
        .address = address - lead,
        .bytes = lead + bytes,
        .host = (uint8_t *)host - lead,
        .is_mapped = true,
        .is_defined = true,
        .element_bytes = 1,
    };
    enum simt_status status = insert(space, allocation);
    if (status != SIMT_OK)
        free_allocation(allocation);
    return status;
}

enum simt_status simt_space_unmap(struct simt_space *space, uint64_t address) {
    address -= address % ACCESS_BYTES;
    const struct simt_allocation *allocation = simt_space_range(space, address, 1);
    if (!allocation || !allocation->is_mapped)
        return SIMT_BAD_ADDRESS;
    return simt_space_release(space, address);
}

enum simt_status simt_space_heap_allocate(struct simt_space *space, size_t bytes,
                                          uint64_t *address) {
    *address = 0;
    space->heap_is_in_use = true;
    if (space->heap_used > space->heap_bytes || bytes > space->heap_bytes - space->heap_used)
        return SIMT_NO_MEMORY;
    enum simt_status status = simt_space_allocate(space, bytes, address);
    if (status != SIMT_OK || !*address)
        return status;
    simt_space_find(space, *address)->is_on_heap = true;
    space->heap_used += bytes;
    return SIMT_OK;
}

enum simt_status simt_space_heap_release(struct simt_space *space, uint64_t address) {
    const struct simt_allocation *allocation = simt_space_find(space, address);
    if (!allocation || !allocation->is_on_heap)
        return SIMT_BAD_ADDRESS;
    uint64_t bytes = allocation->bytes;
    enum simt_status status = simt_space_release(space, address);
    if (status == SIMT_OK)
        space->heap_used -= bytes;
    return status;
}

struct simt_allocation *simt_space_look(const struct simt_space *space, uint64_t address,
                                        struct simt_allocation **last_hit) {
    struct simt_allocation *hit = *last_hit;
    if (hit && address - hit->address < hit->bytes)
        return hit;
    size_t at = upper(space, address);
    if (at == 0 || address - space->table[at - 1]->address >= space->table[at - 1]->bytes)
        return NULL;
    return *last_hit = space->table[at - 1];
}

struct simt_allocation *simt_space_find(struct simt_space *space, uint64_t address) {
    return simt_space_look(space, address, &space->last_hit);
}

const struct simt_allocation *simt_space_nearest(const struct simt_space *space, uint64_t address) {
    size_t at = upper(space, address);
    const struct simt_allocation *below = at ? space->table[at - 1] : NULL;
    const struct simt_allocation *above = at < space->n ? space->table[at] : NULL;
    if (!below || !above)
        return below ? below : above;
    return address - (below->address + below->bytes) <= above->address - address ? below : above;
}

struct simt_allocation *simt_space_range(struct simt_space *space, uint64_t address, size_t bytes) {
    size_t at = upper(space, address);
    if (at == 0)
        return NULL;
    struct simt_allocation *allocation = space->table[at - 1];
    uint64_t offset = address - allocation->address;
    if (offset > allocation->bytes || bytes > allocation->bytes - offset)
        return NULL;
    return allocation;
}

enum simt_status simt_space_name(struct simt_space *space, uint64_t address, const char *name,
                                 size_t element_bytes) {
    struct simt_allocation *allocation = simt_space_range(space, address, 0);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    char *copy = strdup(name);
    if (!copy)
        return SIMT_NO_MEMORY;
    free(allocation->name);
    allocation->name = copy;
    allocation->element_bytes = element_bytes ? element_bytes : 1;
    return SIMT_OK;
}

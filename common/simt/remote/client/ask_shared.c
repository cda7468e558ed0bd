/*
 * Memory that host and device share: pinned, registered and managed. Kernels run while the host
 * waits for them, so they work on a copy: before a launch the server gets what the host has, and
 * afterwards the host gets the bytes that kernels have changed, and no others, since another of its
 * threads may have written meanwhile.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/simt/remote/client/link.h"

enum { PAGE_BYTES = 4096 };

static bool add(struct simt *simt, uint64_t address, uint64_t bytes) {
    struct shared_range *range = malloc(sizeof *range);

    if (!range)
        return false;
    *range = (struct shared_range){simt->shared, address, bytes};
    simt->shared = range;
    return true;
}

struct shared_range *shared_find(const struct simt *simt, uint64_t address, uint64_t bytes) {
    for (struct shared_range *range = simt->shared; range; range = range->next)
        if (address >= range->address && address - range->address <= range->bytes &&
            bytes <= range->bytes - (address - range->address))
            return range;
    return NULL;
}

/* The pages of a managed range, which has them for itself (simt_malloc_managed), or shares them
 * with other memory of the device that the host is not to touch: a variable of a module. */
static void *pages_of(uint64_t address, uint64_t bytes, size_t *length) {
    uint64_t first = address & ~(uint64_t)(PAGE_BYTES - 1);

    *length = (address + bytes - first + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    return (void *)(uintptr_t)first;
}

void shared_forget(struct simt *simt, uint64_t address) {
    struct shared_range **link = &simt->shared;

    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct shared_range *range = *link;
    if (!range)
        return;
    *link = range->next;
    if (simt_is_device_address(simt, address)) {
        size_t length;
        void *pages = pages_of(address, range->bytes, &length);
        mmap(pages, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
    }
    free(range);
}

/* Gets what the device has; with `changed`, what kernels have changed since it was pushed. */
static enum simt_status pull(struct simt *simt, uint64_t address, uint64_t bytes, bool changed) {
    enum simt_status status = SIMT_OK;

    for (uint64_t done = 0, n; done < bytes && status == SIMT_OK; done += n) {
        uint8_t *to = (uint8_t *)(uintptr_t)(address + done);
        const uint8_t *from = simt->packet.payload, *bits = from;
        n = bytes - done < REMOTE_CHUNK_BYTES ? bytes - done : REMOTE_CHUNK_BYTES;
        status = LINK_ASK(simt, REMOTE_PULL, address + done, n);
        if (status != SIMT_OK || (changed && simt->packet.bytes == 0))
            continue; /* none */
        bits += n;
        for (uint64_t i = 0; i < n; i++)
            if (!changed || bits[i / 8] >> i % 8 & 1)
                to[i] = from[i];
    }
    return status;
}

/* Lets the host use a range of the device's addresses. */
static enum simt_status expose(struct simt *simt, uint64_t address, uint64_t bytes) {
    size_t length;
    void *pages = pages_of(address, bytes, &length);

    if (!simt->is_reserved)
        return SIMT_UNSUPPORTED;
    if (mprotect(pages, length, PROT_READ | PROT_WRITE) != 0 || !add(simt, address, bytes))
        return SIMT_NO_MEMORY;
    return SIMT_OK;
}

enum simt_status simt_malloc_managed(struct simt *simt, size_t bytes, uint64_t *address) {
    enum simt_status status = memory_allocate(simt, bytes, true, address);

    if (status != SIMT_OK || *address == 0)
        return status;
    if ((status = expose(simt, *address, bytes)) != SIMT_OK) {
        simt_free(simt, *address);
        *address = 0;
    }
    return status;
}

enum simt_status simt_manage(struct simt *simt, uint64_t address) {
    enum simt_status status = LINK_ASK(simt, REMOTE_MANAGE, address);
    const uint64_t bytes = simt->packet.head.reply.n[0];

    if (status != SIMT_OK || shared_find(simt, address, bytes))
        return status;
    status = expose(simt, address, bytes);
    return status == SIMT_OK ? pull(simt, address, bytes, false) : status;
}

enum simt_status simt_map(struct simt *simt, void *host, size_t bytes) {
    const uint64_t address = (uintptr_t)host;
    enum simt_status status = LINK_ASK(simt, REMOTE_MAP, address, bytes);

    if (status == SIMT_OK && !add(simt, address, bytes)) {
        LINK_ASK(simt, REMOTE_UNMAP, address);
        status = SIMT_NO_MEMORY;
    }
    return status;
}

enum simt_status simt_unmap(struct simt *simt, const void *host) {
    shared_forget(simt, (uintptr_t)host);
    return LINK_ASK(simt, REMOTE_UNMAP, (uintptr_t)host);
}

void shared_push(struct simt *simt) {
    for (const struct shared_range *range = simt->shared; range; range = range->next) {
        for (uint64_t done = 0, n; done < range->bytes; done += n) {
            const uint64_t at = range->address + done;
            n = range->bytes - done < REMOTE_CHUNK_BYTES ? range->bytes - done : REMOTE_CHUNK_BYTES;
            link_ask(simt, REMOTE_PUSH, &at, 1, (const void *)(uintptr_t)at, n);
        }
    }
}

void shared_pull(struct simt *simt) {
    for (const struct shared_range *range = simt->shared; range; range = range->next)
        pull(simt, range->address, range->bytes, true);
}

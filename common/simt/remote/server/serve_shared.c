/*
 * Memory that the host shares with the device. Here lies a copy of it, at which kernels find it by
 * the host's addresses. Managed memory lies where it does in any device.
 */
#include "common/simt/remote/server/state.h"

#include <stdlib.h>
#include <string.h>

#include "common/simt/memory/origin.h"
#include "common/simt/state/module.h"

enum { ALIGN_BYTES = 16 };

static bool is_owners(const struct server *server, uint64_t address) {
    for (size_t i = 0; i < server->n_buffers; i++)
        if (server->buffers[i] == address)
            return true;
    return false;
}

/* A variable. What the owner has placed is not the host's to share. */
void host_manage(struct server *server, const uint64_t *n) {
    const struct simt_allocation *allocation = simt_space_range(&server->simt->space, n[0], 0);

    server->reply.status = SIMT_BAD_ADDRESS;
    if (!allocation || allocation->is_mapped || allocation->address != n[0] ||
        is_owners(server, n[0]))
        return;
    server->reply.status = simt_manage(server->simt, n[0]);
    server->reply.n[0] = allocation->bytes;
}

static void free_map(struct server_map *map) {
    simt_zeros_free(map->allocation, map->bytes + 2 * ALIGN_BYTES);
    simt_zeros_free(map->before, map->bytes);
    free(map);
}

void server_drop_maps(struct server *server) {
    while (server->maps) {
        struct server_map *next = server->maps->next;
        free_map(server->maps);
        server->maps = next;
    }
}

/* The copy of a range, at the same remainder as the original. */
static struct server_map *make_map(uint64_t address, uint64_t bytes) {
    struct server_map *map = calloc(1, sizeof *map);

    if (!map || bytes > SIZE_MAX / 4) {
        free(map);
        return NULL;
    }
    map->address = address;
    map->bytes = bytes;
    map->allocation = simt_zeros(bytes + 2 * ALIGN_BYTES);
    map->before = simt_zeros(bytes);
    if (!map->allocation || !map->before) {
        free_map(map);
        return NULL;
    }
    uintptr_t start =
        ((uintptr_t)map->allocation + ALIGN_BYTES - 1) & ~(uintptr_t)(ALIGN_BYTES - 1);
    map->data = (uint8_t *)start + address % ALIGN_BYTES;
    return map;
}

void host_map(struct server *server, const uint64_t *n) {
    struct server_map *map = make_map(n[0], n[1]);

    server->reply.status = SIMT_NO_MEMORY;
    if (!map)
        return;
    server->reply.status = simt_map_at(server->simt, map->address, map->data, map->bytes);
    if (server->reply.status != SIMT_OK) {
        free_map(map);
        return;
    }
    map->next = server->maps;
    server->maps = map;
}

void host_unmap(struct server *server, const uint64_t *n) {
    struct server_map **link = &server->maps;

    while (*link && (*link)->address != n[0])
        link = &(*link)->next;
    struct server_map *map = *link;
    server->reply.status = SIMT_BAD_ADDRESS;
    if (!map)
        return;
    server->reply.status = simt_unmap(server->simt, (void *)(uintptr_t)n[0]);
    *link = map->next;
    free_map(map);
}

/* Where the host's bytes were put aside when they came; NULL for managed memory without that. */
static uint8_t *before_of(struct server *server, uint64_t address, uint64_t bytes) {
    for (struct server_map *map = server->maps; map; map = map->next)
        if (address >= map->address && address - map->address <= map->bytes &&
            bytes <= map->bytes - (address - map->address))
            return map->before + (address - map->address);
    return NULL;
}

/* The pages of managed memory as the host sent them last: a map without a place in the device. */
static uint8_t *open_before(struct server *server, uint64_t address) {
    const struct simt_allocation *allocation = simt_space_range(&server->simt->space, address, 0);
    struct server_map *map = allocation ? calloc(1, sizeof *map) : NULL;

    if (!map)
        return NULL;
    *map = (struct server_map){
        .next = server->maps,
        .address = allocation->address,
        .bytes = allocation->bytes,
        .before = simt_zeros(allocation->bytes),
    };
    if (!map->before) {
        free(map);
        return NULL;
    }
    server->maps = map;
    return map->before + (address - map->address);
}

/* Takes over the bytes that the host has changed, which are its own from then on. */
static void take(struct simt_allocation *allocation, uint64_t offset, const uint8_t *from,
                 size_t bytes) {
    uint8_t *to = allocation->host + offset;

    for (size_t at = 0, n; at < bytes; at += n) {
        bool differs = to[at] != from[at];
        for (n = 1; at + n < bytes && (to[at + n] != from[at + n]) == differs;)
            n++;
        if (differs)
            simt_origin_write(allocation, offset + at, n);
    }
    memcpy(to, from, bytes);
}

void host_push(struct server *server, const uint64_t *n) {
    const size_t bytes = server->packet.bytes;
    struct simt_allocation *allocation = simt_space_range(&server->simt->space, n[0], bytes);
    bool is_shared = allocation && simt_shared(server->simt, n[0], bytes);
    uint8_t *before = is_shared ? before_of(server, n[0], bytes) : NULL;

    server->reply.status = SIMT_BAD_ADDRESS;
    if (!is_shared)
        return;
    if (!before && !(before = open_before(server, n[0]))) {
        server->reply.status = SIMT_NO_MEMORY;
        return;
    }
    take(allocation, n[0] - allocation->address, server->packet.payload, bytes);
    memcpy(before, server->packet.payload, bytes);
    server->reply.status = SIMT_OK;
}

void host_pull(struct server *server, const uint64_t *n) {
    const uint64_t bytes = n[1];
    const uint8_t *from =
        bytes <= REMOTE_CHUNK_BYTES ? simt_shared(server->simt, n[0], bytes) : NULL;
    const uint8_t *before = from ? before_of(server, n[0], bytes) : NULL;

    server->reply.status = from ? SIMT_OK : SIMT_BAD_ADDRESS;
    if (!from || (before && memcmp(from, before, bytes) == 0))
        return;
    memcpy(server->answer, from, bytes);
    uint8_t *bits = server->answer + bytes;
    memset(bits, 0, (bytes + 7) / 8);
    for (uint64_t i = 0; i < bytes; i++) {
        bool is_changed = !before || from[i] != before[i];
        bits[i / 8] |= (uint8_t)(is_changed << i % 8);
        server->simt->space.to_host += is_changed;
    }
    server->answer_bytes = bytes + (bytes + 7) / 8;
}

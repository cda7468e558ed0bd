/*
 * The host's requests that are about device memory and the order of its work. Addresses and sizes
 * may be anything: the simulator looks at them as at those of any program.
 */
#include "common/simt/remote/server/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void answer(struct server *server, enum simt_status status) {
    server->reply.status = status;
}

/* Kernels and the host alike get memory as they ask for it, up to what the process may have. */
void host_open(struct server *server, const uint64_t *n) {
    (void)n;
    server->reply.n[0] = simt_address_range(server->simt, &server->reply.n[1]);
}

/* Notes an allocation. */
static bool keep(struct server *server, uint64_t address, uint64_t bytes) {
    struct server_kept *kept = malloc(sizeof *kept);

    if (!kept)
        return false;
    *kept = (struct server_kept){.next = server->kept, .address = address, .bytes = bytes};
    server->kept = kept;
    return true;
}

uint64_t server_count_kept(const struct server *server, uint64_t *bytes) {
    uint64_t n = 0;

    *bytes = 0;
    for (const struct server_kept *kept = server->kept; kept; kept = kept->next) {
        n += !kept->is_workspace;
        *bytes += kept->is_workspace ? 0 : kept->bytes;
    }
    return n;
}

void server_drop_kept(struct server *server) {
    while (server->kept) {
        struct server_kept *next = server->kept->next;
        free(server->kept);
        server->kept = next;
    }
}

void host_malloc(struct server *server, const uint64_t *n) {
    enum simt_status status = n[1] ? simt_malloc_managed(server->simt, n[0], &server->reply.n[0])
                                   : simt_malloc(server->simt, n[0], &server->reply.n[0]);

    if (status == SIMT_OK && server->reply.n[0] && !keep(server, server->reply.n[0], n[0])) {
        simt_free(server->simt, server->reply.n[0]);
        status = SIMT_NO_MEMORY;
    }
    answer(server, status);
    if (status == SIMT_NO_MEMORY)
        server->answer_bytes = (size_t)snprintf((char *)server->answer, sizeof server->answer, "%s",
                                                simt_memory_refusal(server->simt));
}

void host_free(struct server *server, const uint64_t *n) {
    enum simt_status status = simt_free(server->simt, n[0]);

    answer(server, status);
    for (struct server_kept **link = &server->kept; status == SIMT_OK && *link;
         link = &(*link)->next) {
        struct server_kept *kept = *link;
        if (kept->address != n[0])
            continue;
        *link = kept->next;
        free(kept);
        break;
    }
}

void host_write(struct server *server, const uint64_t *n) {
    answer(server, simt_write(server->simt, n[0], server->packet.payload, server->packet.bytes));
}

void host_read(struct server *server, const uint64_t *n) {
    if (n[1] > sizeof server->answer) {
        server_refuse(server, "it asks for more than a message holds");
        return;
    }
    answer(server, simt_read(server->simt, server->answer, n[0], n[1]));
    server->answer_bytes = server->reply.status == SIMT_OK ? n[1] : 0;
}

void host_copy(struct server *server, const uint64_t *n) {
    answer(server, simt_copy(server->simt, n[0], n[1], n[2]));
}

void host_set(struct server *server, const uint64_t *n) {
    answer(server, simt_set(server->simt, n[0], (uint8_t)n[1], n[2]));
}

void host_range(struct server *server, const uint64_t *n) {
    server->reply.n[0] = simt_is_range(server->simt, n[0], n[1]);
}

void host_info(struct server *server, const uint64_t *n) {
    size_t free_bytes, total_bytes;

    (void)n;
    simt_memory_info(server->simt, &free_bytes, &total_bytes);
    server->reply.n[0] = free_bytes;
    server->reply.n[1] = total_bytes;
}

void host_work(struct server *server, const uint64_t *n) {
    struct simt_clock clock;

    memcpy(&clock, server->packet.payload, sizeof clock);
    if (n[0] >= SIMT_QUEUES) {
        server_refuse(server, "it names a queue that there is not");
        return;
    }
    answer(server, simt_begin_work(server->simt, (unsigned)n[0], &clock, remote_work_name(n[1])));
}

void host_work_end(struct server *server, const uint64_t *n) {
    (void)n;
    simt_end_work(server->simt);
}

void host_note(struct server *server, const uint64_t *n) {
    answer(server, simt_note(server->simt, n[0], n[1], n[2] != 0));
}

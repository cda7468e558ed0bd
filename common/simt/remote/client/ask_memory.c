/*
 * Device memory: what simt.h says of it, in pieces that fit a message.
 */
#include <stdio.h>
#include <string.h>

#include "common/simt/remote/client/link.h"

/* The latest refusal, which comes with the reply. */
static void note_refusal(struct simt *simt, enum simt_status status) {
    if (status == SIMT_NO_MEMORY)
        snprintf(simt->refusal, sizeof simt->refusal, "%.*s", (int)simt->packet.bytes,
                 (const char *)simt->packet.payload);
}

enum simt_status memory_allocate(struct simt *simt, size_t bytes, bool is_managed,
                                 uint64_t *address) {
    enum simt_status status = LINK_ASK(simt, REMOTE_MALLOC, bytes, is_managed);

    note_refusal(simt, status);
    *address = status == SIMT_OK ? simt->packet.head.reply.n[0] : 0;
    return status;
}

enum simt_status simt_malloc(struct simt *simt, size_t bytes, uint64_t *address) {
    return memory_allocate(simt, bytes, false, address);
}

enum simt_status simt_free(struct simt *simt, uint64_t address) {
    shared_forget(simt, address);
    return LINK_ASK(simt, REMOTE_FREE, address);
}

enum simt_status simt_write(struct simt *simt, uint64_t to, const void *from, size_t bytes) {
    enum simt_status status = SIMT_OK;

    for (size_t done = 0, n; done < bytes && status == SIMT_OK; done += n) {
        const uint64_t at = to + done;
        n = bytes - done < REMOTE_PAYLOAD_BYTES ? bytes - done : REMOTE_PAYLOAD_BYTES;
        status = link_ask(simt, REMOTE_WRITE, &at, 1, (const uint8_t *)from + done, n);
    }
    return status;
}

enum simt_status simt_read(struct simt *simt, void *to, uint64_t from, size_t bytes) {
    enum simt_status status = SIMT_OK;

    for (size_t done = 0, n; done < bytes && status == SIMT_OK; done += n) {
        n = bytes - done < REMOTE_PAYLOAD_BYTES ? bytes - done : REMOTE_PAYLOAD_BYTES;
        status = LINK_ASK(simt, REMOTE_READ, from + done, n);
        if (status == SIMT_OK)
            memcpy((uint8_t *)to + done, simt->packet.payload, n);
    }
    return status;
}

/* The program goes on before a copy within the device is done, as on hardware; where there was no
 * memory for one, the next launch says so. */
enum simt_status simt_copy(struct simt *simt, uint64_t to, uint64_t from, size_t bytes) {
    return link_post(simt, REMOTE_COPY, (const uint64_t[]){to, from, bytes}, 3);
}

/* What is shared is filled here: the host's bytes are those that count. */
enum simt_status simt_set(struct simt *simt, uint64_t to, uint8_t value, size_t bytes) {
    if (!shared_find(simt, to, bytes))
        return LINK_ASK(simt, REMOTE_SET, to, value, bytes);
    memset((void *)(uintptr_t)to, value, bytes);
    return simt_note(simt, to, bytes, true);
}

enum simt_status simt_note(struct simt *simt, uint64_t address, size_t bytes, bool writes) {
    return LINK_ASK(simt, REMOTE_NOTE, address, bytes, writes);
}

bool simt_is_device_address(const struct simt *simt, uint64_t address) {
    return address - simt->base < simt->reserved;
}

bool simt_is_range(struct simt *simt, uint64_t address, size_t bytes) {
    LINK_ASK(simt, REMOTE_RANGE, address, bytes);
    return simt->packet.head.reply.n[0] != 0;
}

void simt_memory_info(const struct simt *simt, size_t *free_bytes, size_t *total_bytes) {
    struct simt *asked = (struct simt *)simt; /* the latest reply is no part of what it says */

    LINK_ASK(asked, REMOTE_INFO, 0);
    *free_bytes = simt->packet.head.reply.n[0];
    *total_bytes = simt->packet.head.reply.n[1];
}

const char *simt_memory_refusal(const struct simt *simt) {
    return simt->refusal;
}

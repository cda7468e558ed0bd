/*
 * The host's bits of allocations. They are made where they are needed: for a part of an allocation,
 * since the rest is not written yet, and for one with a name, whose origin is asked for
 * (simt_origins). Where the host has written the whole of any other, `is_defined` says enough.
 */
#include "common/simt/memory/origin.h"

#include <stdlib.h>
#include <string.h>

static uint64_t bits_size(const struct simt_allocation *allocation) {
    return allocation->bytes / 8 + 1;
}

static bool open_bits(struct simt_allocation *allocation) {
    if (!allocation->by_host)
        allocation->by_host = simt_zeros(bits_size(allocation));
    return allocation->by_host != NULL;
}

void simt_origin_close(struct simt_allocation *allocation) {
    simt_zeros_free(allocation->by_host, bits_size(allocation));
    allocation->by_host = NULL;
    allocation->n_by_host = 0;
}

static unsigned count_bits(unsigned bits) {
    static const uint8_t counts[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

    return counts[bits & 15] + counts[bits >> 4 & 15];
}

/* Sets or clears the bits of `n` bytes within eight. */
static void put_bits(struct simt_allocation *allocation, uint64_t offset, uint64_t n, bool on) {
    uint8_t *bits = &allocation->by_host[offset / 8];
    uint8_t mask = (uint8_t)(((1U << n) - 1) << (offset & 7));
    unsigned changed = count_bits((on ? ~*bits : *bits) & mask);

    *bits = on ? *bits | mask : *bits & (uint8_t)~mask;
    allocation->n_by_host += on ? changed : -(uint64_t)changed;
}

/* The same of 64 bytes from a multiple of 64 on. */
static void put_many(struct simt_allocation *allocation, uint64_t offset, bool on) {
    const uint64_t all = on ? UINT64_MAX : 0;
    uint64_t bits;

    memcpy(&bits, &allocation->by_host[offset / 8], sizeof bits);
    for (unsigned i = 0; bits != all && i < 8; i++)
        put_bits(allocation, offset + 8 * i, 8, on);
}

static void put_range(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes,
                      bool on) {
    const uint64_t end = offset + bytes;

    while (offset < end) {
        uint64_t first = offset & 7, n = 8 - first < end - offset ? 8 - first : end - offset;
        bool is_many = offset % 64 == 0 && end - offset >= 64;
        if (is_many)
            put_many(allocation, offset, on);
        else
            put_bits(allocation, offset, n, on);
        offset += is_many ? 64 : n;
    }
}

void simt_origin_write(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes) {
    bool is_whole = offset == 0 && bytes == allocation->bytes;

    simt_shadow_mark(allocation, offset, bytes, false);
    if (allocation->is_defined && !allocation->name)
        return;
    if ((is_whole && !allocation->name) || !open_bits(allocation)) {
        simt_origin_close(allocation);
        allocation->is_defined = true;
        return;
    }
    put_range(allocation, offset, bytes, true);
    if (allocation->n_by_host == allocation->bytes)
        allocation->is_defined = true;
}

bool simt_origin_keep(struct simt_allocation *allocation) {
    if (open_bits(allocation))
        put_range(allocation, 0, allocation->bytes, true);
    return allocation->by_host != NULL;
}

void simt_origin_clear(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes) {
    simt_shadow_mark(allocation, offset, bytes, false);
    if (allocation->by_host)
        put_range(allocation, offset, bytes, false);
}

/* Forgets who wrote what is there. Where some of it is not written yet, the rest counts as the
 * host's from now on. */
static void restart(struct simt_allocation *allocation, bool keeps_readers) {
    const struct simt_block *words = allocation->words;

    allocation->to_host = 0;
    allocation->is_copied = false;
    if (allocation->is_defined) {
        simt_origin_close(allocation);
    } else if (words && open_bits(allocation)) {
        for (uint64_t at = 0; at < allocation->bytes; at++)
            if (simt_any_written(words, at, 1))
                put_bits(allocation, at, 1, true);
    }
    simt_shadow_mark(allocation, 0, allocation->bytes, false);
    if (words && keeps_readers && allocation->bytes <= SIMT_UNREAD_BYTES)
        memset(allocation->words, 0, simt_shadow_size(allocation));
}

enum writer { NOBODY, HOST, KERNEL };

static enum writer writer_of(const struct simt_allocation *allocation, uint64_t offset) {
    if (allocation->words && simt_any_written(allocation->words, offset, 1))
        return KERNEL;
    return allocation->is_defined || simt_any_by_host(allocation, offset, 1) ? HOST : NOBODY;
}

static enum simt_status put_writer(struct simt_allocation *allocation, uint64_t offset,
                                   uint64_t bytes, enum writer writer) {
    if (writer == NOBODY)
        return simt_space_undefine(allocation, offset, bytes);
    if (writer == HOST)
        simt_origin_write(allocation, offset, bytes);
    else
        simt_space_define(allocation, offset, bytes);
    return SIMT_OK;
}

/* The same for bytes whose writers are a list: as many at a time as have one writer. */
static enum simt_status put_writers(struct simt_allocation *allocation, uint64_t offset,
                                    uint64_t bytes, const uint8_t *writers) {
    enum simt_status status = SIMT_OK;

    for (uint64_t at = 0, n; at < bytes && status == SIMT_OK; at += n) {
        for (n = 1; at + n < bytes && writers[at + n] == writers[at];)
            n++;
        status = put_writer(allocation, offset + at, n, (enum writer)writers[at]);
    }
    return status;
}

enum simt_status simt_origin_copy(struct simt_allocation *target, uint64_t at,
                                  const struct simt_allocation *source, uint64_t source_at,
                                  uint64_t bytes) {
    enum { STEP_BYTES = 1 << 16 };

    if (!source->words && !source->by_host) /* of one writer */
        return put_writer(target, at, bytes, writer_of(source, source_at));
    /* Within one allocation the bytes may overlap. */
    uint64_t step = target == source || bytes < STEP_BYTES ? bytes : STEP_BYTES;
    uint8_t *writers = malloc(step);
    enum simt_status status = writers ? SIMT_OK : SIMT_NO_MEMORY;
    for (uint64_t done = 0, n; done < bytes && status == SIMT_OK; done += n) {
        n = bytes - done < step ? bytes - done : step;
        for (uint64_t i = 0; i < n; i++)
            writers[i] = (uint8_t)writer_of(source, source_at + done + i);
        status = put_writers(target, at + done, n, writers);
    }
    free(writers);
    return status;
}

/* Bytes of an allocation by who wrote them last. */
struct origin {
    uint64_t by_kernels, by_host;
};

static struct origin count_bytes(const struct simt_allocation *allocation) {
    struct origin count = {.by_host = allocation->n_by_host};
    const size_t n_words = allocation->words ? simt_words_for(allocation->bytes) : 0;

    for (size_t i = 0; i < n_words; i += SIMT_BLOCK) {
        const struct simt_block *block = &allocation->words[i / SIMT_BLOCK];
        uint32_t any = 0;
        for (unsigned k = 0; k < SIMT_BLOCK; k++)
            any |= block->writers[k] | block->readers[k];
        if (!(any & SIMT_SLOT_WRITTEN))
            continue;
        for (size_t k = i; k < i + SIMT_BLOCK && k < n_words; k++) {
            uint32_t written = simt_written(allocation->words, k);
            count.by_kernels += count_bits(written);
            if (allocation->by_host) /* the kernel came later */
                count.by_host -= count_bits(written & simt_host_word(allocation, k));
        }
    }
    return count;
}

static bool is_read(const struct simt_allocation *allocation, uint64_t word) {
    return allocation->words &&
           simt_get_word(allocation->words, word).reader >> SIMT_SLOT_CONTEXT != 0;
}

/* What no thread has read. Of large buffers it would take too long to look. */
static void find_unread(const struct simt_allocation *allocation,
                        struct simt_buffer_origin *origin) {
    struct simt_span *last = NULL;

    origin->knows_readers = allocation->bytes <= SIMT_UNREAD_BYTES && allocation->to_host == 0 &&
                            !allocation->is_copied;
    if (!origin->knows_readers)
        return;
    for (uint64_t at = 0; at + 4 <= allocation->bytes; at += 4) {
        if (is_read(allocation, at / 4))
            continue;
        origin->unread_bytes += 4;
        if (last && last->first + last->bytes == at) {
            last->bytes += 4;
        } else if (origin->n_unread < SIMT_MOST_SPANS) {
            last = &origin->unread[origin->n_unread++];
            *last = (struct simt_span){at, 4};
        }
    }
}

void simt_space_restart(struct simt_space *space, bool keeps_readers) {
    space->to_host = space->from_host = 0;
    space->is_unsure = space->is_spared = false;
    for (size_t i = 0; i < space->n; i++)
        if (space->table[i]->name)
            restart(space->table[i], keeps_readers);
}

void simt_space_origins(const struct simt_space *space, struct simt_origins *origins) {
    *origins = (struct simt_origins){
        .is_sure = !space->is_unsure,
        .to_host = space->to_host,
        .from_host = space->from_host,
        .buffers = malloc((space->n + 1) * sizeof *origins->buffers),
    };
    for (size_t i = 0; origins->buffers && i < space->n; i++) {
        const struct simt_allocation *allocation = space->table[i];
        if (!allocation->name || allocation->is_mapped || allocation->exposed_bytes)
            continue;
        struct origin count = count_bytes(allocation);
        struct simt_buffer_origin *origin = &origins->buffers[origins->n_buffers++];
        *origin = (struct simt_buffer_origin){
            .address = allocation->address,
            .bytes = allocation->bytes,
            .name = allocation->name,
            .by_kernels = count.by_kernels,
            .by_host = count.by_host,
            .to_host = allocation->to_host,
        };
        if (!space->is_unsure && !space->is_spared)
            find_unread(allocation, origin);
    }
}

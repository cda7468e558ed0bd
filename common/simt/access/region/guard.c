/*
 * Footprints of host threads, and pages as they were before.
 */
#include "common/simt/access/region/guard.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/access/region/region.h"

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT };

/* Marks of saved pages beside a pointer: somebody saves it just now; there was no memory for it. */
static uint8_t busy, failed;

static size_t count_pages(const struct simt_allocation *allocation) {
    return (allocation->bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
}

static size_t count_words(const struct simt_allocation *allocation) {
    return (allocation->bytes + 3) / 4 / 32 + 6; /* and some more for vectors that are dense */
}

bool simt_guard_begin(struct simt_space *space) {
    for (size_t i = 0; i < space->n; i++) {
        struct simt_allocation *allocation = space->table[i];
        allocation->index = i;
        allocation->saved = calloc(count_pages(allocation), sizeof *allocation->saved);
        if (!allocation->saved) {
            simt_guard_end(space, false);
            return false;
        }
    }
    return true;
}

/* Bytes of a page that belong to the allocation. */
static size_t bytes_of(const struct simt_allocation *allocation, size_t page) {
    size_t left = allocation->bytes - (page << PAGE_SHIFT);
    return left < PAGE_BYTES ? left : PAGE_BYTES;
}

static void put_back(struct simt_allocation *allocation, size_t page) {
    const uint8_t *saved = allocation->saved[page];
    size_t bytes = bytes_of(allocation, page), at = page << PAGE_SHIFT;
    memcpy(allocation->host + at, saved, bytes);
    struct simt_block *words = allocation->words;
    for (size_t i = 0; words && i < simt_words_for(bytes); i++) {
        struct simt_word word = simt_get_word(words, at / 4 + i);
        uint8_t written = saved[PAGE_BYTES + i];
        word.writer = (word.writer & ~SIMT_SLOT_WRITTEN) | (written & SIMT_SLOT_WRITTEN);
        word.reader = (word.reader & ~SIMT_SLOT_WRITTEN) | written >> 2;
        simt_put_word(words, at / 4 + i, word);
    }
}

void simt_guard_end(struct simt_space *space, bool undo) {
    for (size_t i = 0; i < space->n; i++) {
        struct simt_allocation *allocation = space->table[i];
        size_t n_pages = allocation->saved ? count_pages(allocation) : 0;
        for (size_t page = 0; page < n_pages; page++) {
            if (!allocation->saved[page] || allocation->saved[page] == &failed)
                continue;
            if (undo)
                put_back(allocation, page);
            free(allocation->saved[page]);
        }
        free(allocation->saved);
        allocation->saved = NULL;
    }
}

/* Takes a copy of the page's bytes and of their flags. */
static uint8_t *copy_page(const struct simt_allocation *allocation, size_t page) {
    uint8_t *copy = malloc(PAGE_BYTES + PAGE_BYTES / 4);
    if (!copy)
        return &failed;
    size_t bytes = bytes_of(allocation, page), at = page << PAGE_SHIFT;
    memcpy(copy, allocation->host + at, bytes);
    /* Another thread may be making the shadow just now. */
    const struct simt_block *words = __atomic_load_n(&allocation->words, __ATOMIC_ACQUIRE);
    for (size_t i = 0; words && i < simt_words_for(bytes); i++)
        copy[PAGE_BYTES + i] = (uint8_t)simt_written(words, at / 4 + i);
    return copy;
}

static bool save_page(const struct simt_allocation *allocation, size_t page) {
    uint8_t **slot = &allocation->saved[page];
    uint8_t *seen = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (!seen && __atomic_compare_exchange_n(slot, &seen, &busy, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE)) {
        seen = copy_page(allocation, page);
        __atomic_store_n(slot, seen, __ATOMIC_RELEASE);
    }
    while (seen == &busy) {
        sched_yield();
        seen = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    }
    return seen != &failed;
}

/* Saves the pages that a request is about to change. */
static bool save_pages(const struct simt_request *request,
                       const struct simt_allocation *allocation) {
    size_t first = request->low >> PAGE_SHIFT;
    size_t last = (request->high + request->bytes - 1) >> PAGE_SHIFT;
    bool ok = true;
    if (last - first <= 1) {
        ok = save_page(allocation, first);
        return last == first ? ok : ok && save_page(allocation, last);
    }
    for (uint32_t rest = request->mask; rest && ok; rest &= rest - 1) {
        uint64_t offset = request->offset[__builtin_ctz(rest)];
        ok = save_page(allocation, offset >> PAGE_SHIFT) &&
             save_page(allocation, (offset + request->bytes - 1) >> PAGE_SHIFT);
    }
    return ok;
}

bool simt_guard_save(const struct simt_request *request, struct simt_allocation *allocation) {
    if (!allocation->saved)
        allocation->saved = calloc(count_pages(allocation), sizeof *allocation->saved);
    return allocation->saved && save_pages(request, allocation);
}

bool simt_guard_open(struct simt_guard *guard, const struct simt_space *space, bool *abandoned) {
    *guard = (struct simt_guard){
        .footprints = calloc(space->n + 1, sizeof *guard->footprints),
        .n = space->n,
        .abandoned = abandoned,
    };
    return guard->footprints != NULL;
}

void simt_guard_close(struct simt_guard *guard) {
    for (size_t i = 0; guard->footprints && i < guard->n; i++) {
        free(guard->footprints[i].read);
        free(guard->footprints[i].written);
        free(guard->footprints[i].updated);
    }
    free(guard->footprints);
}

static void mark(const struct simt_request *request, uint32_t *bits) {
    if (request->is_dense && request->bytes == 4) {
        uint64_t word = request->offset[0] / 4, mask = (uint64_t)UINT32_MAX << word % 32;
        bits[word / 32] |= (uint32_t)mask;
        bits[word / 32 + 1] |= (uint32_t)(mask >> 32);
        return;
    }
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t offset = request->offset[__builtin_ctz(rest)];
        uint64_t last = (offset + request->bytes - 1) / 4;
        for (uint64_t word = offset / 4; word <= last; word++)
            bits[word / 32] |= UINT32_C(1) << word % 32;
    }
}

bool simt_guard_note(struct simt_guard *guard, const struct simt_request *request,
                     const struct simt_region *region) {
    const struct simt_allocation *allocation = region->allocation;
    struct simt_footprint *footprint = &guard->footprints[allocation->index];
    uint32_t **bits = request->touch == SIMT_READS    ? &footprint->read
                      : request->touch == SIMT_WRITES ? &footprint->written
                                                      : &footprint->updated;
    if (!*bits)
        *bits = calloc(count_words(allocation), sizeof **bits);
    if (!*bits || (request->touch != SIMT_READS && !save_pages(request, allocation))) {
        __atomic_store_n(guard->abandoned, true, __ATOMIC_RELAXED);
        return false;
    }
    mark(request, *bits);
    return true;
}

static bool meet(const uint32_t *a, const uint32_t *b, size_t n) {
    if (!a || !b)
        return false;
    uint32_t both = 0;
    for (size_t i = 0; i < n; i++)
        both |= a[i] & b[i];
    return both != 0;
}

bool simt_guard_conflict(const struct simt_guard *a, const struct simt_guard *b,
                         const struct simt_space *space) {
    for (size_t i = 0; i < a->n; i++) {
        const struct simt_footprint *p = &a->footprints[i], *q = &b->footprints[i];
        size_t n = count_words(space->table[i]);
        if (meet(p->written, q->written, n) || meet(p->written, q->read, n) ||
            meet(p->read, q->written, n) || meet(p->updated, q->written, n) ||
            meet(p->written, q->updated, n) || meet(p->updated, q->read, n) ||
            meet(p->read, q->updated, n))
            return true;
    }
    return false;
}

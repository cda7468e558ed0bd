/*
 * The shadow of global memory: made when it is first needed, told of what the host writes, and
 * cleaned of contexts that no word names any more.
 */
#include "common/simt/memory/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "common/simt/memory/origin.h"

/* Sets or clears the flags of some bytes of one word. */
static void mark_word(struct simt_block *words, uint64_t i, uint32_t bytes, bool written) {
    uint32_t low = bytes & 3, high = bytes >> 2;
    struct simt_word word = simt_get_word(words, i);
    word.writer = written ? word.writer | low : word.writer & ~low;
    word.reader = written ? word.reader | high : word.reader & ~high;
    simt_put_word(words, i, word);
}

/* The same for all bytes of a block. Blocks without flags may lie on fresh pages, which stay so. */
static void mark_block(struct simt_block *block, bool written) {
    uint32_t flags = 0;
    for (unsigned i = 0; i < SIMT_BLOCK; i++)
        flags |= block->writers[i] | block->readers[i];
    if (!written && !(flags & SIMT_SLOT_WRITTEN))
        return;
    for (unsigned i = 0; i < SIMT_BLOCK; i++) {
        block->writers[i] = (block->writers[i] | SIMT_SLOT_WRITTEN) ^ (written ? 0 : 3);
        block->readers[i] = (block->readers[i] | SIMT_SLOT_WRITTEN) ^ (written ? 0 : 3);
    }
}

void simt_shadow_mark(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes,
                      bool written) {
    enum { BLOCK_BYTES = SIMT_BLOCK * 4 };
    struct simt_block *words = allocation->words;
    const uint64_t end = offset + bytes;
    while (words && offset < end) {
        if (offset % BLOCK_BYTES == 0 && end - offset >= BLOCK_BYTES) {
            mark_block(&words[offset / BLOCK_BYTES], written);
            offset += BLOCK_BYTES;
            continue;
        }
        uint64_t first = offset & 3, n = 4 - first < end - offset ? 4 - first : end - offset;
        if (written || simt_written(words, offset >> 2))
            mark_word(words, offset >> 2, ((UINT32_C(1) << n) - 1) << first, written);
        offset += n;
    }
}

struct simt_block *simt_space_words(struct simt_allocation *allocation) {
    struct simt_block *words = __atomic_load_n(&allocation->words, __ATOMIC_ACQUIRE),
                      *others = NULL;
    if (words)
        return words;
    words = simt_zeros(simt_shadow_size(allocation));
    if (!words || __atomic_compare_exchange_n(&allocation->words, &others, words, false,
                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return words;
    simt_zeros_free(words, simt_shadow_size(allocation));
    return others;
}

size_t simt_shadow_size(const struct simt_allocation *allocation) {
    return (simt_words_for(allocation->bytes) + SIMT_BLOCK - 1) / SIMT_BLOCK *
           sizeof(struct simt_block);
}

void simt_space_define(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (!simt_space_words(allocation))
        allocation->is_defined = true;
    simt_shadow_mark(allocation, offset, bytes, true);
}

enum simt_status simt_space_undefine(struct simt_allocation *allocation, uint64_t offset,
                                     uint64_t bytes) {
    if (allocation->is_mapped || allocation->exposed_bytes)
        return SIMT_OK; /* the host may have written it since */
    if (allocation->is_defined && bytes < allocation->bytes && !simt_origin_keep(allocation))
        return SIMT_NO_MEMORY;
    allocation->is_defined = false;
    simt_origin_clear(allocation, offset, bytes);
    return SIMT_OK;
}

void simt_space_define_all(struct simt_space *space) {
    space->is_unsure = true;
    for (size_t i = 0; i < space->n; i++)
        space->table[i]->is_defined = true;
}

/* Contexts get new numbers, so that those of stamps before `since` and those that no word names
 * are left out; `renamed` has the new number of each one that is kept. */
static void rename_contexts(struct simt_contexts *contexts, uint32_t *renamed, uint64_t since) {
    uint32_t n = 1;
    for (uint32_t i = 1; i < contexts->n; i++) {
        if (!renamed[i] || contexts->stamps[i] < since) {
            renamed[i] = 0;
            continue;
        }
        contexts->stamps[n] = contexts->stamps[i];
        renamed[i] = n++;
    }
    contexts->n = n;
}

/* Such words may lie on pages that cost nothing as long as nobody writes to them. */
static bool is_untouched(struct simt_word word) {
    return (word.writer | word.reader) == 0;
}

static uint32_t renamed_slot(uint32_t slot, const uint32_t *renamed) {
    uint32_t context = renamed[slot >> SIMT_SLOT_CONTEXT];
    uint32_t rest = slot & ((UINT32_C(1) << SIMT_SLOT_CONTEXT) - 1);
    return context ? context << SIMT_SLOT_CONTEXT | rest : slot & SIMT_SLOT_WRITTEN;
}

void simt_contexts_clean(struct simt_space *space, uint64_t since) {
    struct simt_contexts *contexts = &space->contexts;
    uint32_t *renamed = calloc(SIMT_CONTEXTS, sizeof *renamed);
    contexts->generation++;
    if (!renamed) {
        simt_space_forget(space);
        return;
    }
    for (size_t i = 0; i < space->n; i++) {
        const struct simt_block *words = space->table[i]->words;
        for (size_t k = 0; words && k < simt_words_for(space->table[i]->bytes); k++) {
            struct simt_word word = simt_get_word(words, k);
            renamed[word.writer >> SIMT_SLOT_CONTEXT] = 1;
            renamed[word.reader >> SIMT_SLOT_CONTEXT] = 1;
        }
    }
    renamed[0] = 0;
    rename_contexts(contexts, renamed, since);
    for (size_t i = 0; i < space->n; i++) {
        struct simt_block *words = space->table[i]->words;
        for (size_t k = 0; words && k < simt_words_for(space->table[i]->bytes); k++) {
            struct simt_word word = simt_get_word(words, k);
            if (is_untouched(word))
                continue;
            word.writer = renamed_slot(word.writer, renamed);
            word.reader = renamed_slot(word.reader, renamed);
            simt_put_word(words, k, word);
        }
    }
    free(renamed);
}

void simt_space_forget(struct simt_space *space) {
    space->contexts.n = 1;
    space->contexts.generation++;
    for (size_t i = 0; i < space->n; i++) {
        struct simt_block *words = space->table[i]->words;
        for (size_t k = 0; words && k < simt_words_for(space->table[i]->bytes); k++) {
            struct simt_word word = simt_get_word(words, k);
            if (is_untouched(word))
                continue;
            word.writer &= SIMT_SLOT_WRITTEN;
            word.reader &= SIMT_SLOT_WRITTEN;
            simt_put_word(words, k, word);
        }
    }
}

uint64_t *simt_contexts_open(struct simt_space *space) {
    if (!space->contexts.stamps) {
        /* Fresh pages, too. */
        space->contexts.stamps = calloc(SIMT_CONTEXTS, sizeof *space->contexts.stamps);
        space->contexts.n = 1;
    }
    return space->contexts.stamps;
}

size_t simt_shadow_bytes(const struct simt_space *space) {
    size_t bytes = space->contexts.stamps ? space->contexts.n * sizeof *space->contexts.stamps : 0;
    for (size_t i = 0; i < space->n; i++)
        if (space->table[i]->words)
            bytes += simt_shadow_size(space->table[i]);
    return bytes;
}

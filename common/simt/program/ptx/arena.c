/*
 * The arena of a parsed module: chunks that double in size, and a hash set of words.
 */
#include "common/simt/program/ptx/parser.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/fnv.h"

enum { FIRST_CHUNK_BYTES = 16 << 10, LARGEST_CHUNK_BYTES = 4 << 20, FIRST_WORDS = 256 };

struct chunk {
    struct chunk *previous;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

struct word {
    char *text;
    size_t length;
    uint64_t hash;
};

struct ptx_arena {
    struct chunk *chunk;
    struct word *words; /* open addressing; n_slots is a power of two */
    size_t n_words, n_slots;
};

struct ptx_arena *ptx_arena_create(void) {
    struct ptx_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return NULL;
    arena->n_slots = FIRST_WORDS;
    arena->words = calloc(arena->n_slots, sizeof *arena->words);
    if (!arena->words) {
        free(arena);
        return NULL;
    }
    return arena;
}

void ptx_arena_destroy(struct ptx_arena *arena) {
    if (!arena)
        return;
    while (arena->chunk) {
        struct chunk *previous = arena->chunk->previous;
        free(arena->chunk);
        arena->chunk = previous;
    }
    free(arena->words);
    free(arena);
}

static struct chunk *add_chunk(struct ptx_arena *arena, size_t bytes) {
    size_t size = arena->chunk ? arena->chunk->size * 2 : FIRST_CHUNK_BYTES;
    if (size > LARGEST_CHUNK_BYTES)
        size = LARGEST_CHUNK_BYTES;
    if (size < bytes)
        size = bytes;
    if (size > SIZE_MAX - sizeof(struct chunk))
        return NULL;
    struct chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->size = size;
    chunk->previous = arena->chunk;
    arena->chunk = chunk;
    return chunk;
}

void *ptx_arena_alloc(struct ptx_arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        return NULL;
    size_t rounded = (bytes + 15) & ~(size_t)15;
    struct chunk *chunk = arena->chunk;
    if (!chunk || chunk->size - chunk->used < rounded)
        chunk = add_chunk(arena, rounded);
    if (!chunk)
        return NULL;
    void *result = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return result;
}

static uint64_t hash_of(const char *word, size_t length) {
    const uint64_t hash = fnv64_add(FNV64_START, word, length);
    return hash ^ hash >> 32;
}

static int grow_words(struct ptx_arena *arena) {
    size_t n_slots = arena->n_slots * 2;
    struct word *words = calloc(n_slots, sizeof *words);
    if (!words)
        return -1;
    for (size_t i = 0; i < arena->n_slots; i++) {
        if (!arena->words[i].text)
            continue;
        size_t slot = arena->words[i].hash & (n_slots - 1);
        while (words[slot].text)
            slot = (slot + 1) & (n_slots - 1);
        words[slot] = arena->words[i];
    }
    free(arena->words);
    arena->words = words;
    arena->n_slots = n_slots;
    return 0;
}

char *ptx_arena_intern(struct ptx_arena *arena, const char *word, size_t length) {
    if (arena->n_words * 2 >= arena->n_slots && grow_words(arena))
        return NULL;
    uint64_t hash = hash_of(word, length);
    size_t slot = hash & (arena->n_slots - 1);
    for (; arena->words[slot].text; slot = (slot + 1) & (arena->n_slots - 1)) {
        struct word *entry = &arena->words[slot];
        if (entry->hash == hash && entry->length == length && !memcmp(entry->text, word, length))
            return entry->text;
    }
    char *text = ptx_arena_alloc(arena, length + 1);
    if (!text)
        return NULL;
    memcpy(text, word, length);
    arena->words[slot] = (struct word){text, length, hash};
    arena->n_words++;
    return text;
}

/*
 * Memory that lives as long as a parsed module: handed out in order, freed in one go.
 * Words are interned, since PTX repeats few words very often.
 */
#ifndef SIMT_PTX_ARENA_H
#define SIMT_PTX_ARENA_H

#include <stddef.h>

struct ptx_arena;

/* NULL when the host has no memory. */
struct ptx_arena *ptx_arena_create(void);
void ptx_arena_destroy(struct ptx_arena *arena);

/* `bytes` zeroed bytes, aligned to 16; NULL when the host has no memory. */
void *ptx_arena_alloc(struct ptx_arena *arena, size_t bytes);

/* The one terminated copy of a word; equal words give equal pointers. NULL as above. */
char *ptx_arena_intern(struct ptx_arena *arena, const char *word, size_t length);

#endif

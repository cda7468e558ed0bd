/*
 * FNV-1a of 64 bits: a hash for tables, by Fowler, Noll and Vo (draft-eastlake-fnv). It does not
 * withstand anybody who looks for collisions.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FNV64_START UINT64_C(0xcbf29ce484222325)

/* The hash of what came before (FNV64_START: nothing) and of these bytes. */
static inline uint64_t fnv64_add(uint64_t hash, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

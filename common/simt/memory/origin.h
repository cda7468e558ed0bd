/*
 * Who wrote a byte last: a kernel, the host, or nobody. The shadow's flags say what kernels wrote
 * (shadow.h); what the host wrote since has a bit of its own here. So a result that the host has
 * copied in can be told from one that a kernel has computed.
 */
#pragma once

#include "common/simt/memory/space.h"

/* The host's bits of eight bytes from a multiple of eight on; 0 where there are none. */
static inline uint8_t simt_host_bits(const struct simt_allocation *allocation, uint64_t offset) {
    return allocation->by_host ? allocation->by_host[offset / 8] : 0;
}

/* The same of the four bytes of a word. */
static inline uint32_t simt_host_word(const struct simt_allocation *allocation, uint64_t word) {
    return simt_host_bits(allocation, word * 4) >> (word & 1) * 4 & 15;
}

/* True when the host wrote one of 1, 2, 4 or 8 bytes that are aligned, and no kernel did since. */
static inline bool simt_any_by_host(const struct simt_allocation *allocation, uint64_t offset,
                                    uint32_t bytes) {
    return simt_host_bits(allocation, offset) >> (offset & 7) & ((UINT32_C(1) << bytes) - 1);
}

/* The host writes these bytes. */
void simt_origin_write(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes);

/* Bytes of `source` are copied here: they are whose they were there. SIMT_NO_MEMORY without memory
 * to say so. */
enum simt_status simt_origin_copy(struct simt_allocation *target, uint64_t at,
                                  const struct simt_allocation *source, uint64_t source_at,
                                  uint64_t bytes);

/* All was written, and not all will be: bits say so of those that are the host's. False without
 * memory for them. */
bool simt_origin_keep(struct simt_allocation *allocation);

/* Nobody has written these bytes. */
void simt_origin_clear(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes);

/* Frees the bits. */
void simt_origin_close(struct simt_allocation *allocation);

/* A restart of all allocations that have names, and of what is counted; where the readers are kept,
 * also of who has read the small ones. */
void simt_space_restart(struct simt_space *space, bool keeps_readers);

/* simt.h's simt_origins. */
void simt_space_origins(const struct simt_space *space, struct simt_origins *origins);

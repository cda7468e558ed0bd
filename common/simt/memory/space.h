/*
 * The device's address space: allocations that are exact to the byte, their names, and which of
 * their bytes nobody has written yet.
 *
 * The addresses are a reservation of the host's address space without any right, so that a host
 * that dereferences one faults there; the bytes themselves lie elsewhere. Addresses are not used
 * again as long as fresh ones are left, so a freed pointer stays illegal.
 */
#pragma once

#include "common/simt/memory/host.h"
#include "common/simt/memory/shadow.h"
#include "common/simt/simt.h"

/* What the running launch has done with an allocation, where that says which accesses the checks
 * need not record: checks/spare.h. */
enum simt_use { SIMT_USE_NONE, SIMT_USE_READ, SIMT_USE_WRITTEN, SIMT_USE_UPDATED };

struct simt_allocation {
    uint64_t address, bytes;
    uint8_t *host;            /* where the bytes are */
    uint64_t exposed_bytes;   /* of pages that the host may touch at the same address; 0: none */
    bool is_mapped;           /* the bytes are the host's own memory, at its own address */
    bool is_lent;             /* the bytes are memory of the program that made the allocation */
    bool is_defined;          /* all was written; otherwise the shadow says what was */
    struct simt_block *words; /* shadow.h; NULL before the first need: as if all were 0 */
    uint8_t *by_host;         /* origin.h: a bit a byte; NULL: as if all were 0 */
    uint64_t n_by_host;       /* of these bits are set */
    uint64_t to_host;         /* bytes that the host has read since the report was reset */
    bool is_copied;           /* a copy on the device has read some since then */
    enum simt_use use;        /* by the running launch */
    uint8_t **saved;          /* a page each, as it was before the launch: see guard.h */
    size_t index;             /* in the table; set by guard.c */
    char *name;               /* NULL when the program gave none */
    size_t element_bytes;
    bool is_on_heap; /* a kernel allocated it */
    uint64_t number; /* see struct simt_digest; 0: has none */
};

struct simt_space {
    uint64_t base, reserved; /* the range of addresses */
    uint64_t capacity, used;
    uint64_t limit;    /* of `used`: what the host has of the capacity */
    char refusal[192]; /* why the latest allocation that failed did; "" before there is one */
    struct simt_host host;
    uint64_t heap_bytes, heap_used; /* limit of what kernels may allocate, and what they have */
    bool heap_is_in_use;            /* a kernel has asked for memory */
    bool mapped;                    /* the range is reserved in the host's address space */
    uint64_t next;                  /* first address that was never handed out */
    struct simt_allocation **table; /* sorted by address */
    size_t n, room;
    struct simt_allocation *last_hit;
    bool is_watched;             /* new allocations count as never written */
    bool is_unsure;              /* a kernel ran since the report was reset that was not watched */
    bool is_spared;              /* likewise, of which not each reader was recorded */
    uint64_t to_host, from_host; /* bytes that the host has read and written since then */
    struct simt_contexts contexts;
    struct simt_works *works; /* the host's work, for the checks; NULL before there is any */
    struct simt_steps *steps; /* likewise: launches and what the host wrote, last_writer.c */
    uint64_t n_numbered;
    bool keeps_digests;
    struct simt_digest *digests; /* of what was freed */
    size_t n_digests, digests_room;
};

/* Reserves addresses for `capacity` bytes of allocations. */
void simt_space_open(struct simt_space *space, size_t capacity);
void simt_space_close(struct simt_space *space);
/* Allocations take no more than the host can give now, or `bytes` of it where that is not 0. */
void simt_space_limit(struct simt_space *space, size_t bytes);

/* New bytes are zero and count as never written. */
enum simt_status simt_space_allocate(struct simt_space *space, size_t bytes, uint64_t *address);
/* The same, `shift` bytes behind a round address: a multiple of 4, below 256. */
enum simt_status simt_space_allocate_shifted(struct simt_space *space, size_t bytes, size_t shift,
                                             uint64_t *address);
/* Bytes that lie at `host`, count as written, and are no part of what is used. */
enum simt_status simt_space_lend(struct simt_space *space, void *host, size_t bytes,
                                 uint64_t *address);
enum simt_status simt_space_release(struct simt_space *space, uint64_t address);

/* Lets the host use the bytes at their device address, on pages of their own where nothing else was
 * allocated in between; they count as written from then on. A fresh allocation has nothing but
 * zeros yet. SIMT_UNSUPPORTED where the range is not reserved in the host's address space. */
enum simt_status simt_space_expose(struct simt_space *space, uint64_t address, bool is_fresh);
/* The next allocation begins on a page that no other uses. */
void simt_space_begin_page(struct simt_space *space);

/* Lets kernels use memory of the host at an address, mostly its own. The first byte is rounded down
 * so that every access size divides it. */
enum simt_status simt_space_map(struct simt_space *space, uint64_t address, void *host,
                                size_t bytes);
enum simt_status simt_space_unmap(struct simt_space *space, uint64_t address);

/* malloc() and free() of kernels. */
enum simt_status simt_space_heap_allocate(struct simt_space *space, size_t bytes,
                                          uint64_t *address);
enum simt_status simt_space_heap_release(struct simt_space *space, uint64_t address);

/* digest.c: gives an allocation its number; notes what one holds that is about to be freed; all
 * digests by number. */
void simt_space_number(struct simt_space *space, uint64_t address);
void simt_space_note(struct simt_space *space, const struct simt_allocation *allocation);
size_t simt_space_digests(const struct simt_space *space, struct simt_digest **digests);

/* The allocation that holds the address; NULL when none does. */
struct simt_allocation *simt_space_find(struct simt_space *space, uint64_t address);

/* The same for several threads at a time: each has its own memory of the last hit. */
struct simt_allocation *simt_space_look(const struct simt_space *space, uint64_t address,
                                        struct simt_allocation **last_hit);

/* The allocation whose end or beginning is nearest to an address that none holds; NULL when there
 * are no allocations. For messages. */
const struct simt_allocation *simt_space_nearest(const struct simt_space *space, uint64_t address);

/* The allocation when it holds all `bytes` from `address` on, else NULL. */
struct simt_allocation *simt_space_range(struct simt_space *space, uint64_t address, size_t bytes);

/* Names an allocation; the name is copied. */
enum simt_status simt_space_name(struct simt_space *space, uint64_t address, const char *name,
                                 size_t element_bytes);

/* shadow.c. Bytes from `offset` on become written by a kernel, or never written. What the host
 * writes and copies: origin.h. */
void simt_space_define(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes);
enum simt_status simt_space_undefine(struct simt_allocation *allocation, uint64_t offset,
                                     uint64_t bytes);

/* All bytes of all allocations count as written: a kernel ran that was not watched. */
void simt_space_define_all(struct simt_space *space);

/* The shadow of an allocation, made when it is first asked for, also by several threads at a time;
 * NULL when the host has no memory: a kernel that is checked ends then. */
struct simt_block *simt_space_words(struct simt_allocation *allocation);
/* Sets or clears the flags of bytes in a row, where there is a shadow. */
void simt_shadow_mark(struct simt_allocation *allocation, uint64_t offset, uint64_t bytes,
                      bool written);
/* What it takes. */
size_t simt_shadow_size(const struct simt_allocation *allocation);
/* Forgets all accesses. */
void simt_space_forget(struct simt_space *space);

/* The table of contexts, made when it is first asked for; NULL when the host has no memory. */
uint64_t *simt_contexts_open(struct simt_space *space);
/* Makes room in it: forgets contexts that no word names, and all before a stamp. */
void simt_contexts_clean(struct simt_space *space, uint64_t since);

/* What shadow memory takes now. */
size_t simt_shadow_bytes(const struct simt_space *space);

/*
 * Where an access lands: one allocation, the cta's shared memory, or the local memory of a warp.
 */
#pragma once

#include <string.h>

#include "common/base/each_cpu.h"
#include "common/simt/state/sm.h"

/* A helper of functions FOR_EACH_CPU: compiled into each of their variants. */
#define SIMT_PART_OF_EACH static inline __attribute__((always_inline))

/* Eight values, or what is found out about them: all ones for yes, in comparisons. */
typedef uint32_t simt_eight __attribute__((vector_size(32)));
typedef int32_t simt_signed __attribute__((vector_size(32)));
typedef uint64_t simt_four __attribute__((vector_size(32)));

/* All bits that some of eight values has. */
SIMT_PART_OF_EACH uint32_t simt_any_bits(const simt_eight *values) {
    uint64_t parts[4], all;
    memcpy(parts, values, sizeof parts);
    all = (parts[0] | parts[1]) | (parts[2] | parts[3]);
    return (uint32_t)(all >> 32 | all);
}

struct simt_region {
    uint8_t *host;
    uint8_t *defined;         /* of shared memory: a flag a byte that was written … */
    struct simt_cells cells;  /* … and its shadow */
    struct simt_block *words; /* the shadow of global memory; NULL: nothing is checked */
    enum ptx_space space;     /* PTX_SHARED, PTX_GLOBAL (also constant memory) or PTX_LOCAL */
    const struct simt_allocation *allocation; /* of global memory */
};

/* One memory instruction of a warp on its way. */
struct simt_request {
    const struct simt_insn *insn;
    enum simt_touch touch;
    uint32_t bytes;               /* of one lane */
    uint64_t address[SIMT_LANES]; /* as the program names it */
    uint64_t offset[SIMT_LANES];  /* in the region, of the lanes of `mask` */
    uint64_t low, high;           /* the least and the largest of these offsets */
    uint32_t mask;                /* lanes that lie in the region */
    bool is_even;                 /* all 32 lanes, each `step` behind the last one … */
    bool is_dense;                /* … which is `bytes` */
    uint64_t step;
};

/* The region of an address, its size, and (the result) the address of its first byte; NULL host:
 * there is none. */
uint64_t simt_find_region(struct simt_sm *sm, const struct simt_insn *insn, uint64_t address,
                          struct simt_region *region, uint64_t *bytes);

/* pointer.c: the allocation that a parameter of the kernel points into, from which alone the
 * address of an access was made; NULL where there are several, or nobody knows. */
const struct simt_allocation *simt_pointer_of(const struct simt_sm *sm, uint32_t index);
/* True where that parameter is a device's address, and points to no element of an allocation. */
bool simt_pointer_is_stray(const struct simt_sm *sm, uint32_t index);

/* Where in shared memory the address of a lane is, in an instruction that can have no other. */
static inline uint32_t simt_shared_place(const struct simt_exec *x, const struct simt_insn *insn,
                                         uint32_t lane) {
    uint32_t base = 0; /* the shared window begins at a multiple of 4 GiB */
    if (insn->a != SIMT_NO_ROW)
        memcpy(&base, x->rows + insn->a + (size_t)lane * insn->address_bytes, sizeof base);
    return base + (uint32_t)insn->imm;
}

/* The cta's shared memory. */
static inline struct simt_region simt_shared_region(const struct simt_sm *sm) {
    return (struct simt_region){
        .host = sm->shared,
        .defined = sm->shared_defined,
        .cells = sm->shared_cells,
        .space = PTX_SHARED,
    };
}

/* Remembers that the program looked at, or changed, memory: for warps that spin. */
static inline void simt_note_look(struct simt_sm *sm, const struct simt_insn *insn,
                                  enum simt_touch touch, uint64_t address) {
    uint8_t looked = insn->is_strong ? SIMT_LOOKED_STRONG : SIMT_LOOKED_PLAIN;
    if (touch == SIMT_WRITES)
        sm->modified = true;
    else if (sm->looked < looked)
        sm->looked = looked;
    sm->looked_index = insn->index;
    sm->looked_address = address;
}

/* A cp.async that is not a bulk copy: what it brings is there when a thread has waited for it. */
static inline bool simt_is_copy(const struct simt_insn *insn) {
    return insn->source->opcode == ISA_CP && !insn->imm_flags;
}

/* fault.c: the lane's address lies nowhere, or is no multiple of the access's size. */
void simt_fault_bounds(struct simt_sm *sm, const struct simt_request *request, uint32_t lane);
void simt_fault_alignment(struct simt_sm *sm, const struct simt_request *request, uint32_t lane);

/* fault.c: ends the kernel at an instruction: fills the diagnostic and sets x.fault. The host has
 * no memory for what the kernel touches. */
void simt_stop(struct simt_sm *sm, enum simt_status status, uint32_t index, const char *message);
void simt_used_up(struct simt_sm *sm);

/* The instruction at which the kernel has spent most. */
uint32_t simt_hottest(const struct simt_sm *sm);

/* fault.c: an offset in the program's own words: "in[513]", "tile[4]". */
struct simt_text simt_place_text(const struct simt_sm *sm, const struct simt_region *region,
                                 uint64_t offset, uint32_t element_bytes);

/* Elements of some lanes of an instruction, each as far behind the last one; 4, 8 or 16 bytes each,
 * aligned. */
struct simt_row {
    uint32_t mask;     /* the lanes that are on, of `n` from `first` on */
    uint32_t first, n; /* 32 from 0 on, or 8 or 16 from a multiple of that */
    uint32_t bytes;    /* of a lane */
    uint32_t step;     /* from lane to lane: 0, `bytes` or more */
    uint64_t offset;   /* in the region, of lane `first`, whether it is on or not */
};

/* A read of an allocation, or of shared memory where that is NULL, that the checks need not see:
 * all was written, and they don't record it. */
SIMT_PART_OF_EACH bool simt_reads_freely(const struct simt_sm *sm, enum simt_touch touch,
                                         const struct simt_allocation *allocation) {
    return touch == SIMT_READS &&
           (allocation ? allocation->use == SIMT_USE_READ && allocation->is_defined
                       : sm->reads_freely);
}

/* The checks look at rows of one request in an allocation, or in shared memory where that is NULL;
 * `has_room` says whether all their places, of lanes that are off as well, have shadow there. Gives
 * the lanes that have to be looked at one by one. */
SIMT_PART_OF_EACH uint32_t simt_check_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                           enum simt_touch touch,
                                           const struct simt_allocation *allocation,
                                           const struct simt_row *rows, uint32_t n, bool has_room) {
    if ((insn->is_strong && sm->hooks->sees_strong(sm)) || sm->warp->n_undefined ||
        simt_is_copy(insn))
        return sm->x.mask;
    if (!allocation)
        return rows->bytes == 4 && has_room ? sm->hooks->shared_rows(sm, insn, touch, rows, n)
                                            : sm->x.mask;
    return insn->space != PTX_CONST && allocation->words
               ? sm->hooks->global_rows(sm, insn, touch, allocation, rows, n)
               : sm->x.mask;
}

/* The value that a store of lane i will write in its element: for races of equal values. */
uint64_t simt_stored_value(const struct simt_sm *sm, const struct simt_insn *insn, unsigned element,
                           uint32_t lane);

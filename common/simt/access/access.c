/*
 * Loads and stores of a warp: addresses, regions, bounds and alignment, then the bytes.
 */
#include "common/simt/access/access.h"

#include <string.h>

#include "common/simt/access/edited.h"
#include "common/simt/access/fast/coalesced.h"
#include "common/simt/access/region/count.h"
#include "common/simt/access/region/guard.h"

/* Byte addresses of all lanes; those of lanes that are off mean nothing. */
SIMT_PART_OF_EACH void find_addresses(const struct simt_exec *x, const struct simt_insn *insn,
                                      uint64_t *address) {
    if (insn->a == SIMT_NO_ROW) {
        for (unsigned i = 0; i < SIMT_LANES; i++)
            address[i] = (uint64_t)insn->imm;
    } else if (insn->address_bytes == 4) {
        const uint32_t *row = (const uint32_t *)(x->rows + insn->a);
        for (unsigned i = 0; i < SIMT_LANES; i++)
            address[i] = (uint32_t)(row[i] + (uint32_t)insn->imm);
    } else {
        const uint64_t *row = (const uint64_t *)(x->rows + insn->a);
        for (unsigned i = 0; i < SIMT_LANES; i++)
            address[i] = row[i] + (uint64_t)insn->imm;
    }
}

/* True when each lane's address lies `step` behind the last one's. */
SIMT_PART_OF_EACH bool are_even(struct simt_request *request) {
    uint64_t differs = 0, at = request->address[0];
    request->step = request->address[1] - at;
    for (unsigned i = 0; i < SIMT_LANES; i++, at += request->step)
        differs |= request->address[i] ^ at;
    return differs == 0;
}

/* Least and largest offset of the active lanes where all are below 4 GiB, without a branch a lane;
 * UINT64_MAX where some are not. */
SIMT_PART_OF_EACH uint64_t find_narrow_range(struct simt_request *request, const uint32_t *lanes) {
    const uint64_t *offset = request->offset;
    uint32_t low = UINT32_MAX, high = 0, bits = 0, wide = 0;
    for (unsigned i = 0; i < SIMT_LANES; i++) {
        uint32_t at = (uint32_t)offset[i], on = lanes[i];
        uint32_t above = (uint32_t)(offset[i] >> 32) & on;
        uint32_t at_least = at | ~on, at_most = at & on;
        low = at_least < low ? at_least : low;
        high = at_most > high ? at_most : high;
        bits |= at_most;
        wide |= above;
    }
    request->low = low;
    request->high = high;
    return wide ? UINT64_MAX : bits;
}

/* Least and largest offset of these lanes; the result has the bits that any of them has. */
static uint64_t find_range(struct simt_request *request, uint32_t lanes) {
    const uint64_t *offset = request->offset;
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    if (request->is_dense) {
        request->low = offset[0];
        request->high = offset[SIMT_LANES - 1];
        return offset[0];
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = offset[__builtin_ctz(rest)];
        low = at < low ? at : low;
        high = at > high ? at : high;
        bits |= at;
    }
    request->low = low;
    request->high = high;
    return bits;
}

/* The lanes of `todo` that an access of this size finds in the region; 0 after a fault of the first
 * of them. */
static uint32_t filter(struct simt_sm *sm, const struct simt_request *request, uint32_t todo,
                       uint64_t region_bytes) {
    uint32_t fits = 0, odd = 0, first = (uint32_t)__builtin_ctz(todo);
    for (uint32_t rest = todo; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        bool is_inside =
            region_bytes >= request->bytes && request->offset[i] <= region_bytes - request->bytes;
        fits |= (uint32_t)is_inside << i;
        odd |= (uint32_t)((request->address[i] & (request->bytes - 1)) != 0) << i;
    }
    if (odd >> first & 1)
        simt_fault_alignment(sm, request, first);
    else if (!(fits >> first & 1))
        simt_fault_bounds(sm, request, first);
    else
        return fits & ~odd;
    return 0;
}

/* Sets request->mask to the lanes of `todo` that lie in the region of the first of them, with their
 * offsets. False after a fault. */
SIMT_PART_OF_EACH bool locate(struct simt_sm *sm, struct simt_request *request, uint32_t todo,
                              struct simt_region *region) {
    uint32_t first = (uint32_t)__builtin_ctz(todo);
    uint64_t bytes = 0, *offset = request->offset;
    uint64_t base = simt_find_region(sm, request->insn, request->address[first], region, &bytes);
    for (unsigned i = 0; i < SIMT_LANES; i++)
        offset[i] = request->address[i] - base;
    /* Regions begin at multiples of every access size, but for buffers that are shifted. */
    uint64_t bits = UINT64_MAX;
    if (!request->is_dense && todo == sm->x.mask)
        bits = find_narrow_range(request, sm->x.lanes);
    if (bits == UINT64_MAX)
        bits = find_range(request, todo);
    request->mask = todo;
    const bool is_across_0 = request->low > request->high; /* a dense one, from below 0 on */
    if (((bits | base) & (request->bytes - 1)) || bytes < request->bytes || is_across_0 ||
        request->high > bytes - request->bytes) {
        request->mask = filter(sm, request, todo, bytes);
        request->is_even = request->is_dense = false;
        (void)find_range(request, request->mask);
    }
    if (region->space == PTX_LOCAL) { /* each lane has its own */
        request->is_dense = false;
        for (unsigned i = 0; i < SIMT_LANES; i++)
            offset[i] += (uint64_t)i * sm->local_bytes;
    }
    return request->mask != 0;
}

/* Counts a request in one region; true where that is global memory. */
static bool count(struct simt_sm *sm, const struct simt_request *request, enum ptx_space space,
                  bool is_first) {
    struct simt_counters *counters = &sm->counters[request->insn->index];
    const bool updates = request->touch == SIMT_UPDATES;
    if (space == PTX_SHARED) {
        uint32_t groups = 0, passes = updates ? 0 : simt_find_passes(sm, request, &groups);
        simt_count_shared(counters, request->touch, passes, groups);
    }
    if (space != PTX_GLOBAL || request->insn->space == PTX_CONST)
        return false;
    simt_count_global(counters, request->touch, updates ? 0 : simt_find_sectors(request), is_first);
    return true;
}

FOR_EACH_CPU
void simt_access(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                 simt_move *move) {
    struct simt_request request; /* large: only what is needed is set */
    request.insn = insn;
    request.touch = touch;
    request.bytes = sm->steps[insn->index].bytes;
    find_addresses(&sm->x, insn, request.address);
    const bool was_even = sm->x.mask == SIMT_FULL_MASK && are_even(&request);
    bool first_global = true;
    uint32_t todo = sm->x.mask;
    if (insn->edited)
        todo = simt_edited_access(sm, insn, touch, request.address);
    for (; todo; todo &= ~request.mask) {
        struct simt_region region;
        request.is_even = was_even && todo == SIMT_FULL_MASK;
        request.is_dense = request.is_even && request.step == request.bytes;
        if (!locate(sm, &request, todo, &region))
            return;
        first_global &= !count(sm, &request, region.space, first_global);
        if (sm->guard && region.space == PTX_GLOBAL && insn->space != PTX_CONST &&
            !simt_guard_note(sm->guard, &request, &region))
            return;
        if (sm->hooks && region.space != PTX_LOCAL && region.space != PTX_PARAM)
            sm->hooks->access(sm, &request, &region);
        if (sm->x.fault != SIMT_OK)
            return;
        move(sm, &request, &region);
    }
    simt_note_look(sm, insn, touch, request.address[__builtin_ctz(sm->x.mask)]);
}

/* Accesses that no quicker way is known for. */
static bool by_lanes(struct simt_sm *sm, const struct simt_insn *insn) {
    (void)sm;
    (void)insn;
    return false;
}

/* Loads: value in memory, cell of the register; a signed value is extended by its sign. `quick` is
 * tried first. */
#define LOAD(name, value, cell, quick)                                                             \
    static void move_##name(struct simt_sm *sm, const struct simt_request *request,                \
                            const struct simt_region *region) {                                    \
        const struct simt_insn *insn = request->insn;                                              \
        for (unsigned e = 0; e < insn->n_elements; e++) {                                          \
            if (insn->rows[e] == SIMT_NO_ROW)                                                      \
                continue;                                                                          \
            cell *row = (cell *)(sm->x.rows + insn->rows[e]);                                      \
            const uint8_t *from = region->host + e * sizeof(value);                                \
            if (request->is_dense && sizeof(value) == sizeof(cell) && insn->n_elements == 1) {     \
                memcpy(row, from + request->offset[0], SIMT_LANES * sizeof(cell));                 \
                continue;                                                                          \
            }                                                                                      \
            for (uint32_t rest = request->mask; rest; rest &= rest - 1) {                          \
                uint32_t i = (uint32_t)__builtin_ctz(rest);                                        \
                value v;                                                                           \
                memcpy(&v, from + request->offset[i], sizeof v);                                   \
                row[i] = (cell)v;                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void name(struct simt_exec *x, const struct simt_insn *insn) {                          \
        if (insn->edited || !quick(simt_sm_of(x), insn))                                           \
            simt_access(simt_sm_of(x), insn, SIMT_READS, move_##name);                             \
    }

LOAD(load_u8_32, uint8_t, uint32_t, by_lanes)
LOAD(load_s8_32, int8_t, uint32_t, by_lanes)
LOAD(load_u16_32, uint16_t, uint32_t, by_lanes)
LOAD(load_s16_32, int16_t, uint32_t, by_lanes)
LOAD(load_u32_32, uint32_t, uint32_t, simt_load_stripe32)
LOAD(load_u8_64, uint8_t, uint64_t, by_lanes)
LOAD(load_s8_64, int8_t, uint64_t, by_lanes)
LOAD(load_u16_64, uint16_t, uint64_t, by_lanes)
LOAD(load_s16_64, int16_t, uint64_t, by_lanes)
LOAD(load_u32_64, uint32_t, uint64_t, by_lanes)
LOAD(load_s32_64, int32_t, uint64_t, by_lanes)
LOAD(load_u64_64, uint64_t, uint64_t, simt_load_stripe64)

/* Stores take the low bytes of the cell. */
#define STORE(name, value, cell, quick)                                                            \
    static void move_##name(struct simt_sm *sm, const struct simt_request *request,                \
                            const struct simt_region *region) {                                    \
        const struct simt_insn *insn = request->insn;                                              \
        for (unsigned e = 0; e < insn->n_elements; e++) {                                          \
            const cell *row = (const cell *)(sm->x.rows + insn->rows[e]);                          \
            uint8_t *to = region->host + e * sizeof(value);                                        \
            if (request->is_dense && sizeof(value) == sizeof(cell) && insn->n_elements == 1) {     \
                memcpy(to + request->offset[0], row, SIMT_LANES * sizeof(cell));                   \
                continue;                                                                          \
            }                                                                                      \
            for (uint32_t rest = request->mask; rest; rest &= rest - 1) {                          \
                uint32_t i = (uint32_t)__builtin_ctz(rest);                                        \
                value v = (value)row[i];                                                           \
                memcpy(to + request->offset[i], &v, sizeof v);                                     \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void name(struct simt_exec *x, const struct simt_insn *insn) {                          \
        if (insn->edited || !quick(simt_sm_of(x), insn))                                           \
            simt_access(simt_sm_of(x), insn, SIMT_WRITES, move_##name);                            \
    }

STORE(store_8_32, uint8_t, uint32_t, by_lanes)
STORE(store_16_32, uint16_t, uint32_t, by_lanes)
STORE(store_32_32, uint32_t, uint32_t, simt_store_stripe32)
STORE(store_8_64, uint8_t, uint64_t, by_lanes)
STORE(store_16_64, uint16_t, uint64_t, by_lanes)
STORE(store_32_64, uint32_t, uint64_t, by_lanes)
STORE(store_64_64, uint64_t, uint64_t, simt_store_stripe64)

static const struct {
    uint8_t bytes, register_bytes;
    bool is_signed;
    simt_op *load, *store;
} transfers[] = {
    {1, 4, false, load_u8_32, store_8_32},   {1, 4, true, load_s8_32, store_8_32},
    {2, 4, false, load_u16_32, store_16_32}, {2, 4, true, load_s16_32, store_16_32},
    {4, 4, false, load_u32_32, store_32_32}, {4, 4, true, load_u32_32, store_32_32},
    {1, 8, false, load_u8_64, store_8_64},   {1, 8, true, load_s8_64, store_8_64},
    {2, 8, false, load_u16_64, store_16_64}, {2, 8, true, load_s16_64, store_16_64},
    {4, 8, false, load_u32_64, store_32_64}, {4, 8, true, load_s32_64, store_32_64},
    {8, 8, false, load_u64_64, store_64_64}, {8, 8, true, load_u64_64, store_64_64},
};

static bool is_memory(enum ptx_space space) {
    return space == PTX_SHARED || space == PTX_GLOBAL || space == PTX_LOCAL || space == PTX_CONST ||
           space == PTX_GENERIC || space == PTX_PARAM;
}

/* A load or a store, by the sizes of its elements and registers. */
static bool transfer_op(struct simt_insn *insn, bool is_load) {
    bool is_signed = insn->type >= PTX_S8 && insn->type <= PTX_S64;
    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++) {
        if (transfers[i].bytes == ptx_type_bytes(insn->type) &&
            transfers[i].register_bytes == insn->register_bytes &&
            transfers[i].is_signed == is_signed) {
            insn->run_full = insn->run_part = is_load ? transfers[i].load : transfers[i].store;
            return true;
        }
    }
    return false;
}

bool simt_memory_op(struct simt_insn *insn, const struct ptx_insn *source) {
    if (!is_memory(insn->space))
        return false;
    switch (isa_opcodes[source->opcode].memory) {
    case ISA_MEMORY_ATOMIC:
    case ISA_MEMORY_REDUCTION:
        return simt_atomic_op(insn, source);
    case ISA_MEMORY_MBARRIER:
        return simt_mbarrier_op(insn, source);
    case ISA_MEMORY_COPY:
        return ptx_has(source, ISA_DOT_NOINC) ? simt_mbarrier_op(insn, source)
                                              : simt_copy_op(insn, source);
    case ISA_MEMORY_LOAD:
        return transfer_op(insn, true);
    case ISA_MEMORY_STORE:
        return transfer_op(insn, false);
    default:
        return false;
    }
}

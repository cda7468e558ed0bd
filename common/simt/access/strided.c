/*
 * Accesses whose lanes' addresses are all equally far apart, by more than an element: a row of a
 * matrix for each thread, one member of a list of structures. One element of 4 or 8 bytes a lane,
 * all 32 lanes on, in one region; whatever else there is takes the long way of access.c, which
 * gives the same results and counters.
 */
#include "common/simt/access/region.h"

#include <string.h>

enum { SECTOR_BYTES = 32, BANK_BYTES = 4, BANKS = 32 };

/* An access on its way. */
struct stride {
    const struct simt_insn *insn;
    enum simt_touch touch;
    struct simt_row row;
    uint64_t address;                         /* of lane 0 */
    uint8_t *host;                            /* of lane 0's element */
    const struct simt_allocation *allocation; /* NULL: shared memory */
};

/* True when each lane's address is that of lane 0 and so many steps. */
#define IS_EVEN(cell)                                                                              \
    SIMT_PART_OF_EACH bool is_even_##cell(const uint8_t *addresses, uint32_t step) {               \
        const cell##_t *from = (const cell##_t *)addresses;                                        \
        cell##_t differs = 0;                                                                      \
        for (uint32_t i = 0; i < SIMT_LANES; i++)                                                  \
            differs |= from[i] ^ (from[0] + (cell##_t)((uint64_t)i * step));                       \
        return differs == 0;                                                                       \
    }
IS_EVEN(uint32)
IS_EVEN(uint64)

/* The address of a lane as its register has it. */
static uint64_t address_of(const struct simt_exec *x, const struct simt_insn *insn, uint32_t lane) {
    uint64_t address = 0;
    memcpy(&address, x->rows + insn->a + (size_t)lane * insn->address_bytes, insn->address_bytes);
    return address;
}

/* Takes the step from the first two lanes. */
SIMT_PART_OF_EACH bool find_step(const struct simt_exec *x, struct stride *stride) {
    const struct simt_insn *insn = stride->insn;
    const uint8_t *addresses = x->rows + insn->a;
    const uint64_t first = address_of(x, insn, 0), step = address_of(x, insn, 1) - first;
    const uint32_t bytes = stride->row.bytes;
    if (step <= bytes || step > INT32_MAX / SIMT_LANES || step % bytes)
        return false;
    stride->row.step = (uint32_t)step;
    stride->address = insn->address_bytes == 4 ? (uint32_t)(first + (uint64_t)insn->imm)
                                               : first + (uint64_t)insn->imm;
    return stride->address % bytes == 0 &&
           (insn->address_bytes == 4 ? is_even_uint32(addresses, stride->row.step)
                                     : is_even_uint64(addresses, stride->row.step));
}

/* Finds the region of the first lane. False where not all lanes are in it. */
SIMT_PART_OF_EACH bool place(struct simt_sm *sm, struct stride *stride) {
    struct simt_row *row = &stride->row;
    const uint64_t span = (SIMT_LANES - 1) * (uint64_t)row->step + row->bytes;
    struct simt_region region;
    uint64_t bytes;
    row->offset =
        stride->address - simt_find_region(sm, stride->insn, stride->address, &region, &bytes);
    stride->host = region.host + row->offset;
    stride->allocation = region.allocation;
    return region.host && (region.space == PTX_SHARED || region.space == PTX_GLOBAL) &&
           row->offset <= bytes && span <= bytes - row->offset;
}

/* Passes over the banks: lanes of a pass are as many as there are multiples of the step modulo the
 * banks; lanes with 8 bytes are served in halves of a warp. */
static uint32_t count_wavefronts(const struct simt_row *row) {
    const uint32_t power = (row->step & -row->step) / row->bytes, n = row->bytes == 4 ? 1 : 2;
    const uint32_t most = SIMT_LANES / n;
    return n * (power < most ? power : most);
}

static uint32_t count_sectors(const struct stride *stride) {
    const uint64_t last = stride->address + (SIMT_LANES - 1) * (uint64_t)stride->row.step;
    return stride->row.step >= SECTOR_BYTES
               ? SIMT_LANES
               : (uint32_t)(last / SECTOR_BYTES - stride->address / SECTOR_BYTES) + 1;
}

static void count(struct simt_sm *sm, const struct stride *stride) {
    struct simt_counters *counters = &sm->counters[stride->insn->index];
    const bool reads = stride->touch == SIMT_READS;
    if (!stride->allocation) {
        const uint32_t passes = count_wavefronts(&stride->row);
        *(reads ? &counters->shared_loads : &counters->shared_stores) += 1;
        *(reads ? &counters->shared_load_wavefronts : &counters->shared_store_wavefronts) += passes;
        counters->bank_conflicts += passes - (stride->row.bytes == 4 ? 1 : 2);
    } else if (stride->insn->space != PTX_CONST) {
        *(reads ? &counters->global_loads : &counters->global_stores) += 1;
        *(reads ? &counters->global_load_sectors : &counters->global_store_sectors) +=
            count_sectors(stride);
    }
}

/* The checks look at lanes one by one. */
static __attribute__((noinline)) void check_lanes(struct simt_sm *sm, const struct stride *stride,
                                                  uint32_t mask) {
    struct simt_region region;
    uint64_t bytes;
    simt_find_region(sm, stride->insn, stride->address, &region, &bytes);
    struct simt_request request = {
        .insn = stride->insn,
        .touch = stride->touch,
        .bytes = stride->row.bytes,
        .low = stride->row.offset,
        .high = stride->row.offset + (SIMT_LANES - 1) * (uint64_t)stride->row.step,
        .mask = mask,
        .step = stride->row.step,
        .is_even = mask == SIMT_FULL_MASK,
    };
    for (uint32_t i = 0; i < SIMT_LANES; i++) {
        request.address[i] = stride->address + (uint64_t)i * stride->row.step;
        request.offset[i] = stride->row.offset + (uint64_t)i * stride->row.step;
    }
    sm->hooks->access(sm, &request, &region);
}

#define MOVE(cell)                                                                                 \
    static inline void move_##cell(const struct stride *stride, uint8_t *row) {                    \
        cell##_t *lanes = (cell##_t *)row;                                                         \
        uint8_t *at = stride->host;                                                                \
        for (uint32_t i = 0; i < SIMT_LANES; i++, at += stride->row.step)                          \
            if (stride->touch == SIMT_READS)                                                       \
                memcpy(&lanes[i], at, sizeof *lanes);                                              \
            else                                                                                   \
                memcpy(at, &lanes[i], sizeof *lanes);                                              \
    }
MOVE(uint32)
MOVE(uint64)

SIMT_FOR_EACH_CPU
bool simt_access_strided(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                         uint32_t bytes) {
    struct stride stride = {
        .insn = insn,
        .touch = touch,
        .row = {.mask = SIMT_FULL_MASK, .n = SIMT_LANES, .bytes = bytes},
    };
    if (sm->guard || sm->x.mask != SIMT_FULL_MASK || !find_step(&sm->x, &stride) ||
        !place(sm, &stride))
        return false;
    count(sm, &stride);
    uint32_t left = !sm->hooks ? 0
                               : simt_check_rows(sm, insn, touch, stride.allocation, &stride.row, 1,
                                                 stride.row.step % 4 == 0);
    if (left)
        check_lanes(sm, &stride, left);
    if (bytes == 4)
        move_uint32(&stride, sm->x.rows + insn->rows[0]);
    else
        move_uint64(&stride, sm->x.rows + insn->rows[0]);
    simt_note_look(sm, insn, touch, stride.address);
    return true;
}

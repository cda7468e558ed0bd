/*
 * cp.async: a load from global memory and a store to shared memory, by way of rows that the decoder
 * set apart. Row c, where there is one, holds how many bytes of each lane come from memory; where
 * predicate d holds, none do.
 * cp.async.bulk: 16 bytes after 16 bytes, as many as row c says, to or from shared memory; then the
 * mbarrier, if there is one, learns that they have come. Nsight Compute counts of a cp.async that
 * it loads from global memory, and not that it stores; of a bulk copy nothing.
 */
#include "common/simt/access/access.h"

static const struct ptx_insn load_source = {.opcode = ISA_LD}, store_source = {.opcode = ISA_ST};
static const enum isa_modifier complete_modifiers[] = {ISA_DOT_COMPLETE_TX, ISA_DOT_B64};
static const struct ptx_insn complete_source = {
    .opcode = ISA_MBARRIER,
    .modifiers = complete_modifiers,
    .n_modifiers = 2,
};
enum { BULK_STEP = 16 };

/* How many bytes of a lane come from memory, if it copies that many. */
static uint32_t bytes_read(const struct simt_exec *x, const struct simt_insn *insn, uint32_t lane) {
    if (insn->c != SIMT_NO_ROW)
        return ((const uint32_t *)(x->rows + insn->c))[lane];
    return insn->d != SIMT_NO_ROW && x->preds[insn->d] >> lane & 1 ? 0 : UINT32_MAX;
}

/* The lanes that read anything. */
static uint32_t lanes_reading(const struct simt_exec *x, const struct simt_insn *insn,
                              uint32_t mask) {
    uint32_t reading = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        reading |= (uint32_t)(bytes_read(x, insn, lane) != 0) << lane;
    }
    return reading;
}

/* Zeroes what lies behind a lane's bytes. */
static void clear_rest(struct simt_exec *x, const struct simt_insn *insn, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), bytes = bytes_read(x, insn, lane);
        for (unsigned k = 0; k < insn->n_elements; k++) {
            uint32_t *cell = (uint32_t *)(x->rows + insn->rows[k]) + lane;
            uint32_t kept = bytes > 4 * k ? bytes - 4 * k : 0;
            *cell &= kept >= 4 ? UINT32_MAX : (UINT32_C(1) << 8 * kept) - 1;
        }
    }
}

static void copy_async(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_insn load = *insn, store = *insn;
    const uint32_t mask = x->mask;
    load.space = PTX_GLOBAL;
    load.a = insn->b;
    load.imm = (int32_t)insn->target;
    load.address_bytes = 8;
    (void)simt_memory_op(&load, &load_source);
    (void)simt_memory_op(&store, &store_source);
    const bool reads_all = insn->c == SIMT_NO_ROW && insn->d == SIMT_NO_ROW;
    const uint32_t reading = reads_all ? mask : lanes_reading(x, insn, mask);
    if (reading) {
        simt_set_mask(x, reading);
        load.run_part(x, &load);
    }
    simt_set_mask(x, mask);
    if (x->fault != SIMT_OK)
        return;
    if (!reads_all)
        clear_rest(x, insn, mask);
    struct simt_counters *counters = &simt_sm_of(x)->counters[insn->index];
    const struct simt_counters loaded = *counters;
    store.run_part(x, &store);
    *counters = loaded;
}

/* The lanes that have more to copy than `done` bytes. */
static uint32_t with_more(const struct simt_exec *x, const struct simt_insn *insn, uint32_t mask,
                          uint32_t done) {
    const uint32_t *sizes = (const uint32_t *)(x->rows + insn->c);
    uint32_t more = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        more |= (uint32_t)(sizes[lane] > done) << lane;
    }
    return more;
}

/* Tells the mbarrier in row d that all has come: an access of 8 bytes where the copies' are of 16.
 */
static void complete(struct simt_exec *x, const struct simt_insn *insn, uint32_t mask) {
    struct simt_sm *sm = simt_sm_of(x);
    struct simt_insn told = *insn;
    told.type = PTX_B64;
    told.n_elements = 1;
    told.space = PTX_SHARED;
    told.address_bytes = 4;
    told.a = insn->d;
    told.imm = (int32_t)insn->reconverge;
    told.b = insn->c;
    told.d = SIMT_NO_ROW;
    (void)simt_mbarrier_op(&told, &complete_source);
    for (uint32_t rest = sm->hooks && insn->space == PTX_SHARED ? mask : 0; rest;
         rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        sm->hooks->delivery_begin(sm, simt_shared_place(x, &told, lane),
                                  simt_shared_place(x, insn, lane),
                                  ((const uint32_t *)(x->rows + insn->c))[lane]);
    }
    const uint8_t bytes = sm->steps[insn->index].bytes;
    sm->steps[insn->index].bytes = 8;
    simt_fence(sm, insn, mask);
    told.run_part(x, &told);
    sm->steps[insn->index].bytes = bytes;
}

static void move_bulk(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_insn load = *insn, store = *insn;
    const uint32_t mask = x->mask;
    uint32_t more;
    load.space = insn->imm_flags;
    load.a = insn->b;
    load.imm = (int32_t)insn->target;
    load.address_bytes = load.space == PTX_GLOBAL ? 8 : 4;
    (void)simt_memory_op(&load, &load_source);
    (void)simt_memory_op(&store, &store_source);
    for (uint32_t done = 0; (more = with_more(x, insn, mask, done)); done += BULK_STEP) {
        simt_set_mask(x, more);
        load.run_part(x, &load);
        if (x->fault == SIMT_OK)
            store.run_part(x, &store);
        if (x->fault != SIMT_OK)
            return;
        load.imm += BULK_STEP;
        store.imm += BULK_STEP;
    }
    simt_set_mask(x, mask);
    if (insn->d != SIMT_NO_ROW)
        complete(x, insn, mask);
    load.imm = (int32_t)insn->target;
    struct simt_sm *sm = simt_sm_of(x);
    for (uint32_t rest = sm->hooks && insn->space == PTX_GLOBAL ? mask : 0; rest;
         rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        sm->hooks->bulk_read_begin(sm, insn, lane, simt_shared_place(x, &load, lane),
                                   ((const uint32_t *)(x->rows + insn->c))[lane]);
    }
}

/* The copy is no work of the load-store unit, whose requests are counted. */
static void copy_bulk(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_counters *counters = &simt_sm_of(x)->counters[insn->index];
    const struct simt_counters before = *counters;
    move_bulk(x, insn);
    *counters = before;
}

static void commit_group(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_sm *sm = simt_sm_of(x);
    (void)insn;
    if (sm->hooks)
        sm->hooks->copy_commit(sm, x->mask);
}

static void wait_group(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_sm *sm = simt_sm_of(x);
    if (sm->hooks)
        sm->hooks->copy_wait(sm, x->mask, (uint32_t)insn->imm);
}

static void commit_bulk(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_sm *sm = simt_sm_of(x);
    (void)insn;
    if (sm->hooks)
        sm->hooks->bulk_read_commit(sm, x->mask);
}

static void wait_bulk(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_sm *sm = simt_sm_of(x);
    if (sm->hooks)
        sm->hooks->bulk_read_wait(sm, x->mask, (uint32_t)insn->imm);
}

/* Also cp.async.mbarrier.arrive without .noinc, for which the thread arrives once more: a read
 * before somebody waits at the mbarrier is not found. */
static void wait_all(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_sm *sm = simt_sm_of(x);
    (void)insn;
    if (sm->hooks)
        sm->hooks->copy_wait(sm, x->mask, UINT32_MAX);
}

bool simt_copy_op(struct simt_insn *insn, const struct ptx_insn *source) {
    const bool is_bulk = ptx_has(source, ISA_DOT_BULK);
    simt_op *const order =
        ptx_has(source, ISA_DOT_COMMIT_GROUP) ? is_bulk ? commit_bulk : commit_group
        : ptx_has(source, ISA_DOT_WAIT_GROUP) ? is_bulk ? wait_bulk : wait_group
        : ptx_has(source, ISA_DOT_WAIT_ALL) || ptx_has(source, ISA_DOT_MBARRIER) ? wait_all
                                                                                 : NULL;
    if (order) {
        insn->run_full = insn->run_part = order;
        return true;
    }
    insn->run_full = insn->run_part = insn->imm_flags ? copy_bulk : copy_async;
    return true;
}

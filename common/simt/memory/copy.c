/*
 * cp.async: a load from global memory and a store to shared memory, by way of rows that the decoder
 * set apart. Row c, where there is one, holds how many bytes of each lane come from memory.
 */
#include "common/simt/memory/region.h"

static const struct ptx_insn load_source = {.opcode = "ld"}, store_source = {.opcode = "st"};

/* Zeroes what lies behind a lane's bytes, and gives the lanes that read any. */
static uint32_t clear_rest(struct simt_exec *x, const struct simt_insn *insn, uint32_t mask,
                           bool after) {
    const uint32_t *sizes = (const uint32_t *)(x->rows + insn->c);
    uint32_t reading = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        reading |= (uint32_t)(sizes[lane] != 0) << lane;
        for (unsigned k = 0; after && k < insn->n_elements; k++) {
            uint32_t *cell = (uint32_t *)(x->rows + insn->rows[k]) + lane;
            uint32_t kept = sizes[lane] > 4 * k ? sizes[lane] - 4 * k : 0;
            *cell &= kept >= 4 ? UINT32_MAX : (UINT32_C(1) << 8 * kept) - 1;
        }
    }
    return reading;
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
    const uint32_t reading = insn->c == SIMT_NO_ROW ? mask : clear_rest(x, insn, mask, false);
    if (reading) {
        simt_set_mask(x, reading);
        load.run_part(x, &load);
    }
    simt_set_mask(x, mask);
    if (x->fault != SIMT_OK)
        return;
    if (insn->c != SIMT_NO_ROW)
        (void)clear_rest(x, insn, mask, true);
    store.run_part(x, &store);
}

bool simt_copy_op(struct simt_insn *insn) {
    insn->run_full = insn->run_part = copy_async;
    return true;
}

/*
 * Where a lane's value of shfl.sync comes from, PTX ISA section 9.7.9, "shfl.sync": the operation
 * itself and the check of its lanes both ask.
 */
#pragma once

#include "common/simt/program/isa/insn.h"

/* simt_insn.imm of a shfl.sync; 0 for other instructions of SIMT_FLOW_SYNC. */
enum exec_shuffle {
    EXEC_SHUFFLE_UP = 1,
    EXEC_SHUFFLE_DOWN,
    EXEC_SHUFFLE_BFLY,
    EXEC_SHUFFLE_IDX,
};

static inline uint32_t shuffle_cell(const struct simt_exec *x, uint32_t row, unsigned lane) {
    uint32_t cell;
    __builtin_memcpy(&cell, x->rows + row + lane * sizeof(cell), sizeof(cell));
    return cell;
}

/* The lane that `lane` reads: itself, and `valid` false, where the wanted one is out of its
 * segment. The mode is insn->imm, an argument so that it may be known when this is compiled. */
static inline __attribute__((always_inline)) unsigned shuffle_source(const struct simt_exec *x,
                                                                     const struct simt_insn *insn,
                                                                     int64_t mode, unsigned lane,
                                                                     bool *valid) {
    const int b = shuffle_cell(x, insn->b, lane) & 31;
    const int c = (int)(shuffle_cell(x, insn->c, lane) & 0x1f1f);
    const int segment = c >> 8, own = (int)lane;
    const int first = own & segment, last = first | (c & 31 & ~segment);
    const int wanted = mode == EXEC_SHUFFLE_UP     ? own - b
                       : mode == EXEC_SHUFFLE_DOWN ? own + b
                       : mode == EXEC_SHUFFLE_BFLY ? own ^ b
                                                   : first | (b & ~segment);
    *valid = mode == EXEC_SHUFFLE_UP ? wanted >= last : wanted <= last;
    return *valid ? (unsigned)wanted : lane;
}

/* The lanes of x->mask whose shfl.sync reads a lane that takes no part (so gets no defined value).
 * To be asked before the instruction runs; 0 for any other instruction. */
static inline uint32_t simt_shuffle_strays(const struct simt_exec *x,
                                           const struct simt_insn *insn) {
    uint32_t strays = 0;
    if (insn->flow != SIMT_FLOW_SYNC || insn->imm == 0)
        return 0;
    for (uint32_t left = x->mask; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        bool valid;
        const unsigned source = shuffle_source(x, insn, insn->imm, lane, &valid);
        if (!(x->mask >> source & 1))
            strays |= UINT32_C(1) << lane;
    }
    return strays;
}

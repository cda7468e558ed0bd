/*
 * Where a lane's value of shfl.sync comes from, PTX ISA section 9.7.9, "shfl.sync": the operation
 * itself and the check of its lanes both ask.
 */
#ifndef SIMT_EXEC_SHUFFLE_H
#define SIMT_EXEC_SHUFFLE_H

#include "common/simt/isa/exec.h"

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

#endif

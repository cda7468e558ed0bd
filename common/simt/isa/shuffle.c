/*
 * Shuffles that read a lane which takes no part.
 */
#include "common/simt/isa/shuffle.h"

uint32_t simt_shuffle_strays(const struct simt_exec *x, const struct simt_insn *insn) {
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

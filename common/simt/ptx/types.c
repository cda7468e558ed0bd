/*
 * Questions about an instruction's modifiers.
 */
#include "common/simt/ptx/ptx.h"

bool ptx_has(const struct ptx_insn *insn, enum isa_modifier modifier) {
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (insn->modifiers[i] == modifier)
            return true;
    return false;
}

unsigned ptx_modifier_traits(const struct ptx_insn *insn) {
    unsigned traits = 0;
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        traits |= isa_modifiers[insn->modifiers[i]].traits;
    return traits;
}

enum ptx_type ptx_insn_type(const struct ptx_insn *insn, unsigned n) {
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (ptx_modifier_type(insn->modifiers[i]) != PTX_NO_TYPE && !n--)
            return ptx_modifier_type(insn->modifiers[i]);
    return PTX_NO_TYPE;
}

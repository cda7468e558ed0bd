/*
 * The table of operations: every variant of every opcode is one row, found once, at decode time.
 *
 * A key is the opcode with those of its modifiers that choose what is computed, joined by '_':
 * mul.wide.u32 is "mul_wide_u32". A signature names the types of the operands, destination first:
 * "u64,u32,u32". Besides PTX types it knows "pred", "member" (the lanes of a *_sync operation),
 * "imm" (a literal that goes to simt_insn.imm), "carry" (the warp's condition code, no operand in
 * PTX) and "#2" (no operand either: 2 goes to simt_insn.imm). A '?' before the last type marks an
 * operand that may be missing. The destination is d; sources are a, b, c and rows[1].
 *
 * The rounding mode .rn is no part of a key. The other modes (.rz, .rm, .rp, .ftz, .sat) are bits
 * of imm_flags, and a key with such a mode ends in "_mode". Where no row has the key, the types
 * are replaced by untyped bits of their width: add.s32 is found as "add_b32".
 */
#pragma once

#include "common/simt/program/isa/insn.h"

struct exec_variant {
    const char *key, *signature;
    simt_op *full, *part;
};

/* The variants of one family of opcodes: one file under ops/. */
struct exec_family {
    const struct exec_variant *variants;
    size_t n_variants;
};

/* Bits of simt_insn.imm_flags. A predicate source in slot n (a, b, c, fifth) is inverted where bit
 * n is set; the rest is the mode of a floating-point operation, whose rounding is two bits wide. */
enum {
    EXEC_FTZ = 1 << 4,
    EXEC_SAT = 1 << 5,
    EXEC_ROUND_SHIFT = 6,
};
enum exec_rounding {
    EXEC_RN, /* to nearest, ties to even */
    EXEC_RZ, /* towards zero */
    EXEC_RM, /* towards minus infinity */
    EXEC_RP, /* towards plus infinity */
};

/* How setp and set combine the comparison with predicate c (simt_insn.imm). */
enum exec_combine {
    EXEC_COMBINE_NONE,
    EXEC_COMBINE_AND,
    EXEC_COMBINE_OR,
    EXEC_COMBINE_XOR,
};

/* Variants by key. */
struct exec_index;

/* The operations exist once per instruction set of the host. */
enum exec_isa {
    EXEC_ISA_PORTABLE,
    EXEC_ISA_AVX2,
    EXEC_N_ISAS,
};
/* True when this machine (and this build) runs it. */
bool exec_isa_runs(enum exec_isa isa);
/* The fastest of them; the portable one where the environment says SIMT_ISA=portable, for tests. */
enum exec_isa exec_isa_choose(void);

/* The index of one set of operations; NULL when the host has no memory. The caller frees it. */
struct exec_index *exec_index_create(enum exec_isa isa);
void exec_index_free(struct exec_index *index);

/* NULL when no variant has the key. */
const struct exec_variant *exec_index_find(const struct exec_index *index, const char *key);

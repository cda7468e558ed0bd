/*
 * Control flow of one PTX function: where a diverged warp becomes whole again.
 * Immediate post-dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
 * (2001), on the reversed graph; reconvergence there as in Fung et al., MICRO 2007.
 *
 * Lanes that never come back are not waited for. Where the paths behind a branch meet, those do not
 * count that can't reach the function's last `ret`: they trap, exit, return early or loop for ever.
 * (Else one failed assertion, or an early return in a nested branch, would keep the other lanes
 * apart until the exit.) Among themselves, such paths meet by the same rule at their own ends.
 */
#pragma once

#include "common/simt/program/ptx/ptx.h"

/* A reconvergence point past the last instruction: the lanes meet only at the function's exit. */
#define FLOW_EXIT UINT32_MAX

struct flow_graph {
    uint32_t *block_of;    /* per instruction: its basic block */
    uint32_t *first, *end; /* per block: first instruction, one past the last */
    uint32_t n_blocks;
    /* Per instruction that may diverge (bra under a guard, brx; ret, exit and trap under a guard):
     * the index of the instruction where its lanes meet, which for the latter three is the next
     * one. FLOW_EXIT if they don't, and for all other instructions. */
    uint32_t *reconverge;
    bool *is_back_edge; /* per instruction: a branch to itself or to an earlier instruction */
};

/* The graph of a function with a body; NULL when the host has no memory. The caller frees it. */
struct flow_graph *flow_build(const struct ptx_function *function);
void flow_free(struct flow_graph *graph);

/* How many instructions a jump names that it may go to, which they are, and whether the next one
 * may follow an instruction. */
uint32_t flow_n_targets(const struct ptx_insn *insn);
uint32_t flow_target(const struct ptx_insn *insn, uint32_t i);
bool flow_falls_through(const struct ptx_insn *insn);

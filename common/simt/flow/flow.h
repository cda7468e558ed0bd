/*
 * Control flow of one PTX function: where a diverged warp becomes whole again.
 * Immediate post-dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
 * (2001), on the reversed graph; reconvergence there as in Fung et al., MICRO 2007.
 */
#ifndef SIMT_FLOW_H
#define SIMT_FLOW_H

#include "common/simt/ptx/ptx.h"

/* A reconvergence point past the last instruction: the lanes meet only at the function's exit. */
#define FLOW_EXIT UINT32_MAX

struct flow_graph {
    uint32_t *block_of;    /* per instruction: its basic block */
    uint32_t *first, *end; /* per block: first instruction, one past the last */
    uint32_t n_blocks;
    uint32_t
        *reconverge;    /* per instruction that may diverge (conditional bra, brx, exit under a
                           guard): index of the instruction where its lanes meet, else FLOW_EXIT */
    bool *is_back_edge; /* per instruction: a branch to itself or to an earlier instruction */
};

/* The graph of a function with a body; NULL when the host has no memory. The caller frees it. */
struct flow_graph *flow_build(const struct ptx_function *function);
void flow_free(struct flow_graph *graph);

#endif

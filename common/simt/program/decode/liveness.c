/*
 * Registers in which a function may find what nobody wrote there: those that some path from its
 * entry reads before it writes them (a backward analysis of liveness over its blocks), and those
 * that other lanes read by a shuffle. They begin with one pattern, so that no result depends on
 * what ran in the warp's registers before; all others need not be cleared.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/decode/decoder.h"

/* Above this many words of sets every register counts. */
enum { MAX_WORDS = 1 << 23 };

/* A set of registers per block: those that may be read from its beginning on before they are
 * written. */
struct liveness {
    const struct exec_decoder *decoder;
    size_t n_words; /* of a set */
    uint64_t *sets; /* of the blocks … */
    uint64_t *now;  /* … and of the place that the walk has come to */
};

static void put(struct liveness *live, int32_t reg, bool is_live) {
    if (reg < 0)
        return;
    const uint64_t bit = UINT64_C(1) << reg % 64;
    uint64_t *const word = &live->now[reg / 64];
    *word = is_live ? *word | bit : *word & ~bit;
}

static void put_operand(struct liveness *live, const struct ptx_operand *operand, bool is_live) {
    put(live, operand->reg, is_live);
    for (size_t i = 0; i < operand->n_elements; i++)
        put_operand(live, &operand->elements[i], is_live);
}

/* How many operands the instruction writes in every lane that comes to it; one too few is no
 * mistake. */
static unsigned count_targets(const struct simt_insn *insn) {
    const struct ptx_insn *const source = insn->source;
    const bool may_write = insn->flow == SIMT_FLOW_NEXT || insn->flow == SIMT_FLOW_MEMORY ||
                           insn->flow == SIMT_FLOW_SYNC;
    if (!may_write || source->guard >= 0 || source->n_operands < 2 ||
        source->operands[0].kind == PTX_OP_ADDRESS)
        return 0;
    return source->paired ? 2 : 1;
}

/* Goes back over one instruction. */
static void step(struct liveness *live, const struct simt_insn *insn) {
    const struct ptx_insn *const source = insn->source;
    const unsigned n_targets = count_targets(insn);
    for (unsigned i = 0; i < n_targets; i++)
        put_operand(live, &source->operands[i], false);
    for (unsigned i = n_targets; i < source->n_operands; i++)
        put_operand(live, &source->operands[i], true);
    put(live, source->guard, true);
}

/* Finds a block's set from those of its successors; true when it has changed. */
static bool visit(struct liveness *live, uint32_t block) {
    const struct flow_graph *const graph = live->decoder->graph;
    const struct simt_insn *const insns = live->decoder->program->insns;
    const struct ptx_insn *const last = insns[graph->end[block] - 1].source;
    uint64_t *const set = live->sets + block * live->n_words;
    memset(live->now, 0, live->n_words * sizeof(*live->now));
    for (uint32_t i = 0; i <= flow_n_targets(last); i++) {
        const bool is_next = i == flow_n_targets(last);
        if (is_next && (!flow_falls_through(last) || block + 1 == graph->n_blocks))
            continue;
        const uint32_t to = is_next ? block + 1 : graph->block_of[flow_target(last, i)];
        for (size_t k = 0; k < live->n_words; k++)
            live->now[k] |= live->sets[to * live->n_words + k];
    }
    for (uint32_t i = graph->end[block]; i-- > graph->first[block];)
        step(live, &insns[i]);
    if (memcmp(set, live->now, live->n_words * sizeof(*set)) == 0)
        return false;
    memcpy(set, live->now, live->n_words * sizeof(*set));
    return true;
}

/* Leaves the set of the function's entry in `now`. */
static void find_live(struct liveness *live) {
    const struct exec_decoder *const decoder = live->decoder;
    bool changes = true;
    while (changes) {
        changes = false;
        for (uint32_t block = decoder->graph->n_blocks; block-- > 0;)
            changes |= visit(live, block);
    }
    memcpy(live->now, live->sets, live->n_words * sizeof(*live->now));
    for (uint32_t i = 0; i < decoder->program->n_insns; i++) {
        const struct ptx_insn *const source = decoder->program->insns[i].source;
        for (unsigned k = 1;
             isa_opcodes[source->opcode].flow == ISA_FLOW_SHUFFLE && k < source->n_operands; k++)
            put_operand(live, &source->operands[k], true);
    }
}

/* Puts down the places of the registers of `now`. */
static bool list(struct liveness *live) {
    const struct exec_decoder *const decoder = live->decoder;
    const struct ptx_function *const function = decoder->function;
    struct simt_program *const program = decoder->program;
    program->live_in = calloc(function->n_regs + 1, sizeof(*program->live_in));
    if (!program->live_in)
        return false;
    for (size_t i = 0; i < function->n_regs; i++) {
        const enum ptx_type type = function->regs[i].type;
        if (live->now[i / 64] >> i % 64 & 1)
            program->live_in[program->n_live_in++] = (struct simt_live_in){
                decoder->places[i], type == PTX_PRED ? 0 : SIMT_LANES * exec_cell_bytes(type)};
    }
    if (decoder->carry_pred != SIMT_NO_ROW)
        program->live_in[program->n_live_in++] = (struct simt_live_in){decoder->carry_pred, 0};
    return true;
}

bool exec_find_live_in(struct exec_decoder *decoder) {
    const size_t n_words = decoder->function->n_regs / 64 + 1;
    const size_t n_sets = decoder->function->n_insns ? decoder->graph->n_blocks : 0;
    const bool is_huge = n_sets * n_words > MAX_WORDS;
    struct liveness live = {.decoder = decoder, .n_words = n_words};
    live.now = calloc((is_huge ? 0 : n_sets) + 1, n_words * sizeof(*live.now));
    if (!live.now)
        return false;
    live.sets = live.now + n_words;
    if (is_huge)
        memset(live.now, 0xff, n_words * sizeof(*live.now));
    else if (n_sets)
        find_live(&live);
    const bool ok = list(&live);
    free(live.now);
    return ok;
}

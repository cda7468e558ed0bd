/*
 * Instructions that are no plain operation: control flow, barriers, hints that a simulator need not
 * follow.
 */
#include <string.h>

#include "common/simt/decode/decoder.h"

void exec_nothing(struct simt_exec *x, const struct simt_insn *insn) {
    (void)x;
    (void)insn;
}

/* Fences, prefetches, policies of caches, nanosleep: nothing to do, for their operands neither. */
static bool form_hint(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_insn *source) {
    (void)decoder;
    (void)source;
    insn->flow = SIMT_FLOW_NEXT;
    return true;
}

static bool form_exit(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_insn *source) {
    (void)source;
    (void)decoder;
    insn->flow = SIMT_FLOW_EXIT;
    return true;
}

static bool form_ret(struct exec_decoder *decoder, struct simt_insn *insn,
                     const struct ptx_insn *source) {
    (void)source;
    insn->flow = decoder->function->is_entry ? SIMT_FLOW_EXIT : SIMT_FLOW_RETURN;
    return true;
}

static bool form_trap(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_insn *source) {
    (void)decoder;
    (void)source;
    insn->flow = SIMT_FLOW_TRAP;
    return true;
}

static bool form_bra(struct exec_decoder *decoder, struct simt_insn *insn,
                     const struct ptx_insn *source) {
    (void)decoder;
    insn->flow = SIMT_FLOW_BRANCH;
    if (source->n_operands != 1 || source->operands[0].kind != PTX_OP_LABEL)
        return false;
    insn->target = (uint32_t)source->operands[0].integer;
    return true;
}

/* brx.idx index, { labels }. */
static bool form_switch(struct exec_decoder *decoder, struct simt_insn *insn,
                        const struct ptx_insn *source) {
    insn->flow = SIMT_FLOW_SWITCH;
    insn->target = 0;
    if (source->n_operands != 2 || source->operands[1].kind != PTX_OP_LIST)
        return false;
    insn->a = exec_source_row(decoder, &source->operands[0], PTX_B32);
    return insn->a != SIMT_NO_ROW;
}

/* bar.warp.sync mask. */
static bool form_warp_sync(struct exec_decoder *decoder, struct simt_insn *insn,
                           const struct ptx_insn *source) {
    insn->flow = SIMT_FLOW_SYNC;
    if (source->n_operands != 1)
        return false;
    insn->rows[0] = exec_source_row(decoder, &source->operands[0], PTX_B32);
    return insn->rows[0] != SIMT_NO_ROW;
}

/* The words of bar and barrier that choose what it does, and the number of operands. */
static const struct {
    const char *word;
    uint8_t type; /* enum simt_barrier */
    uint8_t least, most;
} barriers[] = {
    {"sync", SIMT_BARRIER_SYNC, 1, 2}, {"arrive", SIMT_BARRIER_ARRIVE, 2, 2},
    {"popc", SIMT_BARRIER_POPC, 3, 4}, {"and", SIMT_BARRIER_AND, 3, 4},
    {"or", SIMT_BARRIER_OR, 3, 4},
};

/* d, a, b, c: destination and predicate of a reduction. */
static bool fill_reduction(struct exec_decoder *decoder, struct simt_insn *insn,
                           const struct ptx_insn *source) {
    const struct ptx_operand *const c = &source->operands[source->n_operands - 1];
    insn->d = insn->type == SIMT_BARRIER_POPC ? exec_target_row(decoder, &source->operands[0], 4)
                                              : exec_pred(decoder, &source->operands[0]);
    insn->c = exec_pred(decoder, c);
    insn->imm_flags = c->negated ? SIMT_INVERTED : 0;
    return insn->d != SIMT_NO_ROW && insn->c != SIMT_NO_ROW;
}

/* The id and the number of threads, which begin at `first`. */
static bool fill_barrier(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_operand *first, bool has_threads) {
    if (first->kind == PTX_OP_INT)
        insn->imm = first->integer;
    else
        insn->a = exec_source_row(decoder, first, PTX_B32);
    if (has_threads)
        insn->b = exec_source_row(decoder, first + 1, PTX_B32);
    return (first->kind == PTX_OP_INT ? insn->imm >= 0 && insn->imm < 16
                                      : insn->a != SIMT_NO_ROW) &&
           (!has_threads || insn->b != SIMT_NO_ROW);
}

/* barrier.cluster, of a cluster that is one cta: who waits, waits for all threads of the cta, on a
 * barrier of its own. */
static bool form_cluster_barrier(struct simt_insn *insn, const struct ptx_insn *source) {
    insn->flow = ptx_has(source, "wait") ? SIMT_FLOW_BARRIER : SIMT_FLOW_NEXT;
    insn->type = SIMT_BARRIER_SYNC;
    insn->imm = SIMT_CLUSTER_BARRIER;
    return ptx_has(source, "wait") || ptx_has(source, "arrive");
}

static bool form_barrier(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_insn *source) {
    if (ptx_has(source, "cluster"))
        return form_cluster_barrier(insn, source);
    if (ptx_has(source, "warp"))
        return form_warp_sync(decoder, insn, source);
    insn->flow = SIMT_FLOW_BARRIER;
    for (size_t i = 0; i < sizeof(barriers) / sizeof(barriers[0]); i++) {
        if (!ptx_has(source, barriers[i].word))
            continue;
        insn->type = barriers[i].type;
        if (source->n_operands < barriers[i].least || source->n_operands > barriers[i].most)
            return false;
        const bool reduces = insn->type >= SIMT_BARRIER_POPC;
        return fill_barrier(decoder, insn, &source->operands[reduces],
                            source->n_operands == barriers[i].most && barriers[i].most > 1) &&
               (!reduces || fill_reduction(decoder, insn, source));
    }
    return false;
}

static const struct {
    const char *opcode;
    exec_form *form;
} forms[] = {
    {"mov", exec_form_mov},
    {"cvt", exec_form_cvt},
    {"ld", exec_form_load},
    {"ldu", exec_form_load},
    {"st", exec_form_store},
    {"atom", exec_form_atomic},
    {"red", exec_form_reduction},
    {"bra", form_bra},
    {"ret", form_ret},
    {"exit", form_exit},
    {"trap", form_trap},
    {"brkpt", form_trap},
    {"bar", form_barrier},
    {"barrier", form_barrier},
    {"membar", form_hint},
    {"fence", form_hint},
    {"nanosleep", form_hint},
    {"prefetch", form_hint},
    {"prefetchu", form_hint},
    {"discard", form_hint},
    {"applypriority", form_hint},
    {"griddepcontrol", form_hint},
    {"createpolicy", form_hint},
    {"pmevent", form_hint},
    {"call", exec_form_call},
    {"brx", form_switch},
    {"cp", exec_form_copy},
    {"mbarrier", exec_form_mbarrier},
};

exec_form *exec_form_find(const char *opcode) {
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (strcmp(forms[i].opcode, opcode) == 0)
            return forms[i].form;
    }
    return NULL;
}

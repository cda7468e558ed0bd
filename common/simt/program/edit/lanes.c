/*
 * Edits of what the lanes of a warp do together: shuffles, and the masks of *_sync operations.
 */
#include "common/simt/program/edit/rewrite.h"

static const enum isa_modifier modes[SIMT_EDIT_N_SHUFFLES] = {
    [SIMT_EDIT_UP] = ISA_DOT_UP,
    [SIMT_EDIT_DOWN] = ISA_DOT_DOWN,
    [SIMT_EDIT_BFLY] = ISA_DOT_BFLY,
    [SIMT_EDIT_IDX] = ISA_DOT_IDX,
};

/* Enum simt_edit_shuffle; -1: it is no shuffle. */
static int64_t shuffle_of(const struct ptx_insn *insn) {
    for (int64_t i = 0; i < SIMT_EDIT_N_SHUFFLES; i++)
        if (insn->opcode == ISA_SHFL && insn->n_operands >= 4 && ptx_has(insn, modes[i]))
            return i;
    return -1;
}

/* Operand c of shfl.sync d, a, b, c, mask: the segment in bits 8 to 12, the last lane (the first
 * one of an upward shuffle) in the lowest five. */
enum { SEGMENT = 0x1f00, LAST = 0x1f };

static struct ptx_operand *clamp_of(struct ptx_insn *insn) {
    return &insn->operands[insn->n_operands - 2];
}

static int64_t last_of(const struct ptx_insn *insn) {
    return shuffle_of(insn) == SIMT_EDIT_UP ? 0 : LAST;
}

/* Line by line a shuffle of the same kind: written in wrong once, it was copied. True at the first
 * of several lines. */
static bool is_first_of_lines(const struct edit_asked *asked, int64_t kind) {
    const struct ptx_insn *insns = asked->function->insns;
    bool is_alone = true;
    for (size_t i = 0; i < asked->function->n_insns; i++) {
        if (shuffle_of(&insns[i]) != kind || !insns[i].line || insns[i].file != asked->insn->file)
            continue;
        if (insns[i].line < asked->insn->line)
            return false;
        is_alone &= insns[i].line == asked->insn->line;
    }
    return !is_alone;
}

void edit_shuffle(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    const int64_t to = body->edit->to, from = body->edit->from;
    if (shuffle_of(insn) != from || to < 0 || to >= SIMT_EDIT_N_SHUFFLES)
        return;
    const struct ptx_operand *clamp = edit_value_of(body->function, clamp_of(insn));
    edit_exchange(body, insn, modes[from], modes[to]);
    if (clamp->kind == PTX_OP_INT)
        *clamp_of(insn) = edit_integer((clamp->integer & SEGMENT) | last_of(insn));
}

void edit_shuffles(struct edit_body *body, size_t index) {
    for (size_t i = 0; i < body->function->n_insns; i++)
        edit_shuffle(body, i);
    (void)index;
}

void edit_shuffle_width(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    if (shuffle_of(insn) >= 0)
        *clamp_of(insn) = edit_integer(last_of(insn));
}

/* Whether it is a *_sync operation. */
static bool has_mask(const struct ptx_insn *insn) {
    const uint8_t flow = isa_opcodes[insn->opcode].flow;
    const bool is_warp_barrier = flow == ISA_FLOW_BARRIER && ptx_has(insn, ISA_DOT_WARP);
    return insn->n_operands > 0 && ptx_has(insn, ISA_DOT_SYNC) &&
           (flow == ISA_FLOW_SHUFFLE || flow == ISA_FLOW_VOTE || is_warp_barrier);
}

void edit_mask_full(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    if (has_mask(insn))
        insn->operands[insn->n_operands - 1] = edit_integer(-1);
}

void edit_mask_active(struct edit_body *body, size_t index) {
    static const enum isa_modifier bits[4] = {ISA_DOT_B32};
    struct ptx_insn *insn = &body->function->insns[index];
    if (!has_mask(insn))
        return;
    const int32_t mask = edit_new_register(body, PTX_B32);
    const struct ptx_operand operand = edit_register(body, mask);
    edit_put_before(body, index, edit_insn(body, ISA_ACTIVEMASK, bits, &operand, 1));
    insn->operands[insn->n_operands - 1] = operand;
}

void edit_ask_lanes(struct edit_asked *asked) {
    const int64_t shuffle = shuffle_of(asked->insn);
    for (int64_t to = 0; shuffle >= 0 && to < SIMT_EDIT_N_SHUFFLES; to++)
        if (to != shuffle)
            edit_propose(asked, SIMT_EDIT_SHUFFLE, shuffle, to);
    for (int64_t to = 0; shuffle >= 0 && to < SIMT_EDIT_N_SHUFFLES; to++)
        if (to != shuffle && is_first_of_lines(asked, shuffle))
            edit_propose(asked, SIMT_EDIT_SHUFFLES, shuffle, to);
    if (shuffle >= 0)
        edit_propose(asked, SIMT_EDIT_SHUFFLE_WIDTH, 0, 0);
    if (has_mask(asked->insn)) {
        edit_propose(asked, SIMT_EDIT_MASK_FULL, 0, 0);
        edit_propose(asked, SIMT_EDIT_MASK_ACTIVE, 0, 0);
    }
}

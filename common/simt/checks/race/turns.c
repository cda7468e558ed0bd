/*
 * Which of two racing accesses of a block comes first, where they stand in a loop: in
 *
 *     for (…) {
 *         tile[x] = …;        // writes
 *         __syncthreads();
 *         … tile[y] …;        // reads
 *     }
 *
 * a barrier lies behind the write and before the read. What races is the read with the write of the
 * loop's next turn. The compiler may have put several turns one behind the other.
 */
#include <stdlib.h>

#include "common/simt/checks/race/race.h"

/* A walk over a kernel's instructions that no barrier stops it at. */
struct walk {
    const struct simt_program *program;
    bool one_warp;    /* of both threads: what syncs a warp is a barrier, too */
    bool goes_back;   /* also by the branches that begin a loop's next turn */
    bool *met;        /* per instruction */
    uint32_t *places; /* where it has still to go on … */
    uint32_t n_places;
};

static void go_to(struct walk *walk, uint32_t index) {
    if (index >= walk->program->n_insns || walk->met[index])
        return;
    walk->met[index] = true;
    walk->places[walk->n_places++] = index;
}

static void go_on(struct walk *walk, uint32_t index) {
    const struct simt_insn *insn = &walk->program->insns[index];
    switch (insn->flow) {
    case SIMT_FLOW_BARRIER:
    case SIMT_FLOW_EXIT:
    case SIMT_FLOW_TRAP:
    case SIMT_FLOW_RETURN:
        if (insn->guard >= 0)
            go_to(walk, index + 1);
        break;
    case SIMT_FLOW_SYNC:
        if (!walk->one_warp)
            go_to(walk, index + 1);
        break;
    case SIMT_FLOW_BRANCH:
        if (walk->goes_back || !insn->is_back_edge)
            go_to(walk, insn->target);
        if (insn->guard >= 0)
            go_to(walk, index + 1);
        break;
    default:
        go_to(walk, index + 1);
    }
}

/* Whether some way leads from behind one instruction to another without a barrier. */
static bool leads(const struct simt_program *program, uint32_t from, uint32_t to, bool one_warp,
                  bool goes_back) {
    struct walk walk = {.program = program, .one_warp = one_warp, .goes_back = goes_back};
    walk.met = calloc(program->n_insns, sizeof *walk.met);
    walk.places = calloc(program->n_insns, sizeof *walk.places);
    bool is_met = false;
    if (walk.met && walk.places) {
        go_on(&walk, from);
        while (walk.n_places)
            go_on(&walk, walk.places[--walk.n_places]);
        is_met = walk.met[to];
    }
    free(walk.met);
    free(walk.places);
    return is_met;
}

/* Where each way goes on is known of these alone. */
static bool has_only_branches(const struct simt_program *program) {
    for (uint32_t i = 0; i < program->n_insns; i++)
        if (program->insns[i].flow == SIMT_FLOW_CALL || program->insns[i].flow == SIMT_FLOW_SWITCH)
            return false;
    return true;
}

bool simt_is_of_next_turn(const struct simt_program *program, uint32_t index, uint32_t other,
                          bool one_warp) {
    return index < other && other < program->n_insns && has_only_branches(program) &&
           !leads(program, index, other, one_warp, false) &&
           leads(program, other, index, one_warp, true);
}

bool simt_is_further_on(const struct simt_program *program, uint32_t index, uint32_t other,
                        bool one_warp) {
    if (index <= other || index >= program->n_insns || !has_only_branches(program))
        return false;
    const struct ptx_insn *later = program->insns[index].source,
                          *former = program->insns[other].source;
    return later->file == former->file && later->line < former->line &&
           leads(program, other, index, one_warp, false) &&
           !leads(program, index, other, one_warp, true);
}

/*
 * Before a launch: which instructions a warp can run straight on, and which need more than that.
 */
#include "common/simt/run/sm.h"

static enum simt_step_kind kind_of(const struct simt_program *program,
                                   const struct simt_insn *insn) {
    const struct isa_opcode_facts *opcode = &isa_opcodes[insn->source->opcode];
    if (opcode->flow == ISA_FLOW_SHUFFLE)
        return SIMT_STEP_SHUFFLE;
    if (opcode->flow == ISA_FLOW_VOTE)
        return SIMT_STEP_VOTE;
    if (opcode->memory == ISA_MEMORY_FENCE)
        return SIMT_STEP_FENCE;
    if (insn->flow == SIMT_FLOW_CALL) {
        const struct ptx_function *callee = program->calls[insn->imm].callee;
        return callee && callee->is_declaration ? SIMT_STEP_HOST : SIMT_STEP_PLAIN;
    }
    /* A release is a fence before the access. */
    const bool releases = (opcode->traits | ptx_modifier_traits(insn->source)) & ISA_RELEASES;
    return insn->flow == SIMT_FLOW_MEMORY && releases ? SIMT_STEP_FENCE : SIMT_STEP_PLAIN;
}

/* A load, or an atomic with a result. */
static bool reads_strongly(const struct simt_insn *insn) {
    enum isa_memory memory = isa_opcodes[insn->source->opcode].memory;
    return insn->is_strong && insn->space != PTX_SHARED &&
           (memory == ISA_MEMORY_LOAD || memory == ISA_MEMORY_ATOMIC);
}

bool simt_steps_prepare(struct simt_sm *sm) {
    const struct simt_program *program = sm->program;
    struct simt_step *steps = sm->steps;
    bool talks = false;
    for (uint32_t i = 0; i < program->n_insns; i++) {
        const struct simt_insn *insn = &program->insns[i];
        steps[i].kind = (uint8_t)kind_of(program, insn);
        /* A drawn order may put other warps between any two accesses. */
        bool is_plain =
            insn->flow == SIMT_FLOW_NEXT || (insn->flow == SIMT_FLOW_MEMORY && !sm->schedule);
        steps[i].straight = is_plain && insn->guard < 0 && steps[i].kind != SIMT_STEP_FENCE;
        if (insn->flow == SIMT_FLOW_MEMORY)
            steps[i].bytes = (uint8_t)(ptx_type_bytes(insn->type) * insn->n_elements);
        steps[i].sees = reads_strongly(insn);
        talks |= steps[i].kind == SIMT_STEP_FENCE || steps[i].sees;
    }
    for (uint32_t i = 0; i < program->n_insns; i++) {
        uint32_t meet = program->insns[i].reconverge;
        uint8_t flow = program->insns[i].flow;
        bool is_branch = flow == SIMT_FLOW_BRANCH || flow == SIMT_FLOW_SWITCH;
        if (is_branch && meet != FLOW_EXIT && meet > 0 && steps[meet - 1].straight)
            steps[meet - 1].straight = UINT32_MAX; /* the last of its run */
    }
    for (uint32_t i = program->n_insns; i-- > 0;) {
        if (steps[i].straight == UINT32_MAX)
            steps[i].straight = 1;
        else if (steps[i].straight && i + 1 < program->n_insns)
            steps[i].straight += steps[i + 1].straight;
    }
    return talks;
}

/*
 * Optimistic reads: plain loads whose value only a compare-and-swap gets to see. The usual loop,
 *
 *     old = *word;
 *     do {
 *         assumed = old;
 *         old = atomicCAS(word, assumed, change(assumed));
 *     } while (assumed != old);
 *
 * begins with a plain load that races with the swaps of other threads. It does no harm: a value
 * that is no longer there makes the swap fail, which brings the one that is. NVIDIA's headers and
 * Programming Guide have such loops. A load is optimistic where each way from it leads to a
 * compare-and-swap of the same word that compares with what was loaded, and on the way there is
 * nothing but arithmetic on registers and branches that go forward.
 */
#include "common/simt/checks/race.h"

/* Instructions that are looked at for one load, and registers that hold its value at a time. */
enum { MAX_STEPS = 1024, MAX_COPIES = 8 };

/* The way from a load to a place. */
struct way {
    const struct simt_program *program;
    const struct ptx_operand *word; /* its address: a register or a variable, and an offset … */
    int32_t base;                   /* … and the register, also of a variable's address, or -1 */
    int32_t copies[MAX_COPIES];     /* registers that hold what was loaded, or -1 */
    uint32_t at;                    /* the next instruction */
    unsigned *n_left;               /* of MAX_STEPS, for all ways together */
};

static bool is_copy(const struct way *way, int32_t reg) {
    for (size_t i = 0; reg >= 0 && i < MAX_COPIES; i++)
        if (way->copies[i] == reg)
            return true;
    return false;
}

/* A register of the operand gets another value. False where the address is gone with that. */
static bool overwrite(struct way *way, const struct ptx_operand *target) {
    for (size_t i = 0; i < target->n_elements; i++)
        if (!overwrite(way, &target->elements[i]))
            return false;
    for (size_t i = 0; target->reg >= 0 && i < MAX_COPIES; i++)
        if (way->copies[i] == target->reg)
            way->copies[i] = -1;
    return target->reg < 0 || target->reg != way->base;
}

static void add_copy(struct way *way, int32_t reg) {
    for (size_t i = 0; i < MAX_COPIES; i++)
        if (way->copies[i] < 0) {
            way->copies[i] = reg;
            return;
        }
}

/* Goes on over an instruction that does no more than compute. */
static bool compute(struct way *way, const struct ptx_insn *source) {
    if (source->n_operands == 0)
        return true;
    const struct ptx_operand *target = &source->operands[0];
    bool copies = source->opcode == ISA_MOV && source->guard < 0 && target->reg >= 0 &&
                  is_copy(way, source->operands[1].reg) && target->reg != source->operands[1].reg;
    if (!overwrite(way, target) || (source->paired && !overwrite(way, &source->operands[1])))
        return false;
    if (copies)
        add_copy(way, target->reg);
    else if (source->opcode == ISA_MOV && source->guard < 0 && way->base < 0 && way->word->symbol &&
             source->operands[1].symbol == way->word->symbol && source->operands[1].integer == 0)
        way->base = target->reg;
    return true;
}

/* A compare-and-swap of the word, without a guard, that compares with what was loaded. */
static bool is_swap(const struct way *way, const struct ptx_insn *source) {
    const struct ptx_operand *word = &source->operands[1];
    return source->opcode == ISA_ATOM && ptx_has(source, ISA_DOT_CAS) && source->guard < 0 &&
           word->integer == way->word->integer &&
           (word->reg >= 0 ? word->reg == way->base : word->symbol == way->word->symbol) &&
           is_copy(way, source->operands[2].reg);
}

static bool leads_to_swap(struct way way) {
    for (; way.at<way.program->n_insns && * way.n_left> 0; --*way.n_left) {
        const struct simt_insn *insn = &way.program->insns[way.at];
        if (insn->flow == SIMT_FLOW_BRANCH) {
            struct way taken = way;
            taken.at = insn->target;
            if (insn->is_back_edge || (insn->guard >= 0 && !leads_to_swap(taken)))
                return false;
            way.at = insn->guard >= 0 ? way.at + 1 : insn->target;
            continue;
        }
        if (insn->flow != SIMT_FLOW_NEXT)
            return insn->flow == SIMT_FLOW_MEMORY && is_swap(&way, insn->source);
        if (!compute(&way, insn->source))
            return false;
        way.at++;
    }
    return false;
}

static bool find_out(const struct simt_program *program, uint32_t index) {
    const struct simt_insn *insn = &program->insns[index];
    const struct ptx_insn *source = insn->source;
    if (source->opcode != ISA_LD || insn->is_strong || insn->n_elements != 1)
        return false;
    unsigned n_left = MAX_STEPS;
    struct way way = {.program = program,
                      .word = &source->operands[1],
                      .base = source->operands[1].reg,
                      .at = index + 1,
                      .n_left = &n_left};
    for (size_t i = 0; i < MAX_COPIES; i++)
        way.copies[i] = i ? -1 : source->operands[0].reg;
    return source->operands[0].reg != way.base && leads_to_swap(way);
}

bool simt_is_optimistic(const struct simt_sm *sm, uint32_t index) {
    struct simt_step *step = &sm->steps[index];
    if (step->optimistic == SIMT_OPTIMISTIC_UNKNOWN)
        step->optimistic = find_out(sm->program, index) ? SIMT_OPTIMISTIC_YES : SIMT_OPTIMISTIC_NO;
    return step->optimistic == SIMT_OPTIMISTIC_YES;
}

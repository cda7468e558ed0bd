/*
 * The slow half of the race check: two accesses that the shadow finds unordered. Here fences, syncs
 * of a part of a warp and equal values are looked at, and the rest is put into words.
 *
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
#include <stdio.h>
#include <string.h>

#include "common/simt/checks/asynchronous/host_work.h"
#include "common/simt/checks/race/order.h"
#include "common/simt/checks/race/race.h"
#include "common/simt/state/findings.h"

/* Syncs of a part of the warp order its lanes pair by pair. */
static bool is_synced(const struct simt_sm *sm, uint64_t mine, uint64_t other) {
    uint32_t me = simt_stamp_thread(mine), it = simt_stamp_thread(other);
    return sm->warp->met && me / SIMT_LANES == it / SIMT_LANES &&
           other < sm->warp->met[me % SIMT_LANES][it % SIMT_LANES];
}

/* A store that leaves the word as the other one made it. */
static bool writes_the_same(const struct simt_sm *sm, const struct simt_request *request,
                            const struct simt_region *region, uint32_t lane, uint64_t offset,
                            uint64_t mine, uint64_t other) {
    const struct simt_insn *insn = request->insn;
    if (request->touch != SIMT_WRITES)
        return false;
    uint32_t bytes = ptx_type_bytes(insn->type);
    unsigned element = (unsigned)((offset - request->offset[lane]) / bytes);
    uint64_t value = simt_stored_value(sm, insn, element, lane), old = 0;
    uint32_t same = SIMT_STAMP_INDEX & other;
    bool is_this_store = (other ^ mine) >> 31 == 0 && same == (mine & SIMT_STAMP_INDEX) &&
                         simt_stamp_thread(other ^ mine) < SIMT_LANES;
    if (is_this_store) /* another lane of it: its value is not in memory yet */
        old = simt_stored_value(sm, insn, element, simt_stamp_thread(other) % SIMT_LANES);
    else
        memcpy(&old, region->host + request->offset[lane] + element * bytes, bytes);
    return value == old;
}

/* A flag in shared memory: one side changes it atomically, or both say that they know of each
 * other. Of two volatile accesses nothing but lockstep would be the order. */
static bool is_flag(const struct simt_sm *sm, uint32_t mine, uint32_t other) {
    const struct simt_program *program = sm->program;
    return other < program->n_insns && program->insns[mine].is_strong &&
           program->insns[other].is_strong &&
           !(ptx_has(simt_source(sm, mine), ISA_DOT_VOLATILE) &&
             ptx_has(simt_source(sm, other), ISA_DOT_VOLATILE));
}

static bool is_atomic(const struct simt_program *program, uint32_t index) {
    enum isa_memory memory = isa_opcodes[program->insns[index].source->opcode].memory;
    return memory == ISA_MEMORY_ATOMIC || memory == ISA_MEMORY_REDUCTION;
}

const char *simt_verb(const struct simt_program *program, uint32_t index, bool writes) {
    enum isa_memory memory = isa_opcodes[program->insns[index].source->opcode].memory;
    if (is_atomic(program, index))
        return "atomically updates";
    return writes || memory == ISA_MEMORY_STORE ? "writes" : "reads";
}

/* Two strong accesses don't race. But a volatile store that the same thread told of by a later
 * strong write, without a fence, may be seen after that. Whoever polls the word waits for it. */
static bool is_told_too_early(const struct simt_sm *sm, uint32_t reader, uint64_t other,
                              uint64_t told) {
    uint32_t index = other & SIMT_STAMP_INDEX;
    return told && !simt_polls(sm, reader) && simt_stamp_thread(told) == simt_stamp_thread(other) &&
           !simt_is_same_line(sm, told & SIMT_STAMP_INDEX, index) && index < sm->program->n_insns &&
           ptx_has(simt_source(sm, index), ISA_DOT_VOLATILE);
}

/* A plain load and an atomic, where only a compare-and-swap gets to see what was loaded. */
static bool is_optimistic(const struct simt_sm *sm, const struct simt_request *request,
                          uint32_t other, bool other_wrote) {
    if (other >= sm->program->n_insns)
        return false;
    if (request->touch == SIMT_READS)
        return other_wrote && is_atomic(sm->program, other) &&
               simt_is_optimistic(sm, request->insn->index);
    return request->touch == SIMT_UPDATES && !other_wrote && simt_is_optimistic(sm, other);
}

/* Both say that others may touch the word, and either reaches the other's thread: a narrow one does
 * within its cta. */
static bool are_strong(const struct simt_sm *sm, uint64_t mine, uint64_t other, bool same_cta) {
    const uint64_t stamps[] = {mine, other};
    for (int i = 0; i < 2; i++) {
        const uint64_t index = stamps[i] & SIMT_STAMP_INDEX;
        const bool is_narrow = index < sm->program->n_insns && sm->program->insns[index].is_narrow;
        if (!(stamps[i] & SIMT_STAMP_STRONG) && !(same_cta && is_narrow))
            return false;
    }
    return true;
}

/* What is narrow between two accesses of different ctas: of two strong ones one itself, or else
 * what was to hand over the other's. UINT32_MAX: nothing. */
static uint32_t narrow_of(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta) {
    const uint32_t indices[] = {mine & SIMT_STAMP_INDEX, other & SIMT_STAMP_INDEX};
    const bool is_between = cta != sm->cta_index && are_strong(sm, mine, other, true);
    for (int i = 0; i < 2 && is_between; i++)
        if (indices[i] < sm->program->n_insns && sm->program->insns[indices[i]].is_narrow)
            return indices[i];
    return simt_narrow_release(sm, mine, other, cta);
}

/* Why two accesses have no order, and what usually mends it; `told` as by simt_told_by. */
struct reason {
    char why[160];
    const char *advice;
    const struct simt_side *next; /* the side that comes later in the program, where that helps … */
    const char *when;             /* … to understand it, and how it comes later; NULL else */
};

static struct reason reason_of_narrow(const struct simt_sm *sm, uint32_t narrow) {
    const enum isa_memory memory = isa_opcodes[simt_source(sm, narrow)->opcode].memory;
    const bool is_fence = memory == ISA_MEMORY_FENCE;
    const char *what = is_fence                         ? "fence"
                       : is_atomic(sm->program, narrow) ? "atomic"
                       : memory == ISA_MEMORY_STORE     ? "store"
                                                        : "load";
    struct reason reason = {.advice =
                                "Take one for the whole device: an atomic without _block in its "
                                "name, or thread_scope_device."};
    snprintf(reason.why, sizeof reason.why,
             "the %s of %.60s is for threads of its own block alone, and these are of two", what,
             simt_line_text(sm, narrow).text);
    if (is_fence)
        reason.advice =
            "Other blocks need __threadfence(): __threadfence_block() orders a thread's "
            "accesses only as the threads of its own block see them.";
    return reason;
}

static bool both_write(const struct simt_side *here, const struct simt_side *other) {
    return strcmp(here->what, "writes") == 0 && strcmp(other->what, "writes") == 0;
}

/* What mends it where nothing is known of the way from one access to the other: a barrier parts no
 * two accesses of one instruction, and none of one line. */
static const char *advice_in_cta(const struct simt_sm *sm, const struct simt_side *here,
                                 const struct simt_side *other) {
    const bool one_warp = here->thread / SIMT_LANES == other->thread / SIMT_LANES;
    if (here->index == other->index && both_write(here, other))
        return "Whose element is it? Let one thread write it, or give each thread an element of "
               "its own.";
    if (strcmp(simt_where(sm, here).text, simt_where(sm, other).text) == 0)
        return one_warp ? "Both accesses are in one line, where no barrier can part them. Read "
                          "into a variable first, wait at a __syncwarp(), and then write; or let "
                          "no thread write what another one reads here."
                        : "Both accesses are in one line, where no barrier can part them. Read "
                          "into a variable first, wait at a __syncthreads(), and then write; or "
                          "let no thread write what another one reads here.";
    return one_warp ? "Put a __syncthreads() that all threads reach between the two accesses "
                      "(within a warp, __syncwarp())."
                    : "Put a __syncthreads() that all threads reach between the two accesses.";
}

/* The two accesses of a block that no barrier parts. */
static struct reason reason_in_cta(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other) {
    const bool one_warp = here->thread / SIMT_LANES == other->thread / SIMT_LANES;
    const struct simt_side *sides[] = {here, other};
    struct reason reason = {.why = "no barrier lies between",
                            .advice = advice_in_cta(sm, here, other)};
    for (int i = 0; i < 2 && !reason.next; i++) {
        const struct simt_side *side = sides[i], *first = sides[1 - i];
        if (simt_is_of_next_turn(sm->program, side->index, first->index, one_warp)) {
            reason.next = side;
            reason.when = " in the loop's next turn";
            reason.advice =
                "Put a __syncthreads() that all threads reach at the end of the loop's body, so "
                "that nobody begins the next turn before all are done with this one.";
        } else if (simt_is_further_on(sm->program, side->index, first->index, one_warp)) {
            reason.next = side;
            reason.when = " further on";
            reason.advice = "Put a __syncthreads() that all threads reach between the two "
                            "accesses; where they are of two turns of a loop, at the end of its "
                            "body.";
        }
    }
    return reason;
}

static struct reason reason_of(const struct simt_sm *sm, const struct simt_side *here,
                               const struct simt_side *other, uint64_t told, bool same_cta) {
    struct reason reason = {0};
    bool is_half_atomic =
        is_atomic(sm->program, here->index) != is_atomic(sm->program, other->index);
    snprintf(reason.why, sizeof reason.why, "%s",
             same_cta ? "no barrier lies between" : "blocks run in any order");
    if (told) {
        snprintf(reason.why, sizeof reason.why, "%.60s tells of it, but no fence comes first",
                 simt_line_text(sm, told & SIMT_STAMP_INDEX).text);
        reason.advice = "Put a __threadfence() between the access and the atomic or volatile store "
                        "that tells others of it.";
    } else if (is_half_atomic) {
        reason.advice =
            same_cta ? "Let both be atomic (an atomic returns what was there before), or put "
                       "a __syncthreads() that all threads reach between the two."
                     : "Let both be atomic (an atomic returns what was there before), or "
                       "split the work into two launches.";
    } else if (same_cta) {
        return reason_in_cta(sm, here, other);
    } else {
        reason.advice = "Let each block write its own elements, use atomics, or split the work "
                        "into two launches.";
    }
    return reason;
}

static struct simt_sentence say_race(const struct simt_sm *sm, const struct simt_side *here,
                                     const struct simt_side *other, const char *place,
                                     const struct reason *reason) {
    const bool is_turned = reason->next == here;
    const struct simt_side *one = is_turned ? other : here, *two = is_turned ? here : other;
    return simt_say("%.60s %s %.60s (%.60s) and %.60s %s it%s (%.60s), in no fixed order: %s.",
                    simt_who(sm, one).text, one->what, place, simt_where(sm, one).text,
                    simt_and_who(sm, two).text, two->what, reason->next ? reason->when : "",
                    simt_where(sm, two).text, reason->why);
}

static void report(struct simt_sm *sm, const struct simt_request *request,
                   const struct simt_region *region, uint64_t offset, const struct simt_side *here,
                   const struct simt_side *other, const struct reason *reason) {
    bool is_shared = region->space == PTX_SHARED;
    struct simt_text place =
        simt_place_text(sm, region, offset, ptx_type_bytes(request->insn->type));
    simt_findings_add(sm, is_shared ? SIMT_FINDING_SHARED_RACE : SIMT_FINDING_GLOBAL_RACE, here,
                      other, place.text, say_race(sm, here, other, place.text, reason).text,
                      reason->advice);
}

void simt_suspect(struct simt_sm *sm, const struct simt_request *request,
                  const struct simt_region *region, uint32_t lane, uint64_t offset, uint64_t mine,
                  uint64_t other, bool other_wrote) {
    if (sm->spares) {
        simt_start_over(sm);
        return;
    }
    bool is_shared = region->space == PTX_SHARED;
    if (other < sm->order.launch && other >= sm->order.foreign && !is_shared) {
        if (!(other_wrote && request->touch == SIMT_WRITES &&
              writes_the_same(sm, request, region, lane, offset, mine, other)))
            simt_suspect_work(sm, request, region, lane, offset, mine, other, other_wrote);
        return;
    }
    uint64_t cta = is_shared ? sm->cta_index : simt_cta_at(sm, other);
    bool same_cta = cta == sm->cta_index;
    if (same_cta && !is_shared && other < sm->order.start && other >= sm->order.born &&
        !simt_unordered_in_cta(&sm->order, other, mine))
        return;
    if (simt_is_handed_over(sm, mine, other, cta) || (same_cta && is_synced(sm, mine, other)))
        return;
    bool takes_over = !is_shared && other_wrote && request->touch == SIMT_READS;
    uint64_t told = takes_over ? simt_told_by(sm, mine, other, cta) : 0;
    if (are_strong(sm, mine, other, same_cta) &&
        !is_told_too_early(sm, request->insn->index, other, told))
        return;
    if (other_wrote && request->touch == SIMT_WRITES && !(other & SIMT_STAMP_STRONG) &&
        writes_the_same(sm, request, region, lane, offset, mine, other))
        return;
    uint32_t index = request->insn->index, other_index = other & SIMT_STAMP_INDEX;
    if ((is_shared && is_flag(sm, index, other_index)) ||
        is_optimistic(sm, request, other_index, other_wrote))
        return;
    enum simt_finding_kind kind = is_shared ? SIMT_FINDING_SHARED_RACE : SIMT_FINDING_GLOBAL_RACE;
    if (simt_findings_again(sm->findings, kind, index, other_index))
        return;
    struct simt_side here = simt_side_here(
        sm, index, lane, simt_verb(sm->program, index, request->touch != SIMT_READS));
    struct simt_side there = {
        .index = other_index < sm->program->n_insns ? other_index : index,
        .cta = simt_cta_of(sm->grid, cta),
        .thread = simt_stamp_thread(other),
        .what = simt_verb(sm->program, other_index, other_wrote),
    };
    const uint32_t narrow = is_shared ? UINT32_MAX : narrow_of(sm, mine, other, cta);
    struct reason reason = narrow < UINT32_MAX ? reason_of_narrow(sm, narrow)
                                               : reason_of(sm, &here, &there, told, same_cta);
    report(sm, request, region, offset, &here, &there, &reason);
}

static struct simt_sentence say_read_only(const struct simt_sm *sm, const struct simt_side *here,
                                          const struct simt_side *other, const char *place) {
    return simt_say(
        "%s reads %s by the read-only path (%s), and %s has written it in the same launch "
        "(%s): that path may give what was there before.",
        simt_who(sm, here).text, place, simt_where(sm, here).text, simt_and_who(sm, other).text,
        simt_where(sm, other).text);
}

/* The lane's word was last written by this launch. */
static void report_read_only(struct simt_sm *sm, const struct simt_request *request,
                             const struct simt_region *region, uint32_t lane, uint64_t writer) {
    const uint32_t index = request->insn->index, other = writer & SIMT_STAMP_INDEX;
    if (other >= sm->program->n_insns ||
        simt_findings_again(sm->findings, SIMT_FINDING_GLOBAL_RACE, index, other))
        return;
    struct simt_side here = simt_side_here(sm, index, lane, "reads by the read-only path");
    struct simt_side there = {.index = other,
                              .cta = simt_cta_of(sm->grid, simt_cta_at(sm, writer)),
                              .thread = simt_stamp_thread(writer),
                              .what = simt_verb(sm->program, other, true)};
    const struct simt_text place =
        simt_place_text(sm, region, request->offset[lane], ptx_type_bytes(request->insn->type));
    simt_findings_add(
        sm, SIMT_FINDING_GLOBAL_RACE, &here, &there, place.text,
        say_read_only(sm, &here, &there, place.text).text,
        "Use __ldg, and const with __restrict__, only for what no kernel writes while "
        "this one runs.");
}

void simt_check_read_only(struct simt_sm *sm, const struct simt_request *request,
                          const struct simt_region *region) {
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const struct simt_word word = simt_get_word(region->words, request->offset[lane] / 4);
        const uint64_t writer = simt_slot_stamp(sm->contexts, word.writer);
        if (!(word.writer & SIMT_SLOT_RIVAL) && writer >= sm->order.launch)
            report_read_only(sm, request, region, lane, writer);
    }
}

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
    for (; (way.at < way.program->n_insns) && (*way.n_left > 0); --*way.n_left) {
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
    if (step->load == SIMT_LOAD_UNKNOWN && !sm->program->insns[index].is_strong)
        step->load = find_out(sm->program, index) ? SIMT_LOAD_OPTIMISTIC : SIMT_LOAD_USUAL;
    return step->load == SIMT_LOAD_OPTIMISTIC;
}

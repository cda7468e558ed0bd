/*
 * Kernels that don't end by themselves: nobody can run, budget or time are spent, or a trap.
 */
#include "common/simt/run/stop.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/simt/access/region/region.h"
#include "common/simt/run/limits.h"
#include "common/simt/state/findings.h"

/* Tells of the mistake that ends the launch. */
static void end_launch(struct simt_sm *sm, enum simt_status status, enum simt_finding_kind kind,
                       const struct simt_side *here, const struct simt_side *other,
                       const char *place, struct simt_sentence sentence, const char *advice) {
    simt_findings_again(sm->findings, kind, here->index, here->index);
    simt_findings_add(sm, kind, here, other, place, sentence.text, advice);
    simt_stop(sm, status, here->index, sentence.text);
}

/* A lane of a split that waits, as a side. */
static struct simt_side waiting_side(const struct simt_sm *sm, const struct simt_warp *warp,
                                     const struct simt_split *split, uint32_t lane) {
    return (struct simt_side){
        .index = split->pc,
        .cta = sm->cta,
        .thread = warp->index * SIMT_LANES + lane,
        .what = split->state == SIMT_SPLIT_AT_SYNC ? "waits for lanes of its warp"
                                                   : "waits at the barrier",
    };
}

/* The n-th split of the cta that waits, as a side. */
static bool find_waiting(const struct simt_sm *sm, uint32_t n, struct simt_side *side) {
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_warp *warp = &sm->warps[w];
        if (n < warp->n_splits) {
            const struct simt_split *split = &warp->splits[n];
            *side = waiting_side(sm, warp, split, (uint32_t)__builtin_ctz(split->mask));
            return true;
        }
        n -= warp->n_splits;
    }
    return false;
}

/* The first waiting thread at another instruction than `here`. */
static bool find_other(const struct simt_sm *sm, const struct simt_side *here,
                       struct simt_side *other) {
    for (uint32_t n = 1; find_waiting(sm, n, other); n++)
        if (other->index != here->index)
            return true;
    return false;
}

/* The split of a warp that has a lane; NULL where the lane has left. */
static const struct simt_split *split_of(const struct simt_warp *warp, uint32_t lane) {
    for (uint32_t i = 0; i < warp->n_splits; i++)
        if (warp->splits[i].mask >> lane & 1)
            return &warp->splits[i];
    return NULL;
}

/* The mask with which a split waits at a sync. */
static uint32_t mask_of(const struct simt_sm *sm, const struct simt_warp *warp,
                        const struct simt_split *split) {
    const uint8_t *rows = warp->frames[split->frame].area->rows;
    const uint32_t *masks = (const uint32_t *)(rows + sm->program->insns[split->pc].rows[0]);
    return masks[__builtin_ctz(split->mask)];
}

/* `its_mask` is that with which the other waits; NULL: it waits at a barrier. */
static struct simt_sentence say_absent(const struct simt_sm *sm, const struct simt_side *here,
                                       uint32_t mask, const struct simt_side *other,
                                       const uint32_t *its_mask) {
    char masked[32] = "";
    if (its_mask)
        snprintf(masked, sizeof masked, " with the mask 0x%08" PRIx32, *its_mask);
    return simt_say("All threads of the block wait for each other: %.60s calls a *_sync function "
                    "(%.60s) with the mask 0x%08" PRIx32 ", which names lane %" PRIu32
                    ", but that lane, %.60s, %s%s (%.60s).",
                    simt_who(sm, here).text, simt_where(sm, here).text, mask,
                    other->thread % SIMT_LANES, simt_and_who(sm, other).text, other->what, masked,
                    simt_where(sm, other).text);
}

/* All threads of the cta wait, and this split does so for a lane that its mask names, but that is
 * elsewhere. */
static void report_missing(struct simt_sm *sm, const struct simt_warp *warp,
                           const struct simt_split *split, uint32_t missing,
                           const struct simt_split *there) {
    struct simt_side here = waiting_side(sm, warp, split, (uint32_t)__builtin_ctz(split->mask));
    struct simt_side other = waiting_side(sm, warp, there, missing);
    const bool is_at_sync = there->state == SIMT_SPLIT_AT_SYNC;
    const uint32_t its_mask = is_at_sync ? mask_of(sm, warp, there) : 0;
    end_launch(
        sm, SIMT_DEADLOCK, SIMT_FINDING_DEADLOCK, &here, &other, "",
        say_absent(sm, &here, mask_of(sm, warp, split), &other, is_at_sync ? &its_mask : NULL),
        "Name in the mask only the lanes that come to this call, or let all that it "
        "names come to it.");
}

/* True, and told, where a split waits for lanes that are elsewhere. */
static bool find_missing(struct simt_sm *sm) {
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_warp *warp = &sm->warps[w];
        for (uint32_t i = 0; i < warp->n_splits; i++) {
            const struct simt_split *split = &warp->splits[i];
            uint32_t missing = split->wanted & warp->alive & ~split->mask;
            if (split->state != SIMT_SPLIT_AT_SYNC || !missing)
                continue;
            uint32_t lane = (uint32_t)__builtin_ctz(missing);
            const struct simt_split *there = split_of(warp, lane);
            if (!there)
                continue;
            report_missing(sm, warp, split, lane, there);
            return true;
        }
    }
    return false;
}

/* `other` waits elsewhere; NULL: nobody does. */
static struct simt_sentence say_deadlock(const struct simt_sm *sm, const struct simt_side *here,
                                         const struct simt_side *other) {
    char rest[256] = "and nobody is left to come";
    if (other)
        snprintf(rest, sizeof rest, "while %s %s (%s)", simt_and_who(sm, other).text, other->what,
                 simt_where(sm, other).text);
    return simt_say("All threads of the block wait for each other: %s %s (%s), %s.",
                    simt_who(sm, here).text, here->what, simt_where(sm, here).text, rest);
}

void simt_deadlock(struct simt_sm *sm) {
    struct simt_side here, other;
    if (find_missing(sm) || !find_waiting(sm, 0, &here))
        return;
    bool has_other = find_other(sm, &here, &other);
    end_launch(sm, SIMT_DEADLOCK, SIMT_FINDING_DEADLOCK, &here, has_other ? &other : NULL, "",
               say_deadlock(sm, &here, has_other ? &other : NULL),
               "Let all threads that a barrier or a mask counts on reach the same place.");
}

/* What the running warp of the cta read last, in the program's own words. */
static struct simt_text looked_at(const struct simt_sm *sm) {
    struct simt_region region = {.space = PTX_GLOBAL};
    uint64_t address = sm->looked_address;
    struct simt_text place = {""};
    region.allocation = simt_space_find(sm->space, address);
    if (region.allocation)
        place = simt_place_text(sm, &region, address - region.allocation->address, 4);
    if (!place.text[0])
        snprintf(place.text, sizeof place.text, "a value in memory");
    return place;
}

/* `n_resident` blocks wait, while block `next` can't begin; UINT64_MAX: none is left. */
static struct simt_sentence say_unchanged(const struct simt_sm *sm, const struct simt_side *here,
                                          const char *place, uint64_t n_resident, uint64_t next) {
    char why[161] = "all threads that are left wait and nobody changes it any more";
    if (next != UINT64_MAX)
        snprintf(why, sizeof why,
                 "all %" PRIu64 " blocks that the device holds at a time wait, and block number "
                 "%" PRIu64 " can't start before one of them ends",
                 n_resident, next);
    return simt_say("%s waits for a change of %.50s (%.60s), but %.160s.", simt_who(sm, here).text,
                    place, simt_where(sm, here).text, why);
}

void simt_wait_without_end(struct simt_sm *sm, uint64_t n_resident, uint64_t next) {
    struct simt_side here = {sm->looked_index, sm->cta, 0, "waits"};
    here.thread = sm->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(sm->warp->splits[0].mask);
    struct simt_text place = looked_at(sm);
    bool is_full = next != UINT64_MAX;
    end_launch(sm, SIMT_DEADLOCK, SIMT_FINDING_DEADLOCK, &here, NULL, place.text,
               say_unchanged(sm, &here, place.text, n_resident, next),
               is_full ? "Let blocks wait only for blocks that started before them, or "
                         "launch no more of them than the device holds at a time."
                       : "Let the thread that is to write the value do so before it waits "
                         "itself, and wait for none that has left. (On the simulator no "
                         "kernel can wait for the host or a later kernel.)");
}

static uint64_t n_ctas(const struct simt_sm *sm) {
    return (uint64_t)sm->grid.x * sm->grid.y * sm->grid.z;
}

/* Where the budget or the time was spent is `where`: what say_round or say_spent says. */
static struct simt_sentence say_endless(uint64_t n_instructions, const char *where) {
    return simt_say("The kernel did not end within %s warp instructions: %s.",
                    simt_number_text(n_instructions).text, where);
}

static struct simt_sentence say_costly(const struct simt_sm *sm, uint64_t n_instructions,
                                       const char *where) {
    return simt_say("The kernel may be right, but works too much: it was stopped after %s warp "
                    "instructions, when %" PRIu64 " of its %s blocks had ended: %s.",
                    simt_number_text(n_instructions).text, sm->cta_index,
                    simt_number_text(n_ctas(sm)).text, where);
}

static struct simt_sentence say_late(int64_t timeout_ms, const char *where) {
    return simt_say("The kernel did not end within %" PRId64 ".%" PRId64 " s: %s.",
                    timeout_ms / 1000, timeout_ms % 1000 / 100, where);
}

static struct simt_sentence say_interrupted(const char *where) {
    return simt_say("The program ended before the kernel did: %s.", where);
}

/* The launch has taken all that it may: `where` says where it is. */
static void stop_endless(struct simt_sm *sm, const struct simt_side *here, const char *where,
                         const char *advice) {
    enum simt_finding_kind kind = SIMT_FINDING_ENDLESS;
    struct simt_sentence sentence;
    if (atomic_load(sm->limits.interrupted)) {
        kind = SIMT_FINDING_LATE;
        advice =
            "Wait for the kernel before the program ends: cudaDeviceSynchronize(), or join the "
            "thread that waits for it.";
        sentence = say_interrupted(where);
    } else if (!simt_is_spent(sm)) {
        kind = SIMT_FINDING_LATE;
        sentence = say_late(sm->limits.timeout_ms, where);
    } else if (simt_is_costly(sm)) {
        kind = SIMT_FINDING_COSTLY;
        advice =
            "Does each thread do its own share of the work, and no other thread's? A GPU would "
            "have to do all of it, too.";
        sentence = say_costly(sm, simt_executed(sm), where);
    } else {
        sentence = say_endless(simt_executed(sm), where);
    }
    end_launch(sm, SIMT_TIMEOUT, kind, here, NULL, "", sentence, advice);
}

static struct simt_sentence say_round(const struct simt_sm *sm, const struct simt_side *here,
                                      bool is_call) {
    return simt_say("%s %s at %s", simt_who(sm, here).text,
                    is_call ? "calls a function" : "goes round the loop",
                    simt_where(sm, here).text);
}

void simt_endless(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane) {
    bool is_call = insn->flow == SIMT_FLOW_CALL;
    struct simt_side here = simt_side_here(sm, insn->index, lane, is_call ? "calls" : "goes round");
    stop_endless(sm, &here, say_round(sm, &here, is_call).text,
                 is_call ? "How many calls does this one lead to? Two calls of itself in a "
                           "function, 40 deep, are a million million."
                         : "Look at the loop's condition: what changes it, and does it ever become "
                           "false for this thread? If it does, that takes too many turns.");
}

static struct simt_sentence say_spent(const struct simt_sm *sm, const struct simt_side *here) {
    return simt_say("it was at block %" PRIu64 " of %" PRIu64 " and spent most in %s",
                    sm->cta_index, n_ctas(sm), simt_where(sm, here).text);
}

void simt_too_long(struct simt_sm *sm) {
    struct simt_side here = {simt_hottest(sm), sm->cta, 0, "spends its time"};
    stop_endless(sm, &here, say_spent(sm, &here).text,
                 "Is the grid as large as you mean it to be? Try a smaller input.");
}

static struct simt_sentence say_ended(const struct simt_sm *sm, const struct simt_side *here,
                                      const char *what) {
    return simt_say("%s %s (%s).", simt_who(sm, here).text, what, simt_where(sm, here).text);
}

/* The kernel ends here: `what` says what the thread does, as in "runs into a trap". */
static void end_kernel(struct simt_sm *sm, enum simt_status status, uint32_t index, uint32_t lane,
                       const char *what, const char *advice) {
    struct simt_side here = simt_side_here(sm, index, lane, "stops the kernel");
    end_launch(sm, status, SIMT_FINDING_TRAP, &here, NULL, "", say_ended(sm, &here, what), advice);
}

void simt_trapped(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane) {
    end_kernel(sm, SIMT_TRAP, insn->index, lane, "runs into a trap",
               "The kernel asks for this stop itself: __trap(), or code that the compiler takes to "
               "be unreachable.");
}

void simt_asserted(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                   const char *condition) {
    char what[192];
    snprintf(what, sizeof what, "fails the assertion \"%.150s\"", condition);
    end_kernel(sm, SIMT_ASSERT, insn->index, lane, what,
               "Look at the values that the assertion compares.");
}

void simt_lost(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane) {
    end_kernel(sm, SIMT_INVALID_PC, insn->index, lane,
               "goes to an address where no function of the kernel's module is",
               "Was the function pointer set on the device? A function's address that the host "
               "takes can't be called in a kernel.");
}

void simt_overflowed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                     uint32_t depth) {
    char what[192];
    snprintf(what, sizeof what, "calls a function %" PRIu32 " calls deep, and its stack is full",
             depth + 1);
    end_kernel(sm, SIMT_STACK_OVERFLOW, insn->index, lane, what,
               "Does the recursion end for every input? If it does, rewrite it as a loop.");
}

void simt_misfreed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane) {
    end_kernel(sm, SIMT_TRAP, insn->index, lane,
               "frees a pointer that malloc() or new did not give, or that was freed before",
               "Free each block of the device's heap once, and in kernels only.");
}

void simt_miscounted(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                     uint32_t n_threads) {
    char what[192];
    snprintf(what, sizeof what,
             "comes to a barrier for %" PRIu32 " threads, which is no multiple of 32", n_threads);
    end_kernel(sm, SIMT_ILLEGAL_INSTRUCTION, insn->index, lane, what,
               "A barrier counts whole warps: the number of its threads is a multiple of 32.");
}

void simt_exhausted(struct simt_sm *sm, const struct simt_insn *insn) {
    simt_stop(sm, SIMT_NO_MEMORY, insn->index, "The host has no memory for the kernel's calls.");
}

/*
 * Each sentence is cut where a name in it is longer than anybody writes, so that its end stays.
 */
#include "common/simt/state/sentences.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/state/sm.h"

static __attribute__((format(printf, 1, 2))) struct simt_sentence say(const char *format, ...) {
    struct simt_sentence sentence;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence.text, sizeof sentence.text, format, arguments);
    va_end(arguments);
    return sentence;
}

/* "Thread 5 of block 0", and within a sentence "thread 5 of block 0". */
static struct simt_text first(const struct simt_sm *sm, const struct simt_side *side) {
    return simt_thread_text(sm->grid, sm->block, side);
}
static struct simt_text then(const struct simt_sm *sm, const struct simt_side *side) {
    struct simt_text text = first(sm, side);
    text.text[0] = 't';
    return text;
}

static struct simt_text line(const struct simt_sm *sm, const struct simt_side *side) {
    return simt_line_text(sm, side->index);
}

struct simt_sentence simt_say_race(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other, const char *place,
                                   const char *why) {
    return say("%.60s %s %.60s (%.30s) and %.60s %s it (%.30s), in no fixed order: %s.",
               first(sm, here).text, here->what, place, line(sm, here).text, then(sm, other).text,
               other->what, line(sm, other).text, why);
}

struct simt_sentence simt_say_streams(const struct simt_words *here, const struct simt_words *other,
                                      const char *place) {
    struct simt_sentence sentence =
        say("%.90s %.18s %.40s%.16s and %.90s %.18s it%.16s, in no fixed order: no event or "
            "synchronisation orders their streams.",
            here->who, here->access.what, place, here->line, other->who, other->access.what,
            other->line);
    char *head = sentence.text;
    *head = (char)(*head == 't' ? 'T' : *head == 'a' ? 'A' : *head);
    return sentence;
}

struct simt_sentence simt_say_copy(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other, const char *place,
                                   const struct simt_hazard *hazard) {
    return say("%.60s %s %.60s (%.30s) while the copy by %.60s%s (%s, %.30s) may still be %s: %s.",
               first(sm, here).text, hazard->verb, place, line(sm, here).text, then(sm, other).text,
               hazard->where, hazard->opcode, line(sm, other).text, hazard->state, hazard->reason);
}

struct simt_sentence simt_say_unwritten(const struct simt_sm *sm, const struct simt_side *here,
                                        const char *place, uint32_t user) {
    struct simt_text at = line(sm, here), used = simt_line_text(sm, user);
    char use[64] = "";
    if (strcmp(at.text, used.text) != 0)
        snprintf(use, sizeof use, " It is used in %.40s.", used.text);
    return say("%s reads %s in %.60s, but nothing has been written there: the value is what memory "
               "happens to hold.%s",
               first(sm, here).text, place, at.text, use);
}

struct simt_sentence simt_say_outside(const struct simt_sm *sm, const struct simt_side *here,
                                      const char *what) {
    return say("%s %s %s (%s).", first(sm, here).text, here->what, what, line(sm, here).text);
}

struct simt_sentence simt_say_misaligned(const struct simt_sm *sm, const struct simt_side *here,
                                         uint32_t bytes, uint64_t address) {
    return say("%s %s %" PRIu32 " bytes at address 0x%" PRIx64 ", which is no multiple of %" PRIu32
               " (%s).",
               first(sm, here).text, here->what, bytes, address, bytes, line(sm, here).text);
}

struct simt_sentence simt_say_divergent(const struct simt_sm *sm, const struct simt_side *here,
                                        const struct simt_side *other, const char *rest,
                                        uint32_t branch) {
    char parted[128] = "";
    if (branch != FLOW_EXIT)
        snprintf(parted, sizeof parted, " Their ways parted in %.90s.",
                 simt_line_text(sm, branch).text);
    return say("%s waits at the barrier in %.60s, but %.90s %s (%.60s).%s", first(sm, here).text,
               line(sm, here).text, then(sm, other).text, rest, line(sm, other).text, parted);
}

struct simt_sentence simt_say_number(const struct simt_sm *sm, const struct simt_side *here,
                                     uint32_t number) {
    return say("%s comes to barrier %" PRIu32 " (%s), but a block has the barriers 0 to 15 alone: "
               "which one it is then is undefined.",
               first(sm, here).text, number, line(sm, here).text);
}

struct simt_sentence simt_say_unnamed(const struct simt_sm *sm, const struct simt_side *here,
                                      uint32_t mask) {
    uint32_t lane = here->thread % SIMT_LANES;
    return say("%s is lane %" PRIu32 " of its warp and calls a *_sync function in %s with the mask "
               "0x%08" PRIx32 ", which does not name lane %" PRIu32 ": what the call does is "
               "undefined.",
               first(sm, here).text, lane, line(sm, here).text, mask, lane);
}

struct simt_sentence simt_say_left(const struct simt_sm *sm, const struct simt_side *here,
                                   const struct simt_side *other) {
    return say(
        "%s waits at a *_sync function (%s) for the lanes that its mask names, but %s, one of "
        "them, leaves the kernel (%s) without such a call: what the call does is undefined.",
        first(sm, here).text, line(sm, here).text, then(sm, other).text, line(sm, other).text);
}

struct simt_sentence simt_say_read_only(const struct simt_sm *sm, const struct simt_side *here,
                                        const struct simt_side *other, const char *place) {
    return say("%s reads %s by the read-only path (%s), and %s has written it in the same launch "
               "(%s): that path may give what was there before.",
               first(sm, here).text, place, line(sm, here).text, then(sm, other).text,
               line(sm, other).text);
}

struct simt_sentence simt_say_inactive(const struct simt_sm *sm, const struct simt_side *here) {
    return say("%s takes a value from a lane that does not take part in the shuffle (%s): what it "
               "gets is undefined.",
               first(sm, here).text, line(sm, here).text);
}

struct simt_sentence simt_say_deadlock(const struct simt_sm *sm, const struct simt_side *here,
                                       const struct simt_side *other) {
    char rest[256] = "and nobody is left to come";
    if (other)
        snprintf(rest, sizeof rest, "while %s %s (%s)", then(sm, other).text, other->what,
                 line(sm, other).text);
    return say("All threads of the block wait for each other: %s %s (%s), %s.",
               first(sm, here).text, here->what, line(sm, here).text, rest);
}

struct simt_sentence simt_say_absent(const struct simt_sm *sm, const struct simt_side *here,
                                     uint32_t mask, const struct simt_side *other,
                                     const uint32_t *its_mask) {
    char masked[32] = "";
    if (its_mask)
        snprintf(masked, sizeof masked, " with the mask 0x%08" PRIx32, *its_mask);
    return say("All threads of the block wait for each other: %.60s calls a *_sync function "
               "(%.24s) with the mask 0x%08" PRIx32 ", which names lane %" PRIu32
               ", but that lane, %.60s, %s%s (%.24s).",
               first(sm, here).text, line(sm, here).text, mask, other->thread % SIMT_LANES,
               then(sm, other).text, other->what, masked, line(sm, other).text);
}

struct simt_sentence simt_say_unchanged(const struct simt_sm *sm, const struct simt_side *here,
                                        const char *place, uint64_t n_resident, uint64_t next) {
    char why[161] = "all threads that are left wait and nobody changes it any more";
    if (next != UINT64_MAX)
        snprintf(why, sizeof why,
                 "all %" PRIu64 " blocks that the device holds at a time wait, and block number "
                 "%" PRIu64 " can't start before one of them ends",
                 n_resident, next);
    return say("%s waits for a change of %.50s (%.24s), but %.160s.", first(sm, here).text, place,
               line(sm, here).text, why);
}

struct simt_sentence simt_say_ended(const struct simt_sm *sm, const struct simt_side *here,
                                    const char *what) {
    return say("%s %s (%s).", first(sm, here).text, what, line(sm, here).text);
}

struct simt_sentence simt_say_round(const struct simt_sm *sm, const struct simt_side *here,
                                    bool is_call) {
    return say("%s %s at %s", first(sm, here).text,
               is_call ? "calls a function" : "goes round the loop", line(sm, here).text);
}

static uint64_t n_ctas(const struct simt_sm *sm) {
    return (uint64_t)sm->grid.x * sm->grid.y * sm->grid.z;
}

struct simt_sentence simt_say_spent(const struct simt_sm *sm, const struct simt_side *here) {
    return say("it was at block %" PRIu64 " of %" PRIu64 " and spent most in %s", sm->cta_index,
               n_ctas(sm), line(sm, here).text);
}

struct simt_sentence simt_say_endless(uint64_t n_instructions, const char *where) {
    return say("The kernel did not end within %s warp instructions: %s.",
               simt_number_text(n_instructions).text, where);
}

struct simt_sentence simt_say_costly(const struct simt_sm *sm, uint64_t n_instructions,
                                     const char *where) {
    return say("The kernel may be right, but works too much: it was stopped after %s warp "
               "instructions, when %" PRIu64 " of its %s blocks had ended: %s.",
               simt_number_text(n_instructions).text, sm->cta_index,
               simt_number_text(n_ctas(sm)).text, where);
}

struct simt_sentence simt_say_late(int64_t timeout_ms, const char *where) {
    return say("The kernel did not end within %" PRId64 ".%" PRId64 " s: %s.", timeout_ms / 1000,
               timeout_ms % 1000 / 100, where);
}

struct simt_sentence simt_say_interrupted(const char *where) {
    return say("The program ended before the kernel did: %s.", where);
}

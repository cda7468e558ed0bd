/*
 * What a correct kernel never does with memory: reads of bytes that nobody wrote, and pairs of
 * accesses to a word, one of them a write, that nothing orders.
 *
 * Order comes from cta barriers, syncs of a warp, and fences with strong accesses (order.h);
 * lanes of a warp are not ordered by lockstep. Strong accesses (atomics, volatile and relaxed ones
 * in global memory) don't race with each other, but for volatile data that another strong access
 * tells of without a fence. Two plain writes of the same value are let go: many kernels set a flag
 * that way.
 */
#include "common/simt/access/region/region.h"

#include <stdio.h>
#include <string.h>

#include "common/simt/checks/check.h"
#include "common/simt/checks/race/order.h"
#include "common/simt/checks/definedness.h"
#include "common/simt/state/findings.h"

enum { WORD_BYTES = 4 };

/* What of a value was not written. */
enum unwritten { ALL, PARTS, SOURCES };

/* The instruction `user` uses the value. */
static struct simt_sentence say_unwritten(const struct simt_sm *sm, const struct simt_side *here,
                                          const char *place, uint32_t user, enum unwritten what) {
    static const char *const words[] = {
        [ALL] = "nothing has been written there",
        [PARTS] = "only some of its bytes have been written",
        [SOURCES] = "what was stored there was made of elements that nobody had written",
    };
    struct simt_text at = simt_where(sm, here), used = simt_line_text(sm, user);
    char use[96] = "";
    if (strcmp(at.text, used.text) != 0)
        snprintf(use, sizeof use, " It is used in %.60s.", used.text);
    return simt_say("%s reads %s in %.60s, but %s: the value is what memory happens to hold.%s",
                    simt_who(sm, here).text, place, at.text, words[what], use);
}

static void report(struct simt_sm *sm, const struct simt_region *region, uint32_t index,
                   uint32_t lane, uint64_t offset, uint32_t user, enum unwritten what) {
    if (simt_findings_again(sm->findings, SIMT_FINDING_UNINITIALISED, index, index))
        return;
    struct simt_side here = simt_side_here(sm, index, lane, "reads");
    uint32_t bytes = ptx_type_bytes(sm->program->insns[index].type);
    struct simt_text place = simt_place_text(sm, region, offset, bytes);
    simt_findings_add(sm, SIMT_FINDING_UNINITIALISED, &here, NULL, place.text,
                      say_unwritten(sm, &here, place.text, user, what).text,
                      region->space == PTX_SHARED
                          ? "Let each element of shared memory be written before it is read, also "
                            "where the input ends."
                          : "Write or clear the buffer before the kernel reads it.");
}

void simt_report_uninitialised(struct simt_sm *sm, const struct simt_request *request,
                               const struct simt_region *region, uint32_t lane, uint64_t offset,
                               bool is_partly) {
    const uint32_t index = request->insn->index;
    const bool is_hollow = region->defined && region->defined[offset] == SIMT_HOLLOW;
    report(sm, region, index, lane, offset, index, is_partly ? PARTS : is_hollow ? SOURCES : ALL);
}

/* A shuffle's value from a lane that takes no part, used by another instruction. */
static void report_shuffled(struct simt_sm *sm, uint32_t index, uint32_t lane, uint32_t user) {
    if (simt_findings_again(sm->findings, SIMT_FINDING_SHUFFLE_INACTIVE, index, index))
        return;
    const struct simt_side here = simt_side_here(sm, index, lane, "shuffles");
    const struct simt_text where = simt_where(sm, &here), used = simt_line_text(sm, user);
    const bool is_elsewhere = strcmp(where.text, used.text) != 0;
    simt_findings_add(
        sm, SIMT_FINDING_SHUFFLE_INACTIVE, &here, NULL, "",
        simt_say("%s takes a value from a lane that does not take part in the shuffle (%s): what "
                 "it gets is undefined%s%.60s.",
                 simt_who(sm, &here).text, where.text, is_elsewhere ? ", and is used in " : "",
                 is_elsewhere ? used.text : "")
            .text,
        "Let all lanes that the mask names reach the shuffle, and name only lanes that exist and "
        "have not returned.");
}

void simt_report_unwritten(struct simt_sm *sm, const struct simt_undefined *value, uint32_t lane,
                           uint32_t user) {
    if (simt_is_shuffled(sm, value)) {
        report_shuffled(sm, value->load, lane, user);
        return;
    }
    const struct simt_region region = {.host = sm->shared, .space = PTX_SHARED};
    report(sm, &region, value->load, lane, value->offset[lane], user,
           value->hollow >> lane & 1 ? SOURCES : ALL);
}

/* Each lane's word was written. */
static bool all_words(const struct simt_request *request, const uint8_t *defined) {
    bool all = true;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t flags;
        memcpy(&flags, defined + request->offset[__builtin_ctz(rest)], sizeof flags);
        all &= simt_is_written(flags);
    }
    return all;
}

/* From here on each lane's word was written. */
static void set_words(const struct simt_request *request, uint8_t *defined) {
    const uint32_t flags = SIMT_WORD_WRITTEN;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1)
        memcpy(defined + request->offset[__builtin_ctz(rest)], &flags, sizeof flags);
}

/* Reports a read only if no byte of the element was written: nobody writes the padding of a
 * structure, and yet copies of the structure read it. An atomic takes all bytes for a number. */
static void check_defined(struct simt_sm *sm, const struct simt_request *request,
                          const struct simt_region *region) {
    static const uint8_t all[SIMT_LANES * 8] = {[0 ... SIMT_LANES * 8 - 1] = SIMT_WRITTEN};
    if (request->bytes == WORD_BYTES && request->insn->n_elements == 1 &&
        all_words(request, region->defined))
        return;
    if (request->is_dense && request->bytes <= 8 &&
        memcmp(region->defined + request->offset[0], all, SIMT_LANES * request->bytes) == 0)
        return;
    uint32_t element_bytes = ptx_type_bytes(request->insn->type);
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (unsigned e = 0; e < request->insn->n_elements; e++) {
            if (request->insn->rows[e] == SIMT_NO_ROW && request->touch == SIMT_READS)
                continue;
            uint64_t offset = request->offset[lane] + e * element_bytes;
            if (memchr(region->defined + offset, SIMT_PENDING, element_bytes))
                simt_copy_report(sm, request, region, lane, offset);
            else if (!memchr(region->defined + offset, SIMT_WRITTEN, element_bytes) &&
                     !simt_undefined_load(sm, request, e, lane, offset))
                simt_report_uninitialised(sm, request, region, lane, offset, false);
            else if (request->touch == SIMT_UPDATES &&
                     memcmp(region->defined + offset, all, element_bytes) != 0)
                simt_report_uninitialised(sm, request, region, lane, offset, true);
        }
    }
}

static void set_defined(const struct simt_request *request, const struct simt_region *region) {
    uint8_t *defined = region->defined;
    if (request->bytes == WORD_BYTES) {
        set_words(request, defined);
        return;
    }
    if (request->is_dense) {
        memset(defined + request->offset[0], SIMT_WRITTEN, SIMT_LANES * (size_t)request->bytes);
        return;
    }
    for (uint32_t rest = request->mask; rest; rest &= rest - 1)
        memset(defined + request->offset[__builtin_ctz(rest)], SIMT_WRITTEN, request->bytes);
}

/* Words that were all written, of threads that know all their values: the commonest request. */
static bool is_plain(const struct simt_sm *sm, const struct simt_request *request,
                     const uint8_t *defined) {
    uint32_t missing = 0;
    if (request->bytes != WORD_BYTES || request->insn->n_elements != 1 || sm->warp->n_undefined)
        return false;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t flags;
        memcpy(&flags, defined + request->offset[__builtin_ctz(rest)], sizeof flags);
        missing |= flags ^ SIMT_WORD_WRITTEN;
    }
    return !missing;
}

static struct simt_walk start_walk(struct simt_sm *sm, const struct simt_request *request,
                                   const struct simt_region *region) {
    const struct simt_insn *insn = request->insn;
    /* volatile orders nothing between threads; in shared memory it is the sign of code that
     * relies on lockstep, in global memory that of a flag. */
    bool is_strong = simt_is_strong(insn, request->touch, region->space == PTX_SHARED);
    struct simt_walk walk = {
        .sm = sm,
        .request = request,
        .region = region,
        .order = &sm->order,
        .stamp = simt_stamp(sm, insn) | (is_strong ? SIMT_STAMP_STRONG : 0),
        .is_volatile_load = is_strong && request->touch == SIMT_READS && sm->checker->handovers &&
                            ptx_has(insn->source, ISA_DOT_VOLATILE),
    };
    if (sm->checker->handovers && (is_strong || insn->is_strong) && !sm->spares)
        simt_handover_note(sm, request);
    sm->touched = true;
    return walk;
}

void simt_check_request(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region) {
    if (!region->cells.writers && !region->words)
        return;
    struct simt_walk walk = start_walk(sm, request, region);
    const bool is_spared = !region->words && simt_spares_shared(sm, request->touch);
    if (!region->words && !SIMT_EACH_IS_SEEN &&
        (is_spared ? is_plain(sm, request, region->defined) : simt_pass_shared(&walk)))
        return;
    uint32_t undefined = request->touch == SIMT_WRITES && sm->warp->n_undefined
                             ? simt_undefined_stored(sm, request->insn, request->mask)
                             : 0;
    if (region->words) {
        if (undefined)
            simt_undefined_seen(sm, request->insn, undefined);
        bool sees = sm->steps[request->insn->index].sees && sm->checker->handovers && !sm->spares;
        if (sees && request->touch == SIMT_UPDATES)
            simt_handover_see(&walk);
        simt_checks_access(sm, request, region);
        if (request->touch == SIMT_READS && request->insn->is_read_only)
            simt_check_read_only(sm, request, region);
        simt_check_global(&walk);
        if (sees && request->touch ==
                        SIMT_READS) /* afterwards: a load is not ordered by what it sees itself */
            simt_handover_see(&walk);
        return;
    }
    if (request->touch != SIMT_WRITES)
        check_defined(sm, request, region);
    if (request->touch != SIMT_READS)
        set_defined(request, region);
    simt_checks_access(sm, request, region);
    undefined = undefined ? simt_undefined_kept(sm, request->insn, undefined) : 0;
    for (uint32_t rest = undefined; rest;
         rest &= rest - 1) { /* who stores what nobody wrote leaves it so */
        const uint64_t offset = request->offset[__builtin_ctz(rest)];
        memset(region->defined + offset, SIMT_HOLLOW, request->bytes);
        simt_cells_undefine(&region->cells, offset, request->bytes);
        sm->checker->n_written = 0;
    }
    if (!is_spared)
        simt_check_shared(&walk);
    if (request->touch == SIMT_WRITES && simt_is_copy(request->insn))
        simt_copy_begin(sm, request, region);
}

/*
 * What a check is: the moments that it is told of, and memory of its own. findings.def lists the
 * checks and their files, which Meson builds; hooks.c tells them one after the other, in that
 * order. What only one check wants to be told of goes straight to it (state/hooks.h).
 *
 * A check tells a finding once for each pair of instructions, with who does what, the place (""
 * where it is no memory), a sentence and an advice. This file, with a row in findings.def, is a
 * whole check:
 *
 *   // What a kernel must not do, and why.
 *   #include "common/simt/checks/check.h"
 *
 *   static void barrier_differs(struct simt_sm *sm, const struct simt_arrival *arrival) {
 *       const uint32_t index = arrival->insn->index;
 *       const uint32_t lane = (uint32_t)__builtin_ctz(arrival->lanes);
 *       if (simt_findings_again(sm->findings, SIMT_FINDING_INVALID_SYNC, index, index))
 *           return;
 *       struct simt_side here = simt_side_here(sm, index, lane, "waits");
 *       struct simt_sentence told =
 *           simt_say("%s comes to barrier %u (%s) by a way of its own.", simt_who(sm, &here).text,
 *                    arrival->number, simt_where(sm, &here).text);
 *       simt_findings_add(sm, SIMT_FINDING_INVALID_SYNC, &here, NULL, "", told.text,
 *                         "Let all threads come to a barrier by one way.");
 *   }
 *
 *   const struct simt_check simt_check_plain = {.barrier_differs = barrier_differs};
 *
 * The functions for findings are in state/findings.h, what a slot and its warps have in state/sm.h.
 */
#pragma once

#include "common/simt/checks/checker.h"
#include "common/simt/state/findings.h"

/* Any function may be NULL. */
struct simt_check {
    /* Memory for what is kept of a slot: sm->checker->own, at this check's number. False where the
     * host has none. Closing takes what there is so far. */
    bool (*slot_open)(struct simt_sm *sm);
    void (*slot_close)(struct simt_sm *sm);

    /* A launch begins and ends to run; the device is destroyed. */
    void (*launch_begins)(struct simt *simt, struct simt_sm *first);
    void (*launch_ends)(struct simt *simt, struct simt_sm *first);
    void (*device_close)(struct simt *simt);

    /* A cta begins; lanes of the running warp come to a barrier where others have come by another
     * instruction, or whose number is above 15, and are not counted there yet; all that a barrier
     * waits for have come (which one, for how many threads, who came first: sm->barriers[id]). */
    void (*cta_begins)(struct simt_sm *sm);
    void (*barrier_differs)(struct simt_sm *sm, const struct simt_arrival *arrival);
    void (*barrier_opens)(struct simt_sm *sm, uint32_t id);

    /* A request in shared memory (region->words is NULL) or in global memory, before its bytes
     * move. Those that go quicker ways, in whole rows, are seen only by a check that findings.def
     * says EACH of: all of them then go the slow way. */
    void (*access)(struct simt_sm *sm, const struct simt_request *request,
                   const struct simt_region *region);
};

#define CHECK(file, name, sees) extern const struct simt_check simt_check_##name;
#include "common/simt/findings.def"
#undef CHECK

/* Whether some check has to see each access, so that there are no quicker ways. */
enum { SIMT_SEES_SOME, SIMT_SEES_EACH };
enum {
    SIMT_EACH_IS_SEEN = SIMT_SEES_SOME
#define CHECK(file, name, sees) || SIMT_SEES_##sees
#include "common/simt/findings.def"
#undef CHECK
};

/* hooks.c: tells the checks of a request. */
void simt_checks_access(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region);

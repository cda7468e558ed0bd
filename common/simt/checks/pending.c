/*
 * The copies that are on their way, of each warp, and the finding of a read that comes too early.
 */
#include "common/simt/checks/pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/memory/region.h"

/* A copy with room in the list of the running warp; NULL where the host has no memory: then the
 * copy is not looked at. */
static struct simt_copy *add(struct simt_warp *warp) {
    if (!warp->copies && !(warp->copies = calloc(1, sizeof *warp->copies)))
        return NULL;
    struct simt_copies *copies = warp->copies;
    if (copies->n == copies->room) {
        size_t room = copies->room ? 2 * copies->room : 8;
        struct simt_copy *list = realloc(copies->list, room * sizeof *list);
        if (!list)
            return NULL;
        copies->list = list;
        copies->room = room;
    }
    return &copies->list[copies->n++];
}

void simt_copy_begin(struct simt_sm *sm, const struct simt_request *request,
                     const struct simt_region *region) {
    struct simt_copy *copy = add(sm->warp);
    if (!copy)
        return;
    copy->index = request->insn->index;
    copy->bytes = request->bytes;
    copy->mask = request->mask;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        copy->offset[lane] = (uint32_t)request->offset[lane];
        copy->group[lane] = sm->warp->copies->n_groups[lane];
        memset(region->defined + request->offset[lane], SIMT_PENDING, request->bytes);
    }
}

void simt_copy_commit(struct simt_sm *sm, uint32_t lanes) {
    for (uint32_t rest = sm->warp->copies ? lanes : 0; rest; rest &= rest - 1)
        sm->warp->copies->n_groups[__builtin_ctz(rest)]++;
}

/* The bytes have come: the lane has just written them. */
static void arrive(struct simt_sm *sm, const struct simt_copy *copy, uint32_t lane) {
    uint32_t offset = copy->offset[lane];
    uint64_t thread = sm->warp->index * SIMT_LANES + lane;
    uint64_t index = copy->index < SIMT_STAMP_INDEX ? copy->index : SIMT_STAMP_INDEX;
    memset(sm->shared_defined + offset, SIMT_WRITTEN, copy->bytes);
    for (uint32_t at = 0; at < copy->bytes; at += 4)
        sm->shared_cells.writers[(offset + at) / 4] =
            *sm->now | thread << SIMT_STAMP_THREAD | SIMT_STAMP_BYTES | index;
    sm->touched = true;
}

void simt_copy_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n) {
    struct simt_copies *copies = sm->warp->copies;
    size_t n_left = 0;
    for (size_t i = 0; copies && i < copies->n; i++) {
        struct simt_copy *copy = &copies->list[i];
        for (uint32_t rest = copy->mask & lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (n != UINT32_MAX && (uint64_t)copy->group[lane] + n >= copies->n_groups[lane])
                continue;
            arrive(sm, copy, lane);
            copy->mask &= ~(UINT32_C(1) << lane);
        }
        if (copy->mask)
            copies->list[n_left++] = *copy;
    }
    if (copies)
        copies->n = n_left;
}

/* Whose copy brings a byte. */
static bool find(const struct simt_sm *sm, uint64_t offset, struct simt_side *side) {
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_copies *copies = sm->warps[w].copies;
        for (size_t i = 0; copies && i < copies->n; i++) {
            const struct simt_copy *copy = &copies->list[i];
            for (uint32_t rest = copy->mask; rest; rest &= rest - 1) {
                uint32_t lane = (uint32_t)__builtin_ctz(rest);
                if (offset - copy->offset[lane] >= copy->bytes)
                    continue;
                *side = (struct simt_side){.index = copy->index,
                                           .cta = sm->cta,
                                           .thread = w * SIMT_LANES + lane,
                                           .what = "copies (cp.async)"};
                return true;
            }
        }
    }
    return false;
}

void simt_copy_report(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region, uint32_t lane, uint64_t offset) {
    struct simt_side here = simt_side_here(sm, request->insn->index, lane, "reads"), other;
    if (!find(sm, offset, &other) ||
        simt_findings_again(sm->findings, SIMT_FINDING_SHARED_RACE, here.index, other.index))
        return;
    struct simt_text place =
        simt_place_text(sm, region, offset, ptx_type_bytes(request->insn->type));
    struct simt_text its = simt_thread_text(sm->grid, sm->block, &other);
    its.text[0] = 't';
    char message[384];
    snprintf(message, sizeof message,
             "%.60s reads %.60s (%.30s) while the copy by %.60s (cp.async, %.30s) may still be on "
             "its way: that thread has not waited for it.",
             simt_thread_text(sm->grid, sm->block, &here).text, place.text,
             simt_line_text(sm, here.index).text, its.text, simt_line_text(sm, other.index).text);
    simt_findings_add(sm, SIMT_FINDING_SHARED_RACE, &here, &other, place.text, message,
                      "Let the thread that copies wait for it (cp.async.wait_group, "
                      "__pipeline_wait_prior), then all threads meet at __syncthreads().");
}

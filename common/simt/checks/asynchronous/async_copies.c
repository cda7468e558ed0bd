/*
 * The copies of each warp that have not arrived, and the finding of a read that comes before they
 * have; the bulk copies that may still be reading shared memory, and the finding of a write that
 * comes before they have ended.
 */
#include "common/simt/checks/asynchronous/async_copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/access/region/region.h"
#include "common/simt/checks/check.h"
#include "common/simt/state/findings.h"

/* An access of what a copy may still write or read. */
struct hazard {
    const char *verb;   /* what the lane does too early: "reads" or "writes"; a literal */
    const char *opcode; /* of the copy */
    const char *where;  /* it goes, behind "the copy by thread 5 of block 0": " to global memory" */
    const char *state;  /* that it may still be in: "on its way" */
    const char *reason; /* why it may: "that thread has not waited for it" */
    const char *advice;
};

static struct simt_sentence say_copy(const struct simt_sm *sm, const struct simt_side *here,
                                     const struct simt_side *other, const char *place,
                                     const struct hazard *hazard) {
    return simt_say(
        "%.60s %s %.60s (%.30s) while the copy by %.60s%s (%s, %.30s) may still be %s: %s.",
        simt_who(sm, here).text, hazard->verb, place, simt_where(sm, here).text,
        simt_and_who(sm, other).text, hazard->where, hazard->opcode, simt_where(sm, other).text,
        hazard->state, hazard->reason);
}

static void report(struct simt_sm *sm, const struct simt_request *request,
                   const struct simt_region *region, uint32_t lane, uint64_t offset,
                   const struct simt_side *other, const struct hazard *hazard) {
    struct simt_side here = simt_side_here(sm, request->insn->index, lane, hazard->verb);
    if (simt_findings_again(sm->findings, SIMT_FINDING_SHARED_RACE, here.index, other->index))
        return;
    struct simt_text place =
        simt_place_text(sm, region, offset, ptx_type_bytes(request->insn->type));
    simt_findings_add(sm, SIMT_FINDING_SHARED_RACE, &here, other, place.text,
                      say_copy(sm, &here, other, place.text, hazard).text, hazard->advice);
}

/* A copy with room in the list of the running warp; NULL where the host has no memory: then the
 * copy is not looked at. */
static struct simt_copy *add(struct simt_warp *warp) {
    if (!warp->copies && !(warp->copies = calloc(1, sizeof *warp->copies)))
        return NULL;
    struct simt_copies *copies = warp->copies;
    struct simt_copy *list = grow_room(copies->list, copies->n, &copies->room, 8, sizeof *list);
    if (!list)
        return NULL;
    copies->list = list;
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
        simt_cells_undefine(&region->cells, request->offset[lane], request->bytes);
    }
}

void simt_copy_commit(struct simt_sm *sm, uint32_t lanes) {
    for (uint32_t rest = sm->warp->copies ? lanes : 0; rest; rest &= rest - 1)
        sm->warp->copies->n_groups[__builtin_ctz(rest)]++;
}

/* The bytes have come: the lane has just written them. */
static void arrive(struct simt_sm *sm, const struct simt_copy *copy, uint32_t lane) {
    uint32_t offset = copy->offset[lane];
    uint32_t thread = sm->warp->index * SIMT_LANES + lane;
    uint64_t index = copy->index < SIMT_STAMP_INDEX ? copy->index : SIMT_STAMP_INDEX;
    uint32_t slot =
        simt_shared_slot(sm, &sm->checker->shared_slots, *sm->now | SIMT_STAMP_BYTES | index) |
        thread;
    memset(sm->shared_defined + offset, SIMT_WRITTEN, copy->bytes);
    simt_cells_spread(&sm->shared_cells, offset / 4, copy->bytes / 4);
    for (uint32_t at = 0; at < copy->bytes; at += 4)
        sm->shared_cells.writers[(offset + at) / 4] = slot;
    sm->touched = true;
}

/* The copies of lanes, but for those of the last `n` groups, have come; to say so is left to the
 * lanes' mbarriers, where there are some. */
static void end_copies(struct simt_sm *sm, uint32_t lanes, uint32_t n, const uint32_t *barriers) {
    struct simt_copies *copies = sm->warp->copies;
    size_t n_left = 0;
    for (size_t i = 0; copies && i < copies->n; i++) {
        struct simt_copy *copy = &copies->list[i];
        for (uint32_t rest = copy->mask & lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (n != UINT32_MAX && (uint64_t)copy->group[lane] + n >= copies->n_groups[lane])
                continue;
            arrive(sm, copy, lane);
            if (barriers)
                simt_delivery_begin(sm, barriers[lane], copy->offset[lane], copy->bytes);
            copy->mask &= ~(UINT32_C(1) << lane);
        }
        if (copy->mask)
            copies->list[n_left++] = *copy;
    }
    if (copies)
        copies->n = n_left;
}

void simt_copy_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n) {
    end_copies(sm, lanes, n, NULL);
}

void simt_copy_tell(struct simt_sm *sm, uint32_t lanes, const uint32_t *barriers) {
    end_copies(sm, lanes, UINT32_MAX, barriers);
}

/* The parity of the mbarrier's phase: the upper bit of the object. */
static bool phase_of(const struct simt_sm *sm, uint32_t barrier) {
    return sm->shared[barrier + 7] >> 7;
}

/* One more delivery; bytes that follow the last one's become a part of it. NULL where the host has
 * no memory: then it is not looked at. */
static struct simt_delivery *add_delivery(struct simt_deliveries *all,
                                          const struct simt_delivery *fresh) {
    struct simt_delivery *last = all->n ? &all->list[all->n - 1] : NULL;
    if (last && last->barrier == fresh->barrier && last->phase == fresh->phase && !last->is_over &&
        last->offset + last->bytes == fresh->offset) {
        last->bytes += fresh->bytes;
        return last;
    }
    struct simt_delivery *list = grow_room(all->list, all->n, &all->room, 8, sizeof *list);
    if (!list)
        return NULL;
    all->list = list;
    all->list[all->n] = *fresh;
    return &all->list[all->n++];
}

static bool lies_in_shared(const struct simt_sm *sm, uint32_t offset, uint32_t bytes) {
    return sm->shared_bytes >= bytes && offset <= sm->shared_bytes - bytes;
}

void simt_delivery_begin(struct simt_sm *sm, uint32_t barrier, uint32_t offset, uint32_t bytes) {
    if (!lies_in_shared(sm, barrier, 8) || !lies_in_shared(sm, offset, bytes))
        return;
    struct simt_delivery fresh = {
        .offset = offset, .bytes = bytes, .barrier = barrier, .phase = phase_of(sm, barrier)};
    for (size_t i = 0; i < sm->checker->deliveries.n; i++) {
        struct simt_delivery *other = &sm->checker->deliveries.list[i];
        other->is_over |= other->barrier == barrier && other->phase != fresh.phase;
    }
    if (!add_delivery(&sm->checker->deliveries, &fresh))
        return;
    memset(sm->shared_defined + offset, SIMT_PENDING, bytes);
    simt_cells_undefine(&sm->shared_cells, offset, bytes);
}

void simt_delivery_end(struct simt_sm *sm, uint32_t barrier) {
    size_t n_left = 0;
    for (size_t i = 0; i < sm->checker->deliveries.n; i++) {
        const struct simt_delivery *one = &sm->checker->deliveries.list[i];
        if (one->barrier == barrier && (one->is_over || one->phase != phase_of(sm, barrier)))
            memset(sm->shared_defined + one->offset, SIMT_WRITTEN, one->bytes);
        else
            sm->checker->deliveries.list[n_left++] = *one;
    }
    sm->checker->deliveries.n = n_left;
}

/* Whose copy brings a byte; false: a mbarrier has been told of it. */
static bool find(const struct simt_sm *sm, uint64_t offset, struct simt_side *side) {
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_copies *copies = sm->warps[w].copies;
        for (size_t i = 0; copies && i < copies->n; i++) {
            const struct simt_copy *copy = &copies->list[i];
            for (uint32_t rest = copy->mask; rest; rest &= rest - 1) {
                uint32_t lane = (uint32_t)__builtin_ctz(rest);
                if (offset - copy->offset[lane] >= copy->bytes)
                    continue;
                side->index = copy->index;
                side->thread = w * SIMT_LANES + lane;
                return true;
            }
        }
    }
    simt_cells_spread(&sm->shared_cells, offset / 4, 1);
    uint64_t stamp = simt_shared_stamp(sm, sm->shared_cells.writers[offset / 4]);
    side->index = stamp & SIMT_STAMP_INDEX;
    side->thread = simt_stamp_thread(stamp);
    return false;
}

void simt_copy_report(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region, uint32_t lane, uint64_t offset) {
    struct simt_side copy = {.cta = sm->cta, .what = "copies (cp.async)"};
    bool by_thread = find(sm, offset, &copy);
    const struct hazard words = {
        .verb = "reads",
        .opcode = "cp.async",
        .where = "",
        .state = "on its way",
        .reason = by_thread ? "that thread has not waited for it"
                            : "no thread has waited for it at its mbarrier",
        .advice = by_thread ? "Let the thread that copies wait for it (cp.async.wait_group, "
                              "__pipeline_wait_prior), then all threads meet at __syncthreads()."
                            : "Let each thread that reads it wait at the mbarrier first "
                              "(mbarrier.try_wait, the wait of a cuda::barrier).",
    };
    report(sm, request, region, lane, offset, &copy, &words);
}

void simt_bulk_read_begin(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                          uint32_t offset, uint32_t bytes) {
    struct simt_bulk_reads *all = &sm->checker->bulk_reads;
    if (bytes == 0)
        return;
    struct simt_bulk_read *list = grow_room(all->list, all->n, &all->room, 8, sizeof *list);
    if (!list)
        return; /* the host has no memory: the copy is not looked at */
    all->list = list;
    all->list[all->n++] = (struct simt_bulk_read){
        .offset = offset,
        .bytes = bytes,
        .thread = sm->warp->index * SIMT_LANES + lane,
        .index = insn->index,
    };
}

/* It is a copy of one of these lanes of the running warp. */
static bool is_of(const struct simt_sm *sm, const struct simt_bulk_read *one, uint32_t lanes) {
    return one->thread / SIMT_LANES == sm->warp->index && lanes >> one->thread % SIMT_LANES & 1;
}

void simt_bulk_read_commit(struct simt_sm *sm, uint32_t lanes) {
    for (size_t i = 0; i < sm->checker->bulk_reads.n; i++)
        sm->checker->bulk_reads.list[i].age += is_of(sm, &sm->checker->bulk_reads.list[i], lanes);
}

/* The bytes have been read: the thread has just done so. A reader before it stays its rival. */
static void leave(struct simt_sm *sm, const struct simt_bulk_read *one) {
    const struct simt_cells *cells = &sm->shared_cells;
    uint64_t index = one->index < SIMT_STAMP_INDEX ? one->index : SIMT_STAMP_INDEX;
    uint32_t slot =
        simt_shared_slot(sm, &sm->checker->shared_slots, *sm->now | SIMT_STAMP_BYTES | index) |
        one->thread;
    simt_cells_spread(cells, one->offset / 4, one->bytes / 4);
    for (uint64_t word = one->offset / 4; word < (one->offset + one->bytes) / 4; word++) {
        if ((cells->readers[word] & SIMT_SHARED_THREADS) != one->thread)
            cells->rivals[word] = cells->readers[word];
        cells->readers[word] = slot;
    }
    sm->touched = true;
}

void simt_bulk_read_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n) {
    struct simt_bulk_reads *all = &sm->checker->bulk_reads;
    size_t n_left = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (is_of(sm, &all->list[i], lanes) && all->list[i].age > n)
            leave(sm, &all->list[i]);
        else
            all->list[n_left++] = all->list[i];
    }
    all->n = n_left;
}

static void report_overwrite(struct simt_sm *sm, const struct simt_request *request,
                             const struct simt_region *region, uint32_t lane,
                             const struct simt_bulk_read *one) {
    static const struct hazard words = {
        .verb = "writes",
        .opcode = "cp.async.bulk",
        .where = " to global memory",
        .state = "reading it",
        .reason = "that thread has not waited for it",
        .advice = "Let the thread that copies commit its group and wait for it "
                  "(cp.async.bulk.commit_group, then cp.async.bulk.wait_group.read 0), then all "
                  "threads meet at __syncthreads(), before anybody writes there.",
    };
    const struct simt_side copy = {.index = one->index,
                                   .cta = sm->cta,
                                   .thread = one->thread,
                                   .what = "copies (cp.async.bulk)"};
    report(sm, request, region, lane, request->offset[lane], &copy, &words);
}

/* Reports a request that writes what is being read. */
static void look(struct simt_sm *sm, const struct simt_request *request,
                 const struct simt_region *region) {
    size_t n = request->touch == SIMT_READS || region->words ? 0 : sm->checker->bulk_reads.n;
    for (size_t i = 0; i < n; i++) {
        const struct simt_bulk_read *one = &sm->checker->bulk_reads.list[i];
        if (request->high + request->bytes <= one->offset ||
            request->low >= (uint64_t)one->offset + one->bytes)
            continue;
        for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (request->offset[lane] + request->bytes > one->offset &&
                request->offset[lane] < (uint64_t)one->offset + one->bytes)
                report_overwrite(sm, request, region, lane, one);
        }
    }
}

static void slot_close(struct simt_sm *sm) {
    for (uint32_t w = 0; sm->warps && w < sm->n_warps; w++) {
        if (sm->warps[w].copies)
            free(sm->warps[w].copies->list);
        free(sm->warps[w].copies);
    }
    free(sm->checker->deliveries.list);
    free(sm->checker->bulk_reads.list);
}

static void cta_begins(struct simt_sm *sm) {
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        struct simt_copies *copies = sm->warps[w].copies;
        if (!copies)
            continue;
        copies->n = 0;
        memset(copies->n_groups, 0, sizeof copies->n_groups);
    }
    sm->checker->deliveries.n = sm->checker->bulk_reads.n = 0;
}

const struct simt_check simt_check_async_copies = {
    .slot_close = slot_close,
    .cta_begins = cta_begins,
    .access = look,
};

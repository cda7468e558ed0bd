/*
 * The list of bulk copies that may still be reading shared memory, and the finding of a write that
 * comes too early.
 */
#include "common/simt/checks/leaving.h"

#include "common/simt/checks/early.h"
#include "common/base/grow.h"
#include "common/simt/access/region.h"
#include "common/simt/checks/checker.h"

void simt_leaving_begin(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                        uint32_t offset, uint32_t bytes) {
    struct simt_leavings *all = &sm->checker->leavings;
    if (bytes == 0)
        return;
    struct simt_leaving *list = grow_room(all->list, all->n, &all->room, 8, sizeof *list);
    if (!list)
        return; /* the host has no memory: the copy is not looked at */
    all->list = list;
    all->list[all->n++] = (struct simt_leaving){
        .offset = offset,
        .bytes = bytes,
        .thread = sm->warp->index * SIMT_LANES + lane,
        .index = insn->index,
    };
}

/* It is a copy of one of these lanes of the running warp. */
static bool is_of(const struct simt_sm *sm, const struct simt_leaving *one, uint32_t lanes) {
    return one->thread / SIMT_LANES == sm->warp->index && lanes >> one->thread % SIMT_LANES & 1;
}

void simt_leaving_commit(struct simt_sm *sm, uint32_t lanes) {
    for (size_t i = 0; i < sm->checker->leavings.n; i++)
        sm->checker->leavings.list[i].age += is_of(sm, &sm->checker->leavings.list[i], lanes);
}

/* The bytes have been read: the thread has just done so. A reader before it stays its rival. */
static void leave(struct simt_sm *sm, const struct simt_leaving *one) {
    const struct simt_cells *cells = &sm->shared_cells;
    uint64_t index = one->index < SIMT_STAMP_INDEX ? one->index : SIMT_STAMP_INDEX;
    uint64_t stamp =
        *sm->now | (uint64_t)one->thread << SIMT_STAMP_THREAD | SIMT_STAMP_BYTES | index;
    for (uint64_t word = one->offset / 4; word < (one->offset + one->bytes) / 4; word++) {
        if (simt_stamp_thread(cells->readers[word]) != one->thread)
            cells->rivals[word] = cells->readers[word];
        cells->readers[word] = stamp;
    }
    sm->touched = true;
}

void simt_leaving_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n) {
    struct simt_leavings *all = &sm->checker->leavings;
    size_t n_left = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (is_of(sm, &all->list[i], lanes) && all->list[i].age > n)
            leave(sm, &all->list[i]);
        else
            all->list[n_left++] = all->list[i];
    }
    all->n = n_left;
}

static void report(struct simt_sm *sm, const struct simt_request *request,
                   const struct simt_region *region, uint32_t lane,
                   const struct simt_leaving *one) {
    static const struct simt_early words = {
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
    simt_report_early(sm, request, region, lane, request->offset[lane], &copy, &words);
}

void simt_leaving_check(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region) {
    for (size_t i = 0; i < sm->checker->leavings.n; i++) {
        const struct simt_leaving *one = &sm->checker->leavings.list[i];
        if (request->high + request->bytes <= one->offset ||
            request->low >= (uint64_t)one->offset + one->bytes)
            continue;
        for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (request->offset[lane] + request->bytes > one->offset &&
                request->offset[lane] < (uint64_t)one->offset + one->bytes)
                report(sm, request, region, lane, one);
        }
    }
}

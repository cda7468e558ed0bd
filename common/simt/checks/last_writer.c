/*
 * The last launches, and the last writes of the host between them, in the order of time.
 */
#include "common/simt/checks/last_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/checks/check.h"
#include "common/simt/memory/origin.h"
#include "common/simt/program/slice/slice.h"
#include "common/simt/state/module.h"

/* Of a launch with more turns than that nobody knows which block ran when: 4 MiB at most for all.
 */
enum { MOST_STEPS = 256, MOST_TURNS = 1 << 10 };

struct step {
    uint64_t first; /* the first stamp of a launch; the last one before a write of the host */
    const struct simt_kernel *kernel; /* NULL: the host writes */
    struct simt_dim3 grid, block;
    struct simt_turns turns;
    uint64_t address, bytes; /* of the host's */
};

struct simt_steps {
    struct step list[MOST_STEPS];
    size_t n;
};

static void forget_oldest(struct simt_steps *steps, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(steps->list[i].turns.list);
    steps->n -= n;
    memmove(steps->list, steps->list + n, steps->n * sizeof *steps->list);
}

void simt_steps_forget(struct simt_steps *steps) {
    if (steps)
        forget_oldest(steps, steps->n);
}

static void device_close(struct simt *simt) {
    simt_steps_forget(simt->space.steps);
    free(simt->space.steps);
}

/* Without memory for it nobody knows. */
static void add(struct simt *simt, const struct step *step) {
    struct simt_steps *steps = simt->space.steps;
    if (!steps)
        steps = simt->space.steps = calloc(1, sizeof *steps);
    if (!steps)
        return;
    if (steps->n == MOST_STEPS)
        forget_oldest(steps, MOST_STEPS / 4);
    steps->list[steps->n++] = *step;
}

static void launch_begins(struct simt *simt, struct simt_sm *first) {
    add(simt, &(struct step){.first = first->order.launch,
                             .kernel = first->kernel,
                             .grid = first->grid,
                             .block = first->block});
}

/* A copy of who ran when. */
static void launch_ends(struct simt *simt, struct simt_sm *first) {
    const struct simt_turns *turns = first->checker->turns;
    struct simt_steps *steps = simt->space.steps;
    if (!steps || steps->n == 0 || turns->is_full || turns->n > MOST_TURNS)
        return;
    struct simt_turns *copy = &steps->list[steps->n - 1].turns;
    copy->list = malloc((turns->n + 1) * sizeof *copy->list);
    copy->n = copy->list ? turns->n : 0;
    if (copy->n > 0)
        memcpy(copy->list, turns->list, copy->n * sizeof *copy->list);
}

void simt_steps_add_write(struct simt *simt, const struct simt_allocation *allocation,
                          uint64_t offset, uint64_t bytes) {
    if (simt->options.checks)
        add(simt, &(struct step){
                      .first = simt->now, .address = allocation->address + offset, .bytes = bytes});
}

/* The launch of a stamp; NULL where the host has written the word since, or the launch is
 * forgotten. */
static const struct step *launch_of(const struct simt_steps *steps, uint64_t stamp,
                                    uint64_t address) {
    for (size_t i = steps->n; i-- > 0;) {
        const struct step *step = &steps->list[i];
        if (step->kernel && stamp >= step->first)
            return step;
        if (!step->kernel && step->first >= (stamp & ~(SIMT_STAMP_TICK - 1)) &&
            address + 4 > step->address && address < step->address + step->bytes)
            return NULL;
    }
    return NULL;
}

/* NULL where what was written can't be told: no such memory, memory that the host shares, or a
 * launch that no check saw. */
static const struct simt_allocation *find(struct simt *simt, uint64_t address) {
    const struct simt_allocation *allocation = simt_space_find(&simt->space, address);
    const bool is_known = allocation && !simt->space.is_unsure && !allocation->is_mapped &&
                          !allocation->exposed_bytes;
    return is_known ? allocation : NULL;
}

static bool is_written(const struct simt_allocation *allocation, uint64_t word) {
    return allocation->is_defined || simt_host_word(allocation, word) ||
           (allocation->words && simt_written(allocation->words, word));
}

/* The stamp of the word's last writer; 0 where nobody knows. */
static uint64_t writer_stamp(const struct simt *simt, const struct simt_allocation *allocation,
                             uint64_t word) {
    const uint64_t *contexts = simt->space.contexts.stamps;
    if (!contexts || !allocation->words || !simt_written(allocation->words, word))
        return 0;
    const uint32_t slot = simt_get_word(allocation->words, word).writer;
    const bool is_known = !(slot & SIMT_SLOT_RIVAL) && slot >> SIMT_SLOT_CONTEXT;
    return is_known ? simt_slot_stamp(contexts, slot) : 0;
}

static struct simt_writer describe(const struct step *launch, uint64_t stamp) {
    struct simt_side side = {
        .index = stamp & SIMT_STAMP_INDEX, .thread = simt_stamp_thread(stamp), .what = "writes"};
    const uint64_t cta = simt_turns_find(&launch->turns, stamp, UINT64_MAX);
    const bool is_block_known = cta != UINT64_MAX;
    if (is_block_known)
        side.cta = simt_cta_of(launch->grid, cta);
    const struct simt_access access = simt_access_of(launch->kernel, launch->block, &side);
    struct simt_writer writer = {
        .kernel = launch->kernel->told_name.text, .file = access.file, .line = access.line};
    snprintf(writer.who, sizeof writer.who, "%s",
             is_block_known ? simt_thread_text(launch->grid, launch->block, &side).text
                            : "a thread");
    writer.who[0] = is_block_known ? 't' : 'a';
    const struct simt_program *program = launch->kernel->program;
    writer.n_behind = (unsigned)slice_behind(program->function, program->insns[side.index].source,
                                             SLICE_OF_VALUE, writer.behind, SIMT_MOST_BEHIND);
    return writer;
}

enum simt_writer_kind simt_last_writer(struct simt *simt, uint64_t address,
                                       struct simt_writer *writer) {
    const struct simt_allocation *allocation = find(simt, address);
    if (!allocation)
        return SIMT_WRITER_UNKNOWN;
    const uint64_t word = (address - allocation->address) / 4;
    if (!is_written(allocation, word))
        return SIMT_WRITER_NOBODY;
    const uint64_t stamp = writer_stamp(simt, allocation, word);
    const struct simt_steps *steps = simt->space.steps;
    const struct step *launch =
        steps && stamp ? launch_of(steps, stamp, allocation->address + word * 4) : NULL;
    if (!launch || (stamp & SIMT_STAMP_INDEX) >= launch->kernel->program->n_insns)
        return SIMT_WRITER_UNKNOWN;
    *writer = describe(launch, stamp);
    return writer->line > 0 ? SIMT_WRITER_KERNEL : SIMT_WRITER_UNKNOWN;
}

const struct simt_check simt_check_last_writer = {
    .launch_begins = launch_begins,
    .launch_ends = launch_ends,
    .device_close = device_close,
};

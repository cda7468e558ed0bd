/*
 * From counters per instruction to counters per source line; and traces: instructions become
 * events, one a line in a row, and shared memory becomes a picture at each barrier.
 */
#include "common/simt/run/counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/report/report.h"
#include "common/simt/state/module.h"

static int compare_lines(const void *left, const void *right) {
    return simt_lines_compare(left, right);
}

static bool is_empty(const struct simt_counters *counters) {
    static const struct simt_counters none;
    return memcmp(counters, &none, sizeof none) == 0;
}

/* Merges neighbours of the same line. */
static size_t merge(struct simt_line *lines, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept && simt_lines_compare(&lines[kept - 1], &lines[i]) == 0)
            simt_counters_add(&lines[kept - 1].counters, &lines[i].counters);
        else
            lines[kept++] = lines[i];
    }
    return kept;
}

void simt_counts_add(struct simt_sm *sum, const struct simt_sm *other) {
    for (uint32_t i = 0; i < sum->program->n_insns; i++) {
        struct simt_step *to = &sum->steps[i];
        const struct simt_step *from = &other->steps[i];
        to->entries += from->entries;
        to->lanes += from->lanes;
        to->warps += from->warps;
        to->threads += from->threads;
        simt_counters_add(&sum->counters[i], &other->counters[i]);
    }
}

enum simt_status simt_collect(const struct simt_sm *sm, struct simt_launch_report *report) {
    const struct simt_program *program = sm->program;
    struct simt_line *lines = calloc(program->n_insns + 1, sizeof *lines);
    if (!lines)
        return SIMT_NO_MEMORY;
    size_t n = 0;
    for (uint32_t i = 0; i < program->n_insns; i++) {
        const struct simt_step *step = &sm->steps[i];
        struct simt_counters *counters = &sm->counters[i];
        counters->warp_instructions += step->warps;
        counters->thread_instructions += step->threads;
        if (program->insns[i].flow == SIMT_FLOW_BRANCH)
            counters->branches += step->warps;
        for (uint32_t k = 0; k < step->straight && step->entries; k++) {
            sm->counters[i + k].warp_instructions += step->entries;
            sm->counters[i + k].thread_instructions += step->lanes;
        }
        /* Runs that started before i have been added by now, those that start behind don't touch
         * it. */
        if (is_empty(counters))
            continue;
        const struct ptx_insn *source = program->insns[i].source;
        counters->machine_instructions =
            counters->warp_instructions *
            isa_machine_instructions(source->opcode, source->modifiers, source->n_modifiers);
        const char *file = ptx_file_path(program->module, source->file);
        lines[n++] = (struct simt_line){file ? file : "", source->line, *counters};
        simt_counters_add(&report->total, counters);
    }
    n = merge(lines, n); /* most instructions are of the same line as the one before */
    qsort(lines, n, sizeof *lines, compare_lines);
    report->lines = lines;
    report->n_lines = merge(lines, n);
    return SIMT_OK;
}

static struct simt_event *add_event(struct simt_trace *trace) {
    struct simt_event *events = NULL;
    if (trace->n < SIMT_MAX_EVENTS)
        events = grow_room(trace->events, trace->n, &trace->room, 1024, sizeof *events);
    if (!events) {
        trace->n_dropped++;
        return NULL;
    }
    trace->events = events;
    return &trace->events[trace->n++];
}

void simt_trace_note(struct simt_sm *sm, uint32_t pc, uint32_t n, uint32_t mask) {
    struct simt_trace *trace = sm->trace;
    for (uint32_t i = pc; i < pc + n; i++) {
        const struct ptx_insn *source = simt_source(sm, i);
        const char *file = ptx_file_path(sm->program->module, source->file);
        struct simt_event *last = trace->n ? &trace->events[trace->n - 1] : NULL;
        if (last && !trace->n_dropped && last->cta == sm->cta_index &&
            last->warp == sm->warp->index && last->mask == mask && last->line == source->line &&
            last->file == file) {
            last->n++;
            continue;
        }
        struct simt_event *event = add_event(trace);
        if (event)
            *event = (struct simt_event){
                sm->cta_index, sm->warp->index, mask, 1, source->line, file,
            };
    }
}

/* The name of the only shared variable, or "shared". */
static void name_picture(const struct simt_program *program, struct simt_picture *picture) {
    struct simt_name name = {"shared"};
    if (program->n_shared == 1)
        name = simt_plain_name(program->shared[0].name);
    snprintf(picture->name, sizeof picture->name, "%.31s", name.text);
}

void simt_picture_take(struct simt_sm *sm, uint32_t pc) {
    struct simt_trace *trace = sm->traces;
    uint32_t n_words = sm->shared_bytes / sizeof(uint32_t);
    if (!trace || !trace->keeps_shared || sm->cta_index >= SIMT_PICTURED_CTAS || n_words == 0 ||
        trace->n_pictures == SIMT_MAX_PICTURES)
        return;
    struct simt_picture *pictures =
        grow_room(trace->pictures, trace->n_pictures, &trace->pictures_room, 16, sizeof *pictures);
    if (!pictures)
        return;
    trace->pictures = pictures;
    struct simt_picture *picture = &pictures[trace->n_pictures++];
    *picture = (struct simt_picture){.cta = sm->cta_index};
    picture->n_words = n_words < SIMT_PICTURE_WORDS ? n_words : SIMT_PICTURE_WORDS;
    memcpy(picture->words, sm->shared, picture->n_words * sizeof *picture->words);
    for (uint32_t i = 0; i < picture->n_words; i++) {
        uint32_t flags = UINT32_MAX;
        if (sm->shared_defined)
            memcpy(&flags, sm->shared_defined + i * sizeof flags, sizeof flags);
        picture->written |= (uint64_t)(flags != 0) << i;
    }
    name_picture(sm->program, picture);
    if (pc == UINT32_MAX)
        return;
    const struct ptx_insn *source = simt_source(sm, pc);
    picture->file = ptx_file_path(sm->program->module, source->file);
    picture->line = source->line;
}

/*
 * Traces: instructions become events, one a line in a row.
 */
#include "common/simt/run/trace.h"

#include "common/simt/run/sm.h"
#include "common/base/grow.h"

static struct simt_event *add(struct simt_trace *trace) {
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
        struct simt_event *event = add(trace);
        if (event)
            *event = (struct simt_event){
                sm->cta_index, sm->warp->index, mask, 1, source->line, file,
            };
    }
}

/*
 * Traces of chosen blocks.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "common/simt/tests/run/rig.h"

TestSuite(trace, .timeout = 20);

static const struct simt_launch_report *traced(struct rig *rig, const char *kernel, uint64_t first,
                                               uint64_t n_ctas, const void *params) {
    simt_options(rig->simt)->trace_first = first;
    simt_options(rig->simt)->trace_ctas = n_ctas;
    rig_pass(rig, kernel, 4, 64, 64 * 4, params);
    return &rig->report.launches[0];
}

RIG_TEST(trace, shows_the_parts_of_a_diverged_warp) {
    uint64_t out = rig_zeros(rig, "out", 64);
    const struct simt_launch_report *launch = traced(rig, "countdown", 2, 1, &out);
    unsigned line = rig_line("@countdown");
    uint32_t union_of_parts = 0;
    uint64_t instructions = 0;
    bool has_full = false, has_part = false;
    for (size_t i = 0; i < launch->n_events; i++) {
        const struct simt_event *event = &launch->events[i];
        cr_assert_eq(event->cta, 2);
        cr_assert_lt(event->warp, 2);
        instructions += event->n;
        if (event->line != line || event->warp != 0)
            continue;
        has_full |= event->mask == UINT32_MAX;
        has_part |= event->mask != UINT32_MAX;
        union_of_parts |= event->mask;
    }
    cr_expect(has_full && has_part);
    cr_expect_eq(union_of_parts, UINT32_MAX);
    cr_expect_eq(4 * instructions, launch->total.warp_instructions, "all blocks do the same");
    cr_expect_eq(launch->n_events_dropped, 0);
}

RIG_TEST(trace, is_left_out_unless_asked_for) {
    uint64_t out = rig_zeros(rig, "out", 64);
    cr_expect_eq(traced(rig, "countdown", 0, 0, &out)->n_events, 0);
    cr_expect_eq(traced(rig, "countdown", 4, 9, &out)->n_events, 0, "no such block");
}

RIG_TEST(trace, is_in_the_report_as_documented) {
    uint64_t out = rig_zeros(rig, "out", 64);
    const struct simt_launch_report *launch = traced(rig, "countdown", 0, 2, &out);
    size_t n_events = launch->n_events;
    char *text = simt_report_json(rig->simt);
    json_t *json = json_loads(text, 0, NULL);
    json_t *trace = json_object_get(json_array_get(json_object_get(json, "launches"), 0), "trace");
    json_t *events = json_object_get(trace, "events"), *row = json_array_get(events, 0);
    cr_assert_eq(json_array_size(events), n_events);
    int block, warp, line, n;
    json_int_t mask;
    const char *file;
    cr_assert_eq(json_unpack(row, "[i, i, s, i, I, i!]", &block, &warp, &file, &line, &mask, &n),
                 0);
    cr_expect_eq(block, 0);
    cr_expect_eq(mask, UINT32_MAX);
    cr_expect_gt(n, 0);
    json_decref(json);
    free(text);
}

/*
 * Traces of chosen blocks.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(trace, .timeout = 20);

static const struct simt_launch_report *traced(struct fixture *fixture, const char *kernel,
                                               uint64_t first, uint64_t n_ctas,
                                               const void *params) {
    simt_options(fixture->simt)->trace_first = first;
    simt_options(fixture->simt)->trace_ctas = n_ctas;
    fixture_pass(fixture, kernel, 4, 64, 64 * 4, params);
    return &fixture->report.launches[0];
}

FIXTURE_TEST(trace, shows_the_parts_of_a_diverged_warp) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    const struct simt_launch_report *launch = traced(fixture, "countdown", 2, 1, &out);
    unsigned line = fixture_line("@countdown");
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

FIXTURE_TEST(trace, is_left_out_unless_asked_for) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    cr_expect_eq(traced(fixture, "countdown", 0, 0, &out)->n_events, 0);
    cr_expect_eq(traced(fixture, "countdown", 4, 9, &out)->n_events, 0, "no such block");
}

FIXTURE_TEST(trace, is_in_the_report_as_documented) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    const struct simt_launch_report *launch = traced(fixture, "countdown", 0, 2, &out);
    size_t n_events = launch->n_events;
    char *text = simt_report_json(fixture->simt);
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

static const struct simt_launch_report *pictured(struct fixture *fixture, const char *kernel,
                                                 unsigned n_threads, const void *params) {
    simt_options(fixture->simt)->keeps_shared = true;
    cr_assert_eq(fixture_run(fixture, kernel, 9, n_threads, n_threads * 4, params), SIMT_OK);
    return &fixture->report.launches[0];
}

struct neighbour_params {
    uint64_t out;
    unsigned stride;
};

Test(trace, keeps_shared_memory_at_each_barrier_and_at_the_end) {
    struct fixture fixture;
    fixture_open(&fixture);
    struct neighbour_params params = {fixture_zeros(&fixture, "out", 8), 2};
    const struct simt_launch_report *launch = pictured(&fixture, "add_neighbour", 8, &params);
    const struct simt_picture *at = launch->pictures;
    cr_assert_eq(launch->n_pictures, 3 * SIMT_PICTURED_CTAS, "of nine blocks the first eight");
    for (unsigned i = 0; i < 8; i++) {
        cr_expect_eq(at[0].words[i], i, "after the load");
        cr_expect_eq(at[1].words[i], i % 4 == 0 ? 2 * i + 2 : i, "after the sum");
        cr_expect_eq(at[2].words[i], at[1].words[i], "at the end");
    }
    cr_expect_eq(at[1].n_words, 8);
    cr_expect_eq(at[1].written, 0xff);
    cr_expect_str_eq(at[1].name, "tile");
    cr_expect_lt(at[0].line, at[1].line);
    cr_expect_eq(at[2].line, 0);
    cr_expect_eq(at[3].cta, 1);
    fixture_close(&fixture);
}

Test(trace, keeps_no_shared_memory_unless_asked_for) {
    struct fixture fixture;
    fixture_open(&fixture);
    struct neighbour_params params = {fixture_zeros(&fixture, "out", 8), 2};
    cr_assert_eq(fixture_run(&fixture, "add_neighbour", 1, 8, 8 * 4, &params), SIMT_OK);
    cr_expect_eq(fixture.report.launches[0].n_pictures, 0);
    fixture_close(&fixture);
}

Test(trace, has_null_in_json_for_a_word_that_nobody_wrote) {
    struct fixture fixture;
    fixture_open(&fixture);
    struct neighbour_params params = {fixture_zeros(&fixture, "out", 8), 2};
    simt_options(fixture.simt)->keeps_shared = true;
    cr_assert_eq(fixture_run(&fixture, "add_neighbour", 1, 4, 8 * 4, &params), SIMT_OK);
    char *text = simt_report_json(fixture.simt);
    json_t *json = json_loads(text, 0, NULL);
    json_t *shared =
        json_object_get(json_array_get(json_object_get(json, "launches"), 0), "shared");
    json_t *words = json_object_get(json_array_get(shared, 0), "words");
    cr_assert_eq(json_array_size(words), 8);
    cr_expect_eq(json_integer_value(json_array_get(words, 3)), 3);
    cr_expect(json_is_null(json_array_get(words, 4)));
    json_decref(json);
    free(text);
    fixture_close(&fixture);
}

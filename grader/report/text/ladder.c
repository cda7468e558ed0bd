/*
 * Several ways to do the same, beside each other: what each costs, how many times less than the one
 * before it, and than the first. A test says in the manifest which rung its last call, or its time,
 * is of. On a GPU times; on the simulator, which has none, counts.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

enum { COLUMNS_OF_RUNG = 24, WIDE_PAGE = 80 };

/* What a rung costs; false where its test has nothing of the kind. */
typedef bool rung_cost(const json_t *test, double *cost);

static bool time_of(const json_t *test, double *cost) {
    const json_t *bench = json_array_get(json_object_get(test, "bench"), 0);
    *cost = json_number_value(json_object_get(bench, "median_ms"));
    return *cost > 0;
}

/* Of all launches of the test's last call. */
static json_int_t counted(const json_t *test, const char *counter) {
    json_int_t sum = 0;
    size_t index;
    json_t *launch;
    json_array_foreach(json_object_get(test, "launches"), index, launch) sum +=
        record_count(json_object_get(launch, "counters"), counter);
    return sum;
}

/* What was counted of a call that was wrong says nothing of its rung. */
static bool instructions_of(const json_t *test, double *cost) {
    *cost = (double)counted(test, "warp_instructions");
    return *cost > 0 && strcmp(record_text(test, "tier"), "technique") == 0 &&
           verdict_of_test(record_text(test, "verdict"))->kind == VERDICT_GOOD;
}

static void row(const struct render *render, const json_t *test, const char *cells,
                const double costs[2]) {
    OWNED char *name = text_format("%-*s", COLUMNS_OF_RUNG, record_text(test, "rung"));
    OWNED char *step = costs[1] > 0 ? text_format("%6.2f ×", costs[1]) : text_format("       –");
    OWNED char *all = costs[0] > 0 ? text_format("%6.2f ×", costs[0]) : text_format("       –");
    struct page_span spans[] = {
        {PAGE_PLAIN, name}, {PAGE_PLAIN, cells}, {PAGE_STRONG, step}, {PAGE_PLAIN, all}};
    page_spans(&render->page, 2, 4, spans, sizeof spans / sizeof *spans);
}

static void time_row(const struct render *render, const json_t *test, const double costs[2]) {
    const json_t *bench = json_array_get(json_object_get(test, "bench"), 0);
    OWNED char *cells =
        text_format(" %9.4f %8.2f", json_number_value(json_object_get(bench, "median_ms")),
                    json_number_value(json_object_get(bench, "gbps")));
    row(render, test, cells, costs);
}

static void count_row(const struct render *render, const json_t *test, const double costs[2]) {
    OWNED char *instructions = render_count(counted(test, "warp_instructions"));
    OWNED char *barriers = render_count(counted(test, "barriers"));
    OWNED char *conflicts = render_count(counted(test, "bank_conflicts"));
    OWNED char *cells = render->page.width < WIDE_PAGE
                            ? text_format(" %12s", instructions)
                            : text_format(" %12s %10s %9s", instructions, barriers, conflicts);
    row(render, test, cells, costs);
}

/* The rungs that have such a cost, under this heading. */
static void table(const struct render *render, const json_t *lab, rung_cost *cost_of,
                  void print(const struct render *, const json_t *, const double[2]),
                  const char *heading) {
    double first = 0, before = 0, cost;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        if (!*record_text(test, "rung") || !cost_of(test, &cost))
            continue;
        if (first == 0)
            page_text(&render->page, 2, PAGE_FAINT, "%-*s%s", COLUMNS_OF_RUNG, "", heading);
        print(render, test, (double[2]){first / cost, before / cost});
        first = first == 0 ? cost : first;
        before = cost;
    }
}

static size_t n_rungs(const json_t *lab, rung_cost *cost_of) {
    size_t n = 0, index;
    double cost;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) n +=
        *record_text(test, "rung") && cost_of(test, &cost);
    return n;
}

void render_ladder(const struct render *render, const json_t *lab) {
    bool has_times = n_rungs(lab, time_of) > 0, has_counts = n_rungs(lab, instructions_of) > 0;
    if (!has_times && !has_counts)
        return;
    render_heading(render, "the ladder");
    if (has_times)
        table(render, lab, time_of, time_row, "        ms     GB/s    step  in all");
    if (has_counts)
        table(render, lab, instructions_of, count_row,
              render->page.width < WIDE_PAGE
                  ? " instructions    step  in all"
                  : " instructions   barriers conflicts    step  in all");
    if (has_counts)
        page_text(&render->page, 2, PAGE_FAINT,
                  "Counted on the simulator, of all warps. Step and in all compare %s.",
                  has_times ? "times and instructions: waiting is in the times alone"
                            : "instructions; a GPU would compare times");
}

/* What was counted (the warps' work on the simulator) and what was measured (bandwidth as bars: a
 * full bar is what the device copies in the same time). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "common/simt/simt.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

enum { LINES_SHOWN = 3, LINES_SHOWN_VERBOSE = 8, COLUMNS_OF_NAME = 22, COLUMNS_OF_NUMBER = 12 };

static json_int_t counter(const json_t *launch, const char *name) {
    return record_count(json_object_get(launch, "counters"), name);
}

/* The TODO that the learner is at: the first one of which a test has failed; where none has, the
 * last one that technique tests ask for. 0 where tests have no TODO. */
static json_int_t current_todo(const json_t *lab) {
    json_int_t failing = 0, last = 0;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_int_t todo = record_count(test, "todo");
        bool has_failed = verdict_of_test(record_text(test, "verdict"))->kind == VERDICT_BAD;
        if (has_failed && todo > 0 && (failing == 0 || todo < failing))
            failing = todo;
        if (todo > last && strcmp(record_text(test, "tier"), "technique") == 0)
            last = todo;
    }
    return failing > 0 ? failing : last;
}

/* Its counts are those of some of its blocks alone. */
static bool is_sampled(const json_t *launch) {
    return strcmp(record_text(launch, "status"), "sampled") == 0;
}

/* How much a launch has to say: rather one of the current TODO, one that came to its end, one of a
 * technique test. */
static int worth(const json_t *test, const json_t *launch, json_int_t todo) {
    return 4 * (todo > 0 && record_count(test, "todo") == todo) +
           2 * (strcmp(record_text(launch, "status"), "ok") == 0) +
           (strcmp(record_text(test, "tier"), "technique") == 0);
}

/* The launch to show: of those worth most the busiest. */
static const json_t *choose(const json_t *lab, const json_t **of_test) {
    const json_t *best = NULL;
    const json_int_t todo = current_todo(lab);
    size_t index, k;
    json_t *test, *launch;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_array_foreach(json_object_get(test, "launches"), k, launch) {
            json_int_t busy = counter(launch, "warp_instructions");
            int more = best ? worth(test, launch, todo) - worth(*of_test, best, todo) : 1;
            if (busy == 0 || is_sampled(launch) || more < 0 ||
                (more == 0 && busy <= counter(best, "warp_instructions")))
                continue;
            best = launch;
            *of_test = test;
        }
    }
    return best;
}

static json_int_t product(const json_t *launch, const char *key) {
    json_int_t product = 1;
    for (size_t i = 0; i < 3; i++)
        product *= json_integer_value(json_array_get(json_object_get(launch, key), i));
    return product;
}

/* "name ........ 1,234   what it means here" */
static void row(const struct render *render, const char *name, json_int_t count, const char *note) {
    OWNED char *number = render_count(count);
    int blanks = COLUMNS_OF_NUMBER - (int)strlen(number);
    OWNED char *label = text_format("%-*s%*s", COLUMNS_OF_NAME, name, blanks > 0 ? blanks : 0, "");
    struct page_span spans[] = {
        {PAGE_PLAIN, label}, {PAGE_PLAIN, number}, {PAGE_PLAIN, "  "}, {PAGE_FAINT, note}};
    page_spans(&render->page, 2, 4 + COLUMNS_OF_NAME + COLUMNS_OF_NUMBER, spans, 4);
}

static char *per_warp(json_int_t count, json_int_t n_warps) {
    double each = n_warps > 0 ? (double)count / (double)n_warps : 0;
    if (each < 10000)
        return text_format("%.4g a warp", each);
    OWNED char *whole = render_count((json_int_t)each);
    return text_format("%s a warp", whole);
}

static void main_rows(const struct render *render, const json_t *launch) {
    json_int_t warps = product(launch, "grid") * ((product(launch, "block") + 31) / 32);
    json_int_t instructions = counter(launch, "warp_instructions");
    json_int_t branches = counter(launch, "branches");
    json_int_t divergent = counter(launch, "divergent_branches");
    json_int_t threads = counter(launch, "thread_instructions");
    json_int_t barriers = counter(launch, "barriers");
    OWNED char *each = per_warp(instructions, warps), *waits = per_warp(barriers, warps);
    OWNED char *busy = text_format("%.1f of 32 lanes busy",
                                   instructions ? (double)threads / (double)instructions : 0.0);
    OWNED char *share = text_format("%.1f %% of branches",
                                    branches ? 100.0 * (double)divergent / (double)branches : 0.0);
    row(render, "warp instructions", instructions, each);
    row(render, "thread instructions", threads, busy);
    row(render, "divergent branches", divergent, share);
    row(render, "barriers", barriers, waits);
}

/* A row where there is something to count. */
static void optional_row(const struct render *render, const char *name, json_int_t count,
                         json_int_t requests) {
    if (requests == 0)
        return;
    OWNED char *number = render_count(requests);
    OWNED char *note = text_format("%s request%s", number, requests == 1 ? "" : "s");
    row(render, name, count, note);
}

static void memory_rows(const struct render *render, const json_t *launch) {
    json_int_t loads = counter(launch, "shared_loads"), stores = counter(launch, "shared_stores");
    json_int_t wavefronts =
        counter(launch, "shared_load_wavefronts") + counter(launch, "shared_store_wavefronts");
    optional_row(render, "shared wavefronts", wavefronts, loads + stores);
    if (loads + stores > 0)
        row(render, "bank conflicts", counter(launch, "bank_conflicts"), "wavefronts too many");
    optional_row(render, "global sectors loaded", counter(launch, "global_load_sectors"),
                 counter(launch, "global_loads"));
    optional_row(render, "global sectors stored", counter(launch, "global_store_sectors"),
                 counter(launch, "global_stores"));
}

/* All counters with --verbose; else those that have a unit, where they are not 0. */
static void other_rows(const struct render *render, const json_t *launch) {
#define COUNTER_TEXT(name, unit, definition) {#name, unit, definition},
    static const struct {
        const char *name, *unit, *definition;
    } all[] = {SIMT_COUNTERS(COUNTER_TEXT)};
#undef COUNTER_TEXT
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        json_int_t count = counter(launch, all[i].name);
        OWNED char *words = text_replace(all[i].name, "_", " ");
        if (render->is_verbose)
            row(render, all[i].name, count, all[i].definition);
        else if (*all[i].unit && count > 0)
            row(render, words, count, all[i].unit);
    }
}

/* The hottest line of the student's file that is colder than `below`, or as hot and further down
 * than line `after`; NULL where there is none. */
static const json_t *next_hot(const json_t *lab, const json_t *launch, json_int_t below,
                              json_int_t after) {
    const json_t *best = NULL;
    size_t index;
    json_t *line;
    json_array_foreach(json_object_get(launch, "lines"), index, line) {
        json_int_t heat = counter(line, "warp_instructions"), number = record_count(line, "line");
        bool is_next = heat < below || (heat == below && number > after);
        if (heat > 0 && is_next && render_source_is_own(lab, record_text(line, "file")) &&
            (!best || heat > counter(best, "warp_instructions") ||
             (heat == counter(best, "warp_instructions") && number < record_count(best, "line"))))
            best = line;
    }
    return best;
}

/* How much of the work is in lines that are not the student's, and the last part of the name of a
 * file that has some of it. */
static json_int_t work_of_others(const json_t *lab, const json_t *launch, const char **file) {
    json_int_t sum = 0, most = 0;
    size_t index;
    json_t *line;
    json_array_foreach(json_object_get(launch, "lines"), index, line) {
        const char *path = record_text(line, "file");
        json_int_t work = counter(line, "warp_instructions");
        if (render_source_is_own(lab, path))
            continue;
        sum += work;
        if (work > most) {
            most = work;
            *file = file_base(path);
        }
    }
    return sum;
}

/* Where much is left that no line of the file accounts for. */
static void say_others(const struct render *render, const json_t *lab, const json_t *launch,
                       json_int_t total) {
    enum { WORTH_TELLING = 5 }; /* percent */
    const char *file = "";
    double percent = 100.0 * (double)work_of_others(lab, launch, &file) / (double)total;
    if (percent >= WORTH_TELLING)
        page_text(&render->page, 2, PAGE_FAINT,
                  "%.0f %% of the warp instructions are in other files, most in %s", percent, file);
}

static void hot_lines(const struct render *render, const json_t *lab, const json_t *launch) {
    json_int_t total = counter(launch, "warp_instructions"), below = total + 1, after = 0;
    int shown = render->is_verbose ? LINES_SHOWN_VERBOSE : LINES_SHOWN;
    const json_t *line;
    for (int i = 0; i < shown && (line = next_hot(lab, launch, below, after)); i++) {
        below = counter(line, "warp_instructions");
        after = record_count(line, "line");
        json_int_t divergent = counter(line, "divergent_branches");
        json_int_t conflicts = counter(line, "bank_conflicts");
        OWNED char *diverges = render_count(divergent), *conflict = render_count(conflicts);
        if (i == 0)
            page_text(&render->page, 2, PAGE_FAINT, "the lines of this file that cost most");
        render_source_line(render, 2, (unsigned)after, 0);
        page_text(&render->page, 11, PAGE_FAINT, "%.0f %% of the warp instructions%s%s%s%s%s",
                  100.0 * (double)below / (double)total, divergent ? ", diverges " : "",
                  divergent ? diverges : "",
                  divergent > 1 ? " times"
                  : divergent   ? " time"
                                : "",
                  conflicts ? ", bank conflicts: " : "", conflicts ? conflict : "");
    }
    if (total > 0)
        say_others(render, lab, launch, total);
}

void render_counters(const struct render *render, const json_t *lab) {
    const json_t *test = NULL, *launch = choose(lab, &test);
    if (!launch)
        return;
    OWNED char *grid = render_count(product(launch, "grid"));
    bool is_whole = strcmp(record_text(launch, "status"), "ok") == 0;
    render_heading(render, "what the warps did");
    page_text(&render->page, 2, PAGE_FAINT,
              "%s, %s block%s of %" JSON_INTEGER_FORMAT " threads, in %s%s",
              record_text(launch, "kernel"), grid, strcmp(grid, "1") == 0 ? "" : "s",
              product(launch, "block"), record_text(test, "name"),
              is_whole ? "" : ", until it was stopped");
    main_rows(render, launch);
    memory_rows(render, launch);
    other_rows(render, launch);
    hot_lines(render, lab, launch);
}

/* Questions of the file that no test has come to, since it failed before. */
static void say_open_questions(const struct render *render, size_t n_asked) {
    size_t n = 0;
    for (const char *at = render->source_text; at && (at = strstr(at, "const int predicted_"));
         at++)
        n++;
    if (n > n_asked)
        page_text(&render->page, 2, PAGE_FAINT,
                  "%zu more, once the tests pass that count for them.", n - n_asked);
}

void render_predictions(const struct render *render, const json_t *lab) {
    size_t index, k, n_answered = 0, n = 0;
    json_t *test, *prediction;
    json_array_foreach(json_object_get(lab, "tests"), index, test)
        json_array_foreach(json_object_get(test, "predictions"), k, prediction) {
        n_answered += json_is_true(json_object_get(prediction, "answered"));
        n++;
    }
    if (n == 0)
        return;
    /* Counted is what the student's own code does, right or wrong. */
    const bool passes = verdict_of_lab(record_text(lab, "verdict"))->kind == VERDICT_GOOD;
    render_heading(render, "predictions");
    if (n_answered == 0) {
        if (n == 1)
            page_text(&render->page, 2, PAGE_FAINT,
                      "The question at the top of the file is not answered yet.");
        else
            page_text(&render->page, 2, PAGE_FAINT,
                      "None of the %zu questions at the top of the file is answered yet.", n);
        return;
    }
    json_array_foreach(json_object_get(lab, "tests"), index, test)
        json_array_foreach(json_object_get(test, "predictions"), k, prediction) {
        bool is_right = json_is_true(json_object_get(prediction, "right"));
        bool is_answered = json_is_true(json_object_get(prediction, "answered"));
        const char *why = record_text(prediction, "explanation");
        OWNED char *counted = render_count(record_count(prediction, "counted"));
        OWNED char *predicted = render_count(record_count(prediction, "predicted"));
        OWNED char *said =
            is_right       ? text_format("You said %s, and so it is. %s", predicted, why)
            : !is_answered ? text_format("not answered")
            : passes
                ? text_format("You said %s; your code makes it %s. %s", predicted, counted, why)
                : text_format("You said %s; your code, which does not pass yet, "
                              "makes it %s. %s",
                              predicted, counted, why);
        struct page_span spans[] = {
            {is_right ? PAGE_GOOD : PAGE_WAITING, is_right ? "✓ " : "○ "},
            {PAGE_FAINT, record_text(prediction, "question")},
            {PAGE_PLAIN, " "},
            {PAGE_PLAIN, said},
        };
        page_spans(&render->page, 2, 4, spans, sizeof spans / sizeof *spans);
    }
    say_open_questions(render, n);
}

enum { NARROW_BAR = 16, WIDE_BAR = 36, WIDE_PAGE = 90 };

char *render_size(json_int_t n) {
    int exponent = 0;
    while (exponent < 62 && ((json_int_t)1 << exponent) < n)
        exponent++;
    if (n > 1024 && ((json_int_t)1 << exponent) == n)
        return text_format("2^%d", exponent);
    return render_count(n);
}

/* A bar of `columns` columns, filled by eighths. */
static char *bar(double share, int columns) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double filled = share < 0 ? 0 : share > 1 ? 1 : share;
    int n = (int)lround(filled * columns * 8), used = (n + 7) / 8;
    char *text = text_format("%s", "");
    for (int i = 0; i < columns; i++)
        text_add(&text, "%s", i < n / 8 ? "█" : i < used ? eighths[n % 8] : "·");
    return text;
}

/* Else it is a rate of evaluations, which no copy stands beside. */
static bool is_bandwidth(const json_t *bench) {
    return strcmp(record_text(bench, "unit"), "bytes") == 0;
}

/* The full bar: the device's copy, or its double-precision peak, each evaluation taken for one
 * multiply-add. */
static double share_of_bar(const json_t *bench) {
    double peak = json_number_value(json_object_get(bench, "peak_gbps"));
    if (is_bandwidth(bench))
        return json_number_value(json_object_get(bench, "share_of_copy"));
    return peak > 0 ? json_number_value(json_object_get(bench, "gbps")) / peak : 0;
}

static void bench_row(const struct render *render, const json_t *bench) {
    double share = share_of_bar(bench);
    const json_t *model = json_object_get(bench, "share_of_model");
    OWNED char *size = render_size(record_count(bench, "n"));
    OWNED char *cells = bar(share, render->page.width < WIDE_PAGE ? NARROW_BAR : WIDE_BAR);
    OWNED char *head = text_format("%-12s", size);
    OWNED char *speed =
        text_format(" %6.0f G%s/s", json_number_value(json_object_get(bench, "gbps")),
                    is_bandwidth(bench) ? "B" : "");
    OWNED char *shares =
        share > 0 ? text_format(" %5.0f %%", 100 * share) : text_format("       –");
    OWNED char *of_model = json_is_number(model)
                               ? text_format(" %5.0f %%", 100 * json_number_value(model))
                               : text_format("       –");
    struct page_span spans[] = {
        {PAGE_PLAIN, head},   {PAGE_BAR, cells},      {PAGE_STRONG, speed},
        {PAGE_PLAIN, shares}, {PAGE_PLAIN, of_model},
    };
    page_spans(&render->page, 2, 4, spans, sizeof spans / sizeof *spans);
    if (render->is_verbose)
        page_text(
            &render->page, 11, PAGE_FAINT,
            "median %.4g ms of %" JSON_INTEGER_FORMAT " runs, %.4g to %.4g ms, spread %.1f %%",
            json_number_value(json_object_get(bench, "median_ms")), record_count(bench, "samples"),
            json_number_value(json_object_get(bench, "min_ms")),
            json_number_value(json_object_get(bench, "max_ms")),
            100 * json_number_value(json_object_get(bench, "spread")));
}

void render_speed(const struct render *render, const json_t *lab) {
    size_t index, k;
    json_t *test, *bench;
    bool has_any = false;
    const char *bar_is = "";
    json_array_foreach(json_object_get(lab, "tests"), index, test)
        json_array_foreach(json_object_get(test, "bench"), k, bench) {
        if (*record_text(test, "rung"))
            continue; /* in the ladder */
        if (!has_any) {
            int columns = render->page.width < WIDE_PAGE ? NARROW_BAR : WIDE_BAR;
            render_heading(render, is_bandwidth(bench) ? "bandwidth" : "evaluations");
            page_text(&render->page, 2, PAGE_FAINT, "%-*s%12s %7s %7s", 12 + columns, "n", "",
                      is_bandwidth(bench) ? "of copy" : "of peak", "of model");
            bar_is = is_bandwidth(bench)
                         ? "A full bar is a copy of as many bytes, measured in the same run: "
                           "within the device, or to and from the host's memory at once."
                         : "A full bar is the device's peak of double-precision multiply-adds, of "
                           "which each evaluation takes several.";
        }
        has_any = true;
        bench_row(render, bench);
    }
    if (has_any)
        page_text(&render->page, 2, PAGE_FAINT, "Caches cold, median of fresh inputs. %s", bar_is);
}

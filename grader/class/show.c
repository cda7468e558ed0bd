/* Lines, a bar and a summary on a page. */
#include "grader/class/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

enum { BAR_COLUMNS = 60, BAR_CELLS = 20 };

void show_init(struct show *show, const struct options *options, size_t n_work_items) {
    *show = (struct show){
        .is_silent = options->is_quiet,
        .start_ms = process_clock_ms(),
        .n_work_items = n_work_items,
    };
    page_init(&show->page, options->is_quiet ? stderr : stdout, options->colour);
    show->has_bar = isatty(fileno(show->page.out));
}

static void clear_bar(const struct show *show) {
    if (show->has_bar)
        fputs("\r\x1b[K", show->page.out);
}

/* "1 h 5 min", "5 min", "40 s". */
static char *duration(double seconds) {
    const long minutes = lround(seconds / 60);
    if (seconds >= 3600)
        return text_format("%ld h %ld min", minutes / 60, minutes % 60);
    return seconds >= 90 ? text_format("%ld min", minutes) : text_format("%.0f s", seconds);
}

static void draw_bar(const struct show *show) {
    size_t n_done = show->n_done + show->n_elsewhere;
    if (!show->has_bar || show->n_work_items == 0 || show->n_done == show->n_work_items)
        return;
    double share = (double)n_done / (double)show->n_work_items;
    double seconds = (process_clock_ms() - show->start_ms) / 1e3;
    OWNED char *left = n_done > 0 ? duration(seconds / share - seconds) : text_format("?");
    size_t full = (size_t)(share * BAR_CELLS);
    fputs("\r\x1b[K", show->page.out);
    for (size_t i = 0; i < BAR_CELLS && show->page.width >= BAR_COLUMNS; i++)
        fputs(i < full ? "█" : "░", show->page.out);
    fprintf(show->page.out, " %zu of %zu files, %s left", n_done, show->n_work_items, left);
    fflush(show->page.out);
}

void show_start(struct show *show, const struct plan *plan, const char *journal) {
    size_t n_cells = 0;
    for (size_t i = 0; i < plan->roster->n * plan->labs->n; i++)
        n_cells += plan->cells[i].work != NULL;
    if (show->is_silent)
        return;
    OWNED char *device = device_text(&plan->session->device);
    page_text(&show->page, 0, PAGE_STRONG, "%zu student%s, %zu file%s", plan->roster->n,
              plan->roster->n == 1 ? "" : "s", n_cells, n_cells == 1 ? "" : "s");
    page_text(&show->page, 0, PAGE_FAINT, "on the %s", device);
    page_text(&show->page, 0, PAGE_FAINT, "journal %s", journal);
    if (plan->n_work_items < n_cells)
        page_text(&show->page, 0, PAGE_FAINT, "%zu are the same as others, and graded once",
                  n_cells - plan->n_work_items);
    if (show->n_work_items < plan->n_work_items)
        page_text(&show->page, 0, PAGE_FAINT, "%zu are in the journal already",
                  plan->n_work_items - show->n_work_items);
    page_blank(&show->page);
    draw_bar(show);
}

/* "01 ✓" or "01 ✓ late" for each lab. */
static char *marks(const struct plan *plan, size_t student, int *points) {
    char *text = text_format("%s", "");
    for (size_t lab = 0; lab < plan->labs->n; lab++) {
        const struct plan_cell *cell = plan_cell(plan, student, lab);
        const struct verdict *verdict = verdict_of_lab(plan_verdict(cell));
        if (!plan->has_lab[lab])
            continue;
        bool is_late = plan->roster->students[student].files[lab].is_late;
        text_add(&text, "  %.2s %s%s", plan->labs->items[lab].lab->name,
                 verdict ? render_mark(verdict->kind) : "?", is_late ? " late" : "");
        *points += cell->work ? cell->work->points : 0;
    }
    return text;
}

void show_student(struct show *show, const struct plan *plan, size_t student) {
    const struct roster_student *who = &plan->roster->students[student];
    int points = 0;
    if (show->is_silent)
        return;
    clear_bar(show);
    OWNED char *labs = marks(plan, student, &points);
    OWNED char *right = text_format("%d point%s", points, points == 1 ? "" : "s");
    OWNED char *name = strcmp(who->name, who->id) == 0 ? text_format("%s", who->id)
                                                       : text_format("%s (%s)", who->id, who->name);
    struct page_span left[] = {{PAGE_STRONG, name}, {PAGE_PLAIN, labs}};
    page_row(&show->page, 0, left, 2, (struct page_span){PAGE_PLAIN, right});
    for (size_t lab = 0; lab < plan->labs->n; lab++) {
        const struct plan_cell *cell = plan_cell(plan, student, lab);
        const char *reason = cell->work ? cell->work->reason : cell->reason;
        if (reason && strcmp(plan_verdict(cell), "missing") != 0)
            page_text(&show->page, 4, PAGE_WAITING, "%.2s: %s", plan->labs->items[lab].lab->name,
                      reason);
    }
    for (size_t i = 0; i < who->doubts.n; i++)
        page_text(&show->page, 4, PAGE_WAITING, "%s", who->doubts.items[i]);
    for (size_t i = 0; i < who->notes.n; i++)
        page_text(&show->page, 4, PAGE_WAITING, "%s", who->notes.items[i]);
    fflush(show->page.out);
    draw_bar(show);
}

void show_step(struct show *show) {
    show->n_done++;
    draw_bar(show);
}

void show_elsewhere(struct show *show, size_t n_work_items) {
    show->n_elsewhere = n_work_items;
    draw_bar(show);
}

void show_note(struct show *show, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *text = text_vformat(format, args);
    va_end(args);
    clear_bar(show);
    if (!show->is_silent)
        page_text(&show->page, 0, PAGE_FAINT, "%s", text);
    fflush(show->page.out);
    draw_bar(show);
}

/* How many cells of a lab have a verdict, and the mean of those with points; the lab is its number,
 * as in the students' lines. */
static void show_lab(const struct show *show, const struct plan *plan, size_t lab) {
    size_t n_pass = 0, n_missing = 0, n_open = 0, n_other = 0;
    double points = 0;
    for (size_t i = 0; i < plan->roster->n; i++) {
        const struct plan_cell *cell = plan_cell(plan, i, lab);
        const char *word = plan_verdict(cell);
        bool is_missing = strcmp(word, "missing") == 0;
        bool is_open = !*word || strcmp(word, "infrastructure") == 0;
        n_pass += strcmp(word, "pass") == 0;
        n_missing += is_missing;
        n_open += is_open;
        n_other += !is_missing && !is_open; /* also a file that is no text, with its 0 points */
        points += cell->work ? cell->work->points : 0;
    }
    OWNED char *open = n_open > 0 ? text_format(", %zu not graded", n_open) : NULL;
    OWNED char *left =
        text_format("%.2s  %zu passed, %zu not, %zu missing", plan->labs->items[lab].lab->name,
                    n_pass, n_other - n_pass, n_missing);
    OWNED char *right =
        n_other > 0 ? text_format("mean %.1f", points / (double)n_other) : text_format("%s", "");
    struct page_span spans[] = {{PAGE_PLAIN, left}, {PAGE_BAD, open}};
    page_row(&show->page, 2, spans, 2, (struct page_span){PAGE_PLAIN, right});
}

void show_end(struct show *show, const struct plan *plan, bool is_interrupted) {
    size_t n_late = 0, n_failed = 0;
    clear_bar(show);
    for (size_t i = 0; i < plan->roster->n * plan->labs->n; i++)
        n_late += plan->roster->students[i / plan->labs->n].files[i % plan->labs->n].is_late;
    for (size_t i = 0; i < plan->n_work_items; i++)
        n_failed += plan->work_items[i]->state == WORK_FAILED;
    if (show->is_silent)
        return;
    page_blank(&show->page);
    page_text(&show->page, 0, PAGE_STRONG, "The class");
    for (size_t lab = 0; lab < plan->labs->n; lab++) {
        if (plan->has_lab[lab])
            show_lab(show, plan, lab);
    }
    for (size_t i = 0; i < plan->roster->notes.n; i++)
        page_text(&show->page, 2, PAGE_WAITING, "%s", plan->roster->notes.items[i]);
    if (plan->roster->notes.has_losses)
        page_text(&show->page, 2, PAGE_BAD,
                  "Not all that was handed in could be read, by no fault of the students.");
    if (n_late > 0)
        page_text(&show->page, 2, PAGE_WAITING, "%zu file%s late", n_late,
                  n_late == 1 ? " is" : "s are");
    if (n_failed > 0)
        page_text(&show->page, 2, PAGE_BAD,
                  "%zu file%s could not be graded, by no fault of theirs; the same command tries "
                  "them again",
                  n_failed, n_failed == 1 ? "" : "s");
    if (is_interrupted)
        page_text(&show->page, 2, PAGE_BAD, "Interrupted; the same command %sgoes on from here.",
                  plan->session->options->regrade ? "without --regrade " : "");
}

/* "ann, ben" of an entry's students, and "cy" of the other side's. */
static char *names_of(const json_t *entry) {
    static const char *const sides[] = {"one", "other"};
    char *names = text_format("%s", "");
    for (size_t i = 0; i < 2; i++) {
        size_t index;
        json_t *id;
        json_array_foreach(json_object_get(json_object_get(entry, sides[i]), "students"), index, id)
            text_add(&names, "%s%s", *names ? ", " : "", json_string_value(id));
        const char *known =
            json_string_value(json_object_get(json_object_get(entry, sides[i]), "known"));
        if (known)
            text_add(&names, " and %s", known);
    }
    return names;
}

void show_alike(const struct show *show, const json_t *alike) {
    size_t n = json_array_size(alike);
    if (show->is_silent || n == 0)
        return;
    const json_t *first = json_array_get(alike, 0);
    OWNED char *names = names_of(first);
    OWNED char *others = n > 1 ? text_format(", and %zu pairs more", n - 1) : NULL;
    page_text(&show->page, 2, PAGE_WAITING,
              "More alike than the class is: %s (lab %.2s)%s; --json and --format html tell all",
              names, record_text(first, "lab"), others ? others : "");
}

/*
 * All that failed, in the order of telling: tests that failed for one reason are told of once, what
 * is wrong comes before what is not written yet, and the TODOs come in their order.
 */
#include "grader/report/text/failures.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/evidence/observe.h"
#include "grader/grade/record.h"

enum { FAILURES_SHOWN = 3, NAMES_SHOWN = 3 };

static enum verdict_kind kind_of(const json_t *test) {
    return verdict_of_test(record_text(test, "verdict"))->kind;
}

static bool has_failed(const json_t *test) {
    return kind_of(test) != VERDICT_GOOD && kind_of(test) != VERDICT_NOTHING;
}

/* True where two sentences differ in their numbers alone. */
static bool is_same_but_numbers(const char *a, const char *b) {
    static const char digits[] = "0123456789-";
    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* True where one edit mends both, in whatever words it is told. */
static bool is_same_edit(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"edit", "file", "line", "kernel", "from", "to"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
            return false;
    }
    return true;
}

/* What is told of a test that other tests may be told, too; NULL where that is of its numbers
 * alone. */
static const json_t *told_of(const json_t *test) {
    const json_t *diagnosis = json_object_get(test, "diagnosis");
    const bool is_shared =
        json_is_object(diagnosis) && !observe_is_of_numbers(record_text(diagnosis, "id"));
    return is_shared ? diagnosis : NULL;
}

/* True where two tests failed for the same reason: what one change mends is one, and so is a known
 * mistake, however it shows. */
static bool is_same(const json_t *a, const json_t *b) {
    const json_t *x = render_proven(a), *y = render_proven(b);
    if (x && y)
        return is_same_edit(x, y);
    x = told_of(a);
    y = told_of(b);
    if (x || y)
        return strcmp(record_text(x, "id"), record_text(y, "id")) == 0;
    return strcmp(record_text(a, "verdict"), record_text(b, "verdict")) == 0 &&
           is_same_but_numbers(record_text(a, "reason"), record_text(b, "reason"));
}

/* A wrong result in a test that asks for something else, such as that no state is kept. */
static bool is_wrong_by_the_way(const json_t *test) {
    const char *tier = record_text(test, "tier");
    return strcmp(record_text(test, "verdict"), "wrong_answer") == 0 &&
           strcmp(tier, "example") != 0 && strcmp(tier, "edge") != 0;
}

/* Of two tests that failed for one reason, one whose cause is known tells more; else one that asks
 * for results, where these are wrong; else the one with the smaller case; of two in blocks of one
 * size, rather one that fills it. */
static bool tells_more(const json_t *a, const json_t *b) {
    bool is_known = json_is_object(json_object_get(a, "diagnosis"));
    if (is_known != json_is_object(json_object_get(b, "diagnosis")))
        return is_known;
    if (is_wrong_by_the_way(a) != is_wrong_by_the_way(b))
        return is_wrong_by_the_way(b);
    const json_t *x = json_object_get(a, "case"), *y = json_object_get(b, "case");
    if (!json_is_object(x) || !json_is_object(y))
        return json_is_object(x) && !json_is_object(y);
    json_int_t n = record_count(x, "n"), block = record_count(x, "block");
    json_int_t m = record_count(y, "n"), other = record_count(y, "block");
    json_int_t larger = n > block ? n : block, other_larger = m > other ? m : other;
    if (larger != other_larger)
        return larger < other_larger;
    return (n == block) != (m == other) ? n == block : n < m;
}

/* What is wrong, what we could not judge, what is not written. */
static int rank(const struct failure *failure) {
    enum verdict_kind kind = kind_of(failure->test);
    return kind == VERDICT_WAITING ? 2 : kind == VERDICT_OURS ? 1 : 0;
}

/* Those of no TODO of their own come behind the others. */
static json_int_t todo(const struct failure *failure) {
    return failure->todo > 0 ? failure->todo : INT_MAX;
}

static int compare(const void *left, const void *right) {
    const struct failure *a = left, *b = right;
    if (rank(a) != rank(b))
        return rank(a) - rank(b);
    if (todo(a) != todo(b))
        return todo(a) < todo(b) ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Adds a test to the failure that it shares, or as one of its own. */
static void add(struct failures *failures, const json_t *test, size_t index) {
    json_int_t own_todo = record_count(test, "todo");
    for (size_t i = 0; i < failures->n; i++) {
        struct failure *failure = &failures->items[i];
        if (!is_same(failure->test, test))
            continue;
        if (tells_more(test, failure->test))
            failure->test = test;
        if (own_todo > 0 && (failure->todo == 0 || own_todo < failure->todo))
            failure->todo = own_todo;
        failure->n_tests++;
        return;
    }
    failures->items[failures->n++] =
        (struct failure){.test = test, .first = index, .n_tests = 1, .todo = own_todo};
}

void failures_init(struct failures *failures, const json_t *lab) {
    json_t *tests = json_object_get(lab, "tests"), *test;
    size_t index;
    *failures = (struct failures){.tests = tests};
    failures->items = calloc(json_array_size(tests) + 1, sizeof *failures->items);
    if (!failures->items)
        abort();
    json_array_foreach(tests, index, test) {
        if (has_failed(test))
            add(failures, test, index);
    }
    qsort(failures->items, failures->n, sizeof *failures->items, compare);
    while (failures->n_wrong < failures->n &&
           kind_of(failures->items[failures->n_wrong].test) != VERDICT_WAITING)
        failures->n_wrong++;
}

void failures_finish(struct failures *failures) {
    free(failures->items);
}

/* Most reasons begin with the function's name; sentences don't. */
static bool has_name(const json_t *test) {
    const char *reason = record_text(test, "reason");
    return *reason >= 'a' && *reason <= 'z';
}

/* True where two tests that failed for one reason may have it in two places: the same known
 * mistake, of two functions, and no edit mends both. */
static bool may_be_elsewhere(const json_t *a, const json_t *b) {
    return told_of(a) && !(render_proven(a) && render_proven(b)) && has_name(a) && has_name(b) &&
           !record_is_of_one_function(a, b);
}

bool failures_share(const struct failure *failure, const json_t *test, bool *is_elsewhere) {
    if (test == failure->test || !has_failed(test) || !is_same(failure->test, test))
        return test == failure->test;
    *is_elsewhere = may_be_elsewhere(failure->test, test);
    return true;
}

/* Names of the other tests that failed like the one that tells, the first few of them unless all
 * are wanted; NULL where there are none. `label` becomes what they are called. */
static char *others(const struct failures *failures, const struct failure *failure,
                    bool are_all_wanted, const char **label) {
    char *names = NULL;
    *label = "the same in";
    size_t n = 0, index;
    json_t *test;
    json_array_foreach(failures->tests, index, test) {
        bool is_elsewhere = false;
        if (test == failure->test || !failures_share(failure, test, &is_elsewhere))
            continue;
        if (is_elsewhere)
            *label = "likewise in";
        if (n++ >= NAMES_SHOWN && !are_all_wanted)
            continue;
        text_add(&names, "%s%s", names ? ", " : "", record_text(test, "name"));
    }
    if (n > NAMES_SHOWN && !are_all_wanted)
        text_add(&names, " and %zu more", n - NAMES_SHOWN);
    return names;
}

/* " · TODO 2" where the cause was seen in that region; else which TODO the test is about, for the
 * cause may lie in another one; or nothing. */
static char *todo_text(const struct render *render, const json_t *lab,
                       const struct failure *failure) {
    bool is_waiting = kind_of(failure->test) == VERDICT_WAITING;
    unsigned seen = is_waiting ? render_waiting_todo(render, failure->test)
                               : render_proven_todo(render, lab, failure->test);
    json_int_t about = record_count(failure->test, "todo");
    if (seen > 0)
        return text_format(" · TODO %u", seen);
    return about > 0 && !is_waiting ? text_format(" · test of TODO %" JSON_INTEGER_FORMAT, about)
                                    : text_format("%s", "");
}

/* All that is said of one of them: name, verdict, what was seen, which tests share it. */
static void show_failure(const struct render *render, const json_t *lab,
                         const struct failures *failures, size_t index) {
    const struct failure *failure = &failures->items[index];
    const struct verdict *verdict = verdict_of_test(record_text(failure->test, "verdict"));
    const char *label;
    OWNED char *where = todo_text(render, lab, failure);
    OWNED char *names = others(failures, failure, render->is_verbose, &label);
    struct page_span head[] = {
        {render_style(verdict->kind), render_mark(verdict->kind)},
        {PAGE_PLAIN, " "},
        {PAGE_STRONG, record_text(failure->test, "name")},
        {PAGE_PLAIN, "  "},
        {render_style(verdict->kind), verdict->label},
        {PAGE_FAINT, where},
    };
    struct page_span same = {PAGE_FAINT, names};
    page_spans(&render->page, 0, 2, head, sizeof head / sizeof *head);
    render_failure(render, lab, failure->test);
    if (names)
        page_labelled(&render->page, 2, label, &same, 1);
}

/* The same in a line. */
static void show_line(const struct render *render, const json_t *lab,
                      const struct failure *failure) {
    const struct verdict *verdict = verdict_of_test(record_text(failure->test, "verdict"));
    bool is_waiting = verdict->kind == VERDICT_WAITING;
    OWNED char *where = todo_text(render, lab, failure);
    OWNED char *count = failure->n_tests > 1 ? text_format(" · %zu tests", failure->n_tests)
                                             : text_format("%s", "");
    struct page_span spans[] = {
        {render_style(verdict->kind), render_mark(verdict->kind)},
        {PAGE_PLAIN, " "},
        {PAGE_PLAIN, record_text(failure->test, is_waiting ? "reason" : "name")},
        {PAGE_PLAIN, is_waiting ? "" : "  "},
        {render_style(verdict->kind), is_waiting ? "" : verdict->label},
        {PAGE_FAINT, where},
        {PAGE_FAINT, count},
    };
    page_spans(&render->page, 0, 2, spans, sizeof spans / sizeof *spans);
}

/* A line for each part that is not written. */
static void waiting(const struct render *render, const json_t *lab,
                    const struct failures *failures) {
    if (failures->n > failures->n_wrong)
        page_blank(&render->page);
    for (size_t i = failures->n_wrong; i < failures->n; i++)
        show_line(render, lab, &failures->items[i]);
}

void render_failures(const struct render *render, const json_t *lab) {
    OWNED_BY(failures_finish) struct failures failures;
    size_t n_left_out = 0;
    failures_init(&failures, lab);
    for (size_t i = 0; i < failures.n_wrong; i++) {
        if (i >= FAILURES_SHOWN && !render->is_verbose) {
            n_left_out += failures.items[i].n_tests;
            continue;
        }
        page_blank(&render->page);
        show_failure(render, lab, &failures, i);
    }
    if (failures.n_wrong > 1) {
        page_blank(&render->page);
        page_text(&render->page, 0, PAGE_FAINT,
                  "Begin with the first one: others may follow from it.");
    }
    if (n_left_out > 0) {
        page_blank(&render->page);
        page_text(&render->page, 0, PAGE_FAINT,
                  "%zu more fail%s for other reasons; --verbose shows each.", n_left_out,
                  n_left_out == 1 ? "s" : "");
    }
    waiting(render, lab, &failures);
}

size_t failures_count(const json_t *lab) {
    OWNED_BY(failures_finish) struct failures failures;
    failures_init(&failures, lab);
    return failures.n_wrong;
}

/* A page whose text is kept, to be counted and cut. */
struct draft {
    struct render render;
    char *text;
    size_t bytes;
};

static struct render *draft_open(struct draft *draft, const struct render *render) {
    *draft = (struct draft){.render = *render};
    draft->render.page.out = open_memstream(&draft->text, &draft->bytes);
    if (!draft->render.page.out)
        abort();
    return &draft->render;
}

static unsigned draft_close(struct draft *draft) {
    unsigned lines = 0;
    if (fclose(draft->render.page.out) != 0)
        abort();
    for (const char *at = draft->text; *at; at++)
        lines += *at == '\n';
    return lines;
}

/* A line for each failure but the one that is told, and for what is not written, as far as there
 * are lines. */
static void other_lines(const struct render *render, const json_t *lab,
                        const struct failures *failures, size_t focus, unsigned most) {
    size_t n_left_out = 0;
    for (size_t i = 0; i < failures->n; i++) {
        if (i == focus)
            continue;
        if (most > 0)
            show_line(render, lab, &failures->items[i]);
        else
            n_left_out++;
        most -= most > 0;
    }
    if (n_left_out > 0)
        page_text(&render->page, 0, PAGE_FAINT, "… and %zu more", n_left_out);
}

/* Prints a draft's first lines, and where the rest is. */
static void print_lines(const struct render *render, const struct draft *draft, unsigned lines,
                        const json_t *lab, const struct failure *failure) {
    const char *end = draft->text;
    for (unsigned i = 0; i < lines && *end; i++)
        end += strcspn(end, "\n") + 1;
    fwrite(draft->text, 1, (size_t)(end - draft->text), render->page.out);
    page_text(&render->page, 2, PAGE_FAINT, "… all of it: ./warpbook check %.2s --test %s",
              record_text(lab, "name"), record_text(failure->test, "name"));
}

/* One failure within so many lines: without the numbers of its case where they are too many, and
 * cut where it is too long even so. */
static void one_within(const struct render *render, const json_t *lab,
                       const struct failures *failures, size_t focus, unsigned room) {
    struct draft draft;
    struct render low = *render;
    show_failure(draft_open(&draft, render), lab, failures, focus);
    unsigned lines = draft_close(&draft);
    if (lines <= room) {
        fputs(draft.text, render->page.out);
        free(draft.text);
        return;
    }
    free(draft.text);
    low.is_low = true;
    show_failure(draft_open(&draft, &low), lab, failures, focus);
    lines = draft_close(&draft);
    print_lines(render, &draft, lines < room ? lines : room - 1, lab, &failures->items[focus]);
    free(draft.text);
}

void render_focus(const struct render *render, const json_t *lab) {
    OWNED_BY(failures_finish) struct failures failures;
    struct draft others;
    enum { FEWEST = 6 };
    failures_init(&failures, lab);
    size_t focus = render->focus < failures.n_wrong ? render->focus : 0;
    other_lines(draft_open(&others, render), lab, &failures, failures.n_wrong ? focus : SIZE_MAX,
                render->rows / 4 + 1);
    unsigned taken = draft_close(&others) + 2;
    unsigned room = render->rows > taken + FEWEST ? render->rows - taken : FEWEST;
    if (failures.n_wrong > 0) {
        page_blank(&render->page);
        one_within(render, lab, &failures, focus, room);
    }
    if (others.bytes > 0)
        page_blank(&render->page);
    fputs(others.text, render->page.out);
    free(others.text);
}

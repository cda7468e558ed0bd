/* A lab's report: its tests, then its parts, then the verdict. Also what the parts share: marks,
 * numbers, and lines of the student's file beside what is said about them. */
#include <stdlib.h>
#include <string.h>

#include "common/base/digest.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/grade/source/reading.h"
#include "grader/report/text/failures.h"
#include "grader/report/text/render.h"

char *render_source_load(const json_t *lab) {
    char *bytes = NULL, digest[DIGEST_TEXT];
    size_t n_bytes;
    if (file_read_source(record_text(lab, "path"), &bytes, &n_bytes, NULL) != GRADER_OK)
        return NULL;
    digest_of(bytes, n_bytes, digest);
    if (strcmp(digest, record_text(lab, "sha256")) != 0) { /* saved again meanwhile */
        free(bytes);
        return NULL;
    }
    return bytes;
}

bool render_source_is_own(const json_t *lab, const char *file) {
    return strcmp(file_base(file), file_base(record_text(lab, "path"))) == 0;
}

enum line_kind {
    LINE_BESIDE, /* cut at the edge */
    LINE_MEANT,  /* the one of several that the reader is to look at */
    LINE_ALONE,
};

static void print_line(const struct render *render, unsigned indent, unsigned number,
                       enum line_kind kind) {
    size_t bytes;
    const char *line = text_line(render->source_text, number, &bytes);
    if (!line)
        return;
    char *clean = text_clean(line, bytes, false);
    char *prefix = text_format("%s %4u │ ", kind == LINE_MEANT ? ">" : " ", number);
    (kind == LINE_BESIDE ? page_verbatim : page_code)(&render->page, indent, prefix,
                                                      kind == LINE_MEANT ? PAGE_PLAIN : PAGE_FAINT,
                                                      clean, strlen(clean));
    free(prefix);
    free(clean);
}

void render_source_line(const struct render *render, unsigned indent, unsigned line,
                        unsigned around) {
    if (!render->source_text || line == 0)
        return;
    unsigned first = line > around ? line - around : 1;
    for (unsigned number = first; number <= line + around; number++)
        print_line(render, indent, number,
                   around == 0      ? LINE_ALONE
                   : number == line ? LINE_MEANT
                                    : LINE_BESIDE);
}

void render_source_lines(const struct render *render, unsigned indent, const json_t *lines) {
    size_t bytes, n = 0;
    if (!render->source_text)
        return;
    for (unsigned number = 1; text_line(render->source_text, number, &bytes); number++) {
        if (!lines_have(lines, number > 1 ? number - 1 : 1, number + 1))
            continue;
        if (n++ > 0 && !lines_have(lines, number > 2 ? number - 2 : 1, number))
            page_text(&render->page, indent, PAGE_FAINT, "…");
        print_line(render, indent, number,
                   lines_have(lines, number, number) ? LINE_MEANT : LINE_BESIDE);
    }
}

static const struct {
    const char *message, *meaning;
} known[] = {
    {"has \"C\" linkage",
     "The function's parameters are no longer those of the lab's header. Lines outside the TODO "
     "regions stay as they came; ./warpbook reset brings them back, and keeps your work."},
    {"calling a constexpr __host__ function", "Kernels can't call functions of the CPU. Of two "
                                              "numbers of different types, as in fmax(0, x), C++ "
                                              "makes a call of the CPU's: write fmax(0.0, x)."},
    {"calling a __host__ function",
     "Kernels can't call functions of the CPU. Mark your own with __device__."},
    {"identifier \"printf\" is undefined", "printf wants #include <cstdio>."},
    {"identifier \"__reduce_", /* CUDA C++ Programming Guide, warp reduce functions: since 8.0 */
     "The labs are compiled for compute capability 7.5, and for your GPU beside it. What newer "
     "GPUs alone have goes behind #if __CUDA_ARCH__ >= 800, with another way in #else."},
    {"identifier \"__shfl", "Shuffles have names that end with _sync, and a mask, since Volta."},
};

void render_compiler(const struct render *render, const char *messages) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strstr(messages, known[i].message))
            page_text(&render->page, 0, PAGE_PLAIN, "%s", known[i].meaning);
    }
}

const char *render_mark(enum verdict_kind kind) {
    static const char *const marks[] = {
        [VERDICT_GOOD] = "✓",    [VERDICT_BAD] = "✗",  [VERDICT_WAITING] = "○",
        [VERDICT_NOTHING] = "–", [VERDICT_OURS] = "!",
    };
    return marks[kind];
}

enum page_style render_style(enum verdict_kind kind) {
    static const enum page_style styles[] = {
        [VERDICT_GOOD] = PAGE_GOOD,     [VERDICT_BAD] = PAGE_BAD,  [VERDICT_WAITING] = PAGE_WAITING,
        [VERDICT_NOTHING] = PAGE_FAINT, [VERDICT_OURS] = PAGE_BAD,
    };
    return styles[kind];
}

char *render_count(json_int_t count) {
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, count);
    char *text = text_format("%*s", n + n / 3 + 1, ""), *out = text;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0 && digits[i - 1] != '-')
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

void render_heading(const struct render *render, const char *text) {
    page_blank(&render->page);
    page_text(&render->page, 0, PAGE_STRONG, "%s", text);
}

static const char *short_name(const json_t *test) {
    return record_text(test, "name") + strlen(record_text(test, "tier")) + 1;
}

static const struct verdict *verdict_of(const json_t *test) {
    return verdict_of_test(record_text(test, "verdict"));
}

static void test_row(const struct render *render, const json_t *test) {
    const struct verdict *verdict = verdict_of(test);
    enum page_style style = render_style(verdict->kind);
    bool is_good = verdict->kind == VERDICT_GOOD;
    OWNED char *points =
        text_format("%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT, record_count(test, "points"),
                    record_count(test, "max_points"));
    struct page_span left[] = {
        {style, render_mark(verdict->kind)},    {PAGE_PLAIN, " "},
        {PAGE_PLAIN, short_name(test)},         {PAGE_PLAIN, is_good ? "" : "  "},
        {style, is_good ? "" : verdict->label},
    };
    page_row(&render->page, 2, left, sizeof left / sizeof *left,
             (struct page_span){is_good ? PAGE_PLAIN : style, points});
    if (render->is_verbose)
        page_text(&render->page, 4, PAGE_FAINT, "%s", record_text(test, "claim"));
}

/* Skipped tests in a row, with the same reason, in one paragraph. Returns how many there were. */
static size_t skipped_rows(const struct render *render, const json_t *tests, size_t first) {
    const json_t *test = json_array_get(tests, first);
    const char *reason = record_text(test, "reason"), *tier = record_text(test, "tier");
    size_t n = 0;
    OWNED char *names = NULL;
    for (; first + n < json_array_size(tests); n++) {
        const json_t *next = json_array_get(tests, first + n);
        if (verdict_of(next)->kind != VERDICT_NOTHING ||
            strcmp(record_text(next, "reason"), reason) != 0 ||
            strcmp(record_text(next, "tier"), tier) != 0)
            break;
        text_add(&names, "%s%s", names ? ", " : "", short_name(next));
    }
    struct page_span spans[] = {
        {PAGE_FAINT, "– "}, {PAGE_FAINT, names}, {PAGE_FAINT, "  skipped: "}, {PAGE_FAINT, reason}};
    page_spans(&render->page, 2, 4, spans, sizeof spans / sizeof *spans);
    return n;
}

static void test_list(const struct render *render, const json_t *lab) {
    const json_t *tests = json_object_get(lab, "tests");
    const char *tier = "";
    page_blank(&render->page);
    for (size_t i = 0; i < json_array_size(tests);) {
        const json_t *test = json_array_get(tests, i);
        if (strcmp(record_text(test, "tier"), tier) != 0) {
            tier = record_text(test, "tier");
            page_text(&render->page, 0, PAGE_STRONG, "%s", tier);
        }
        if (verdict_of(test)->kind == VERDICT_NOTHING) {
            i += skipped_rows(render, tests, i);
        } else {
            test_row(render, test);
            i++;
        }
    }
}

/* The test whose verdict all tests have that ran, where student code did not even start: said once
 * it says all. NULL where the tests differ. */
static const json_t *one_for_all(const json_t *lab) {
    const json_t *found = NULL;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const char *verdict = record_text(test, "verdict");
        if (verdict_of(test)->kind == VERDICT_NOTHING)
            continue;
        if (!verdict_is_of_whole_file(verdict) ||
            (found && strcmp(verdict, record_text(found, "verdict")) != 0))
            return NULL;
        found = found ? found : test;
    }
    return found;
}

static void title(const struct render *render, const json_t *lab) {
    const char *name = record_text(render->backend, "name");
    const char *reason = record_text(render->backend, "reason");
    const json_t *gpu = json_object_get(render->backend, "gpu");
    OWNED char *text =
        text_format("Lab %.2s · %s", record_text(lab, "name"), record_text(lab, "title"));
    page_text(&render->page, 0, PAGE_STRONG, "%s", text);
    page_text(&render->page, 0, PAGE_PLAIN, "%s", record_text(lab, "source"));
    if (strcmp(name, "gpu") == 0)
        page_text(&render->page, 0, PAGE_FAINT, "on the GPU (%s), %s", record_text(gpu, "name"),
                  reason);
    else
        page_text(&render->page, 0, PAGE_FAINT, "on the simulator: %s", reason);
}

/* Where somebody goes from here, and the last line. */
static void ending(const struct render *render, const json_t *lab) {
    const struct verdict *verdict = verdict_of_lab(record_text(lab, "verdict"));
    json_int_t skipped_points = record_count(lab, "skipped_points");
    page_blank(&render->page);
    if (verdict->kind == VERDICT_BAD || verdict->kind == VERDICT_WAITING) {
        OWNED char *command = text_format("./warpbook hint %.2s", record_text(lab, "name"));
        page_command(&render->page, 0, "next", command);
    }
    OWNED char *points = text_format("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " points",
                                     record_count(lab, "points"), record_count(lab, "max_points"));
    if (skipped_points > 0)
        page_text(&render->page, 0, PAGE_FAINT,
                  "%" JSON_INTEGER_FORMAT " point%s more in tests that were skipped.",
                  skipped_points, skipped_points == 1 ? "" : "s");
    struct page_span spans[] = {
        {PAGE_STRONG, points},
        {PAGE_PLAIN, " · "},
        {render_style(verdict->kind), verdict->label},
    };
    page_spans(&render->page, 0, 2, spans, sizeof spans / sizeof *spans);
}

/* The compiler's own words, as they are, and one line. */
static void compile_error(const struct render *render, const json_t *lab) {
    const char *messages = record_text(json_object_get(lab, "compile"), "messages");
    size_t length = strlen(messages);
    fputs(messages, render->page.out);
    if (length > 0 && messages[length - 1] != '\n')
        page_blank(&render->page);
    render_compiler(render, messages);
    struct page_span spans[] = {
        {PAGE_PLAIN, "Lab "},
        {PAGE_PLAIN, NULL},
        {PAGE_PLAIN, ": "},
        {PAGE_BAD, "does not compile"},
    };
    OWNED char *number = text_format("%.2s", record_text(lab, "name"));
    spans[1].text = number;
    page_spans(&render->page, 0, 2, spans, sizeof spans / sizeof *spans);
}

/* One line for a lab whose tests did not run. */
static void refused(const struct render *render, const json_t *lab) {
    const struct verdict *verdict = verdict_of_lab(record_text(lab, "verdict"));
    OWNED char *start = text_format("Lab %.2s: ", record_text(lab, "name"));
    struct page_span spans[] = {
        {PAGE_PLAIN, start},
        {render_style(verdict->kind), verdict->label},
        {PAGE_PLAIN, ". "},
        {PAGE_PLAIN, record_text(lab, "reason")},
    };
    page_spans(&render->page, 0, 2, spans, sizeof spans / sizeof *spans);
    if (strcmp(record_text(lab, "verdict"), "bad_file") == 0 &&
        strncmp(record_text(lab, "source"), "labs/", 5) == 0)
        page_text(&render->page, 0, PAGE_FAINT,
                  "./warpbook reset %.2s brings the skeleton back, and keeps your work.",
                  record_text(lab, "name"));
}

void render_lab(struct render *render, const json_t *lab) {
    const char *messages = record_text(json_object_get(lab, "compile"), "messages");
    if (strcmp(record_text(lab, "verdict"), "compile_error") == 0) {
        compile_error(render, lab);
        return;
    }
    if (json_array_size(json_object_get(lab, "tests")) == 0) {
        refused(render, lab);
        return;
    }
    const json_t *one = one_for_all(lab);
    render->source_text = render_source_load(lab);
    fputs(messages, render->page.out); /* warnings */
    title(render, lab);
    if (one) {
        page_blank(&render->page);
        page_text(&render->page, 0, PAGE_PLAIN, "%s", record_text(one, "reason"));
    } else {
        if (!render->is_brief)
            test_list(render, lab);
        if (render->is_brief && render->rows > 0)
            render_focus(render, lab);
        else
            render_failures(render, lab);
    }
    if (!one && !render->is_brief) {
        render_predictions(render, lab);
        render_counters(render, lab);
        render_timelines(render, lab);
        render_ladder(render, lab);
        render_speed(render, lab);
    }
    ending(render, lab);
    free(render->source_text);
    render->source_text = NULL;
}

void render_total(const struct render *render, const json_t *labs) {
    json_int_t points = 0, max_points = 0;
    size_t index;
    json_t *lab;
    if (json_array_size(labs) < 2)
        return;
    render_heading(render, "All labs");
    json_array_foreach(labs, index, lab) {
        const struct verdict *verdict = verdict_of_lab(record_text(lab, "verdict"));
        enum page_style style = render_style(verdict->kind);
        OWNED char *right =
            text_format("%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT,
                        record_count(lab, "points"), record_count(lab, "max_points"));
        struct page_span left[] = {
            {style, render_mark(verdict->kind)},
            {PAGE_PLAIN, " "},
            {PAGE_PLAIN, record_text(lab, "name")},
            {PAGE_PLAIN, "  "},
            {style, verdict->label},
        };
        page_row(&render->page, 2, left, sizeof left / sizeof *left,
                 (struct page_span){style, right});
        points += record_count(lab, "points");
        max_points += record_count(lab, "max_points");
    }
    page_text(&render->page, 0, PAGE_STRONG,
              "%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " points", points, max_points);
}

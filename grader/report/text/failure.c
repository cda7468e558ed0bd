/* What is said of one test that failed: what it saw, in which case, why, and how to see it again.
 */
#include "grader/report/text/render.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/evidence/observe.h"
#include "grader/grade/record.h"
#include "grader/grade/source/reading.h"

enum { FINDINGS_SHOWN = 2, OUTPUT_LINES = 8 };

static void labelled(const struct render *render, const char *label, enum page_style style,
                     const char *text) {
    struct page_span span = {style, text};
    page_labelled(&render->page, 2, label, &span, 1);
}

/* "block 3, thread 17", with all three indices where y or z is not 0. */
static char *place(const json_t *block, const json_t *thread) {
    char *texts[2];
    const json_t *triples[] = {block, thread};
    for (int i = 0; i < 2; i++) {
        json_int_t x = json_integer_value(json_array_get(triples[i], 0));
        json_int_t y = json_integer_value(json_array_get(triples[i], 1));
        json_int_t z = json_integer_value(json_array_get(triples[i], 2));
        texts[i] = y || z ? text_format("(%" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT
                                        ", %" JSON_INTEGER_FORMAT ")",
                                        x, y, z)
                          : text_format("%" JSON_INTEGER_FORMAT, x);
    }
    char *text = text_format("block %s, thread %s", texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    return text;
}

/* One side of a finding, with these lines where they are any; else with its own, which is not shown
 * again where `before` had it. */
static void access_line(const struct render *render, const json_t *lab, const json_t *access,
                        const json_t *before, const json_t *lines) {
    if (!json_is_object(access))
        return;
    unsigned line = (unsigned)record_count(access, "line");
    const char *what = record_text(access, "what"), *file = record_text(access, "file");
    char *who = place(json_object_get(access, "block"), json_object_get(access, "thread"));
    bool is_own = render_source_is_own(lab, file);
    char *where = line > 0 ? text_format("%s:%u: %s%s%s",
                                         is_own ? record_text(lab, "source") : file_base(file),
                                         line, who, *what ? " " : "", what)
                           : text_format("%s%s%s", who, *what ? " " : "", what);
    page_text(&render->page, 4, PAGE_PLAIN, "%s", where);
    if (is_own && json_array_size(lines) > 0)
        render_source_lines(render, 4, lines);
    else if (is_own && (!before || record_count(before, "line") != line))
        render_source_line(render, 4, line, 1);
    free(where);
    free(who);
}

/* "line 7", "lines 7, 8 and 12". */
static char *words_of_lines(const json_t *lines) {
    const size_t n = json_array_size(lines);
    char *text = text_format("%s", n == 1 ? "line" : "lines");
    for (size_t i = 0; i < n; i++)
        text_add(&text, "%s %" JSON_INTEGER_FORMAT,
                 i == 0       ? ""
                 : i == n - 1 ? " and"
                              : ",",
                 json_integer_value(json_array_get(lines, i)));
    return text;
}

/* The lines that are none of `shown`. */
static json_t *without(const json_t *lines, const json_t *shown) {
    json_t *others = json_array();
    for (size_t i = 0; i < json_array_size(lines); i++) {
        json_t *line = json_array_get(lines, i);
        const unsigned at = (unsigned)json_integer_value(line);
        if (!lines_have(shown, at, at))
            json_array_append(others, line);
    }
    return others;
}

/* ", launched in line 7, with values set in line 5, named in line 3" as far as that is known of
 * what a kernel did; else "". */
static char *launched_in(const json_t *what) {
    static const char *const keys[] = {"launched", "handed", "named"};
    static const char *const before[] = {", launched in ", ", with values set in ", ", named in "};
    char *text = text_format("%s", "");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *lines = json_object_get(what, keys[i]);
        OWNED char *words = words_of_lines(lines);
        if (json_array_size(lines) > 0)
            text_add(&text, "%s%s", before[i], words);
    }
    return text;
}

/* A finding of a test. What its reason has said is not said again, and the general advice not where
 * the lab knows better. */
static void finding(const struct render *render, const json_t *lab, const json_t *test,
                    const json_t *finding) {
    const json_t *here = json_object_get(finding, "here");
    const json_t *other = json_object_get(finding, "other");
    const char *message = record_text(finding, "message");
    json_int_t count = record_count(finding, "count");
    page_part(&render->page);
    if (!strstr(record_text(test, "reason"), message))
        page_text(&render->page, 2, PAGE_PLAIN, "%s", message);
    const json_t *lines = json_object_get(finding, "lines");
    const bool has_lines = json_array_size(lines) > 0;
    access_line(render, lab, here, other, lines);
    access_line(render, lab, other, has_lines ? here : NULL, NULL);
    OWNED char *launched = launched_in(finding);
    OWNED char *times = render_count(count);
    if (count > 1)
        page_text(&render->page, 4, PAGE_FAINT, "seen %s times in %s%s", times,
                  record_text(finding, "kernel"), launched);
    else if (*launched)
        page_text(&render->page, 4, PAGE_FAINT, "in %s%s", record_text(finding, "kernel"),
                  launched);
    if (*record_text(finding, "advice") && !json_is_object(json_object_get(test, "diagnosis")))
        page_text(&render->page, 2, PAGE_FAINT, "%s", record_text(finding, "advice"));
}

static void findings(const struct render *render, const json_t *lab, const json_t *test) {
    const json_t *list = json_object_get(test, "findings");
    size_t n = json_array_size(list), index;
    size_t shown = render->is_verbose || n < FINDINGS_SHOWN ? n : FINDINGS_SHOWN;
    for (index = 0; index < shown; index++)
        finding(render, lab, test, json_array_get(list, index));
    if (n > shown)
        page_text(&render->page, 2, PAGE_FAINT, "%zu more finding%s; --verbose shows all.",
                  n - shown, n - shown == 1 ? "" : "s");
}

/* The owner of a wrong element, as far as it is known: " (block 3, thread 17)". */
static char *owner(const json_t *mismatch) {
    static const char *const keys[] = {"launch", "block", "thread"};
    char *text = text_format("%s", "");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(mismatch, keys[i]);
        if (json_is_integer(value))
            text_add(&text, "%s%s %" JSON_INTEGER_FORMAT, *text ? ", " : "", keys[i],
                     json_integer_value(value));
    }
    return text;
}

static void mismatch(const struct render *render, const json_t *test) {
    const json_t *mismatch = json_object_get(test, "mismatch");
    bool is_written = json_is_string(json_object_get(mismatch, "got"));
    OWNED char *who = owner(mismatch);
    OWNED char *text = text_format("%s[%" JSON_INTEGER_FORMAT "]: expected %s, got %s%s%s%s",
                                   record_text(mismatch, "what"), record_count(mismatch, "index"),
                                   record_text(mismatch, "expected"),
                                   is_written ? record_text(mismatch, "got") : "nothing",
                                   *who ? " (" : "", who, *who ? ")" : "");
    labelled(render, "mismatch", PAGE_PLAIN, text);
}

/* What a case is: in the lab's words, else by n and block. */
static char *case_words(const json_t *c, const char *n) {
    const char *words = json_string_value(json_object_get(c, "words"));

    return words
               ? text_format("%s", words)
               : text_format("n = %s, block = %" JSON_INTEGER_FORMAT, n, record_count(c, "block"));
}

static void smallest_case(const struct render *render, const json_t *test) {
    const json_t *c = json_object_get(test, "case");
    json_int_t n_passed = record_count(test, "cases_passed");
    OWNED char *digits = text_format("%" JSON_INTEGER_FORMAT, record_count(c, "n"));
    OWNED char *said = case_words(c, digits);
    bool is_said = n_passed == 0 && strstr(record_text(test, "reason"), said) &&
                   !json_is_object(json_object_get(test, "mismatch"));
    if (!json_is_object(c) || is_said)
        return;
    OWNED char *n = render_count(record_count(c, "n"));
    OWNED char *words = case_words(c, n);
    OWNED char *passed = n_passed > 0 ? text_format("; %" JSON_INTEGER_FORMAT " case%s passed",
                                                    n_passed, n_passed == 1 ? "" : "s")
                                      : text_format("%s", "");
    OWNED char *text = text_format("%s%s", words, passed);
    labelled(render, "smallest case", PAGE_PLAIN, text);
}

static const char *relation(const char *sign) {
    return strcmp(sign, "<=") == 0 ? "at most " : strcmp(sign, ">=") == 0 ? "at least " : "";
}

/* "in lines 19 (89 %), 23 (11 %) of all launches": where most was counted of what a check counts.
 * The check itself may be of one launch, or of a block. */
static void shares(const struct render *render, const json_t *check) {
    const json_t *list = json_object_get(check, "shares"), *share;
    OWNED char *text = NULL;
    size_t index;
    json_array_foreach(list, index, share) {
        text_add(&text, "%s%" JSON_INTEGER_FORMAT " (%" JSON_INTEGER_FORMAT " %%)",
                 index > 0                   ? ", "
                 : json_array_size(list) > 1 ? "in lines "
                                             : "in line ",
                 json_integer_value(json_array_get(share, 0)),
                 json_integer_value(json_array_get(share, 1)));
    }
    if (!text)
        return;
    text_add(&text, " of all launches");
    labelled(render, "most of it", PAGE_PLAIN, text);
}

/* What the lab's idea asks for, what was counted, and where. */
static void technique(const struct render *render, const json_t *test) {
    size_t index;
    json_t *check;
    bool is_shown = false;
    json_array_foreach(json_object_get(test, "technique"), index, check) {
        if (json_is_true(json_object_get(check, "holds")))
            continue;
        OWNED char *got = render_count(record_count(check, "got"));
        OWNED char *wanted = render_count(record_count(check, "wanted"));
        OWNED char *text = text_format("%s: %s, wanted %s%s", record_text(check, "what"), got,
                                       relation(record_text(check, "relation")), wanted);
        labelled(render, "counted", PAGE_PLAIN, text);
        shares(render, check);
        if (!is_shown)
            render_source_lines(render, 4, json_object_get(check, "lines"));
        is_shown = true;
    }
}

/* What the student's code printed, quoted so that nobody takes it for the grader's words. */
static void output(const struct render *render, const json_t *test) {
    const char *text = record_text(test, "output");
    json_int_t dropped = record_count(test, "output_dropped");
    unsigned shown = 0;
    size_t bytes;
    if (!*text)
        return;
    page_over(&render->page, 2, "your code printed");
    const char *line;
    while (shown < OUTPUT_LINES && (line = text_line(text, shown + 1, &bytes))) {
        page_verbatim(&render->page, 4, "│ ", PAGE_PLAIN, line, bytes);
        shown++;
    }
    if (dropped > 0 || text_line(text, shown + 1, &bytes))
        page_text(&render->page, 4, PAGE_FAINT, "│ … (cut)");
}

/* True where the test's sentence says what is to be left out. */
static bool is_reason_hidden(const struct render *render, const json_t *test) {
    return ((render->hidden & RENDER_CASE) && json_is_object(json_object_get(test, "case"))) ||
           ((render->hidden & RENDER_FINDINGS) &&
            (json_array_size(json_object_get(test, "findings")) > 0 ||
             json_array_size(json_object_get(test, "technique")) > 0));
}

/* Where the wrong element was set, and by whom, where nothing else points to a line. */
static void setters(const struct render *render, const json_t *test) {
    const json_t *mismatch = json_object_get(test, "mismatch");
    const json_t *stored = json_object_get(mismatch, "stored");
    const json_t *lines = json_object_get(mismatch, "lines");
    const json_t *news = json_object_get(mismatch, "news");
    if (json_array_size(lines) == 0)
        return;
    OWNED char *launched = launched_in(mismatch), *new = words_of_lines(news);
    OWNED char *text = json_is_object(stored)
                           ? text_format("by %s of %s%s, in line %u", record_text(stored, "who"),
                                         record_text(stored, "kernel"), launched,
                                         (unsigned)record_count(stored, "line"))
                           : text_format("where %s is set or used, and what goes into it",
                                         record_text(mismatch, "what"));
    if (json_is_object(stored) || json_array_size(news) == 0)
        labelled(render, json_is_object(stored) ? "last stored" : "look at", PAGE_PLAIN, text);
    if (json_array_size(news) > 0) {
        OWNED char *said = text_format("%s ran in none of the cases that passed", new);
        labelled(render, "new here", PAGE_PLAIN, said);
    }
    json_auto_t *others = without(lines, json_object_get(json_object_get(test, "host"), "asked"));
    render_source_lines(render, 4, others);
}

/* Of what the host's code did, the line and those that led there. */
static char *words_of_host(const json_t *host, const json_t *lines) {
    const char *did = record_text(host, "did");
    const bool is_accepted = strcmp(did, "accepted") == 0;
    if (is_accepted || strcmp(did, "returned") == 0 || strcmp(did, "looped") == 0) {
        OWNED char *words = words_of_lines(lines);
        return text_format("%s%s", words, is_accepted ? "; this call got past" : "");
    }
    char *text = text_format("line %" JSON_INTEGER_FORMAT, record_count(host, "line"));
    for (size_t i = 1; i < json_array_size(lines); i++)
        text_add(&text, "%s %" JSON_INTEGER_FORMAT, i > 1 ? "," : ", called in line",
                 json_integer_value(json_array_get(lines, i)));
    return text;
}

/* What the host's code did, by its label; NULL where only what it asked is known. */
static const char *label_of_host(const json_t *host) {
    static const char *const labels[][2] = {{"crashed", "crashed in"},   {"failed", "failed call"},
                                            {"copied", "copied by"},     {"accepted", "refuses in"},
                                            {"returned", "returned in"}, {"looped", "loops in"}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(record_text(host, "did"), labels[i][0]) == 0)
            return labels[i][1];
    return NULL;
}

/* "; line 7 decides whether", or "". The verb is of one line and of several. */
static char *words_of_part(const json_t *lines, const char *one, const char *several) {
    const size_t n = json_array_size(lines);
    OWNED char *words = words_of_lines(lines);
    return n == 0 ? text_format("%s", "") : text_format("; %s %s", words, n == 1 ? one : several);
}

/* The code of the host that it is about, and what it asked of the device. */
static void host_code(const struct render *render, const json_t *test) {
    const json_t *host = json_object_get(test, "host"), *asked = json_object_get(host, "asked");
    const char *label = label_of_host(host);
    json_auto_t *lines = json_pack("[I]", record_count(host, "line"));
    json_array_extend(lines, json_object_get(host, "callers"));
    if (!json_is_object(host))
        return;
    const json_t *conditions = json_object_get(host, "conditions");
    const json_t *made = json_object_get(host, "made");
    OWNED char *whether = words_of_part(conditions, "decides whether", "decide whether");
    OWNED char *with = words_of_part(made, "sets what is handed over", "set what is handed over");
    OWNED char *around = text_format("%s%s", whether, with);
    const bool is_asked = json_array_size(asked) > 0;
    if (label) {
        OWNED char *text = words_of_host(host, lines);
        OWNED char *all = text_format("%s%s", text, is_asked ? "" : around);
        labelled(render, label, PAGE_PLAIN, all);
    }
    if (is_asked) {
        const json_t *callers = json_object_get(host, "callers");
        const bool is_called = !label && json_array_size(callers) > 0;
        OWNED char *words = words_of_lines(asked), *places = words_of_lines(callers);
        OWNED char *text =
            text_format("in %s, in this order%s%s%s", words, is_called ? ", called in " : "",
                        is_called ? places : "", around);
        labelled(render, "device asked", PAGE_PLAIN, text);
        json_array_extend(lines, (json_t *)asked);
    }
    json_array_extend(lines, (json_t *)conditions);
    json_array_extend(lines, (json_t *)made);
    render_source_lines(render, 4, lines);
}

void render_failure(const struct render *render, const json_t *lab, const json_t *test) {
    const json_t *diagnosis = json_object_get(test, "diagnosis");
    unsigned hidden = render->hidden;
    if (json_is_object(json_object_get(test, "mismatch")) && !(hidden & RENDER_CASE))
        mismatch(render, test);
    else if (!is_reason_hidden(render, test))
        page_text(&render->page, 2, PAGE_PLAIN, "%s", record_text(test, "reason"));
    if (!(hidden & RENDER_FINDINGS)) {
        host_code(render, test);
        setters(render, test);
    }
    if (!(hidden & RENDER_CASE))
        smallest_case(render, test);
    if (!(hidden & RENDER_CASE) && !render->is_low)
        render_data(render, test);
    if (!(hidden & RENDER_FINDINGS))
        technique(render, test);
    if (!(hidden & RENDER_DIAGNOSIS))
        render_cause(render, lab, test);
    if (json_is_object(diagnosis) && !(hidden & RENDER_DIAGNOSIS)) {
        const bool is_seen = observe_has(record_text(diagnosis, "id"));
        labelled(render, is_seen ? "seen" : "likely cause", PAGE_PLAIN,
                 record_text(diagnosis, "text"));
        labelled(render, "think of", PAGE_PLAIN, record_text(diagnosis, "hint"));
        render_source_lines(render, 4, json_object_get(diagnosis, "lines"));
    }
    if (!(hidden & RENDER_FINDINGS))
        findings(render, lab, test);
    if (!(hidden & RENDER_OUTPUT))
        output(render, test);
    if (!(hidden & RENDER_COMMAND) &&
        verdict_of_test(record_text(test, "verdict"))->kind != VERDICT_OURS)
        page_command(&render->page, 2, "run again", record_text(test, "reproduce"));
}

/*
 * The sheet as one HTML file without a script: it asks nothing of a network or of other files, and
 * its content security policy lets it ask nothing. All text goes through html.h, which escapes it.
 */
#include <stdlib.h>

#include "common/base/grow.h"
#include "grader/report/formats/format.h"
#include "grader/report/html/html.h"
#include "grader/report/sheet/sheet.h"

struct document {
    struct html html;
    FILE *out;
};

static const char style[] =
    ":root{color-scheme:light dark;--good:#1a6b2f;--bad:#a8201a;--waiting:#7a5200}\n"
    "@media(prefers-color-scheme:dark){:root{--good:#7fd496;--bad:#ff9a8d;--waiting:#f0c05a}}\n"
    "body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:46rem;padding:0 1rem 3rem;"
    "overflow-wrap:anywhere}\n"
    "h1{font-size:1.5rem;margin-bottom:.2rem}\n"
    "h2{font-size:1.2rem;border-bottom:1px solid #8888;margin-top:2rem}\n"
    "h3{font-size:1rem;margin:1.4rem 0 .2rem}\n"
    "p{margin:.4rem 0}ul{padding-left:1.3rem;margin:.4rem 0}\n"
    ".points{font-size:1.15rem;font-weight:bold}\n"
    ".good{color:var(--good)}.bad{color:var(--bad)}.waiting{color:var(--waiting)}\n"
    "pre{font-size:.8rem;overflow-x:auto;margin:.4rem 0;border-left:3px solid #888;"
    "padding:.2rem 0 .2rem .6rem}\n"
    ".command{white-space:pre-wrap}\n"
    "h1,h2,h3,p,li,pre{unicode-bidi:isolate}\n"
    "summary{cursor:pointer}\n"
    "@media print{body{max-width:none;padding:0}pre{white-space:pre-wrap}h2,h3{break-after:avoid}"
    "details::details-content{content-visibility:visible;height:auto}}\n";

static void *begin(FILE *out, const char *title) {
    struct document *document = make_zeroed(1, sizeof *document);
    struct html *html = &document->html;
    document->out = out;
    html_begin(html);
    html_head(html, title,
              "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
              style);
    html_open(html, "body");
    html_open(html, "main");
    return document;
}

static void end(void *made) {
    struct document *document = made;
    for (int i = 0; i < 3; i++)
        html_close(&document->html);
    html_end(&document->html, document->out);
    free(document);
}

static void heading(void *document, unsigned level, enum sheet_tone tone, const char *text) {
    static const char *const elements[] = {"h1", "h2", "h3"};
    static const char *const classes[] = {
        [SHEET_GOOD] = "good", [SHEET_BAD] = "bad", [SHEET_WAITING] = "waiting"};
    html_item(document, elements[level - 1], classes[tone], "%s", text);
}

static void paragraph(void *document, const char *text) {
    html_item(document, "p", NULL, "%s", text);
}

static void labelled(void *document, const char *label, const char *text) {
    html_open(document, "p");
    html_item(document, "b", NULL, "%s:", label);
    html_text(document, "%s%s", *text ? " " : "", text);
    html_close(document);
}

static void points(void *document, const char *text) {
    html_item(document, "p", "points", "%s", text);
}

static void list(void *document, bool is_begin) {
    if (is_begin)
        html_open(document, "ul");
    else
        html_close(document);
}

static void item(void *document, const char *text) {
    html_item(document, "li", NULL, "%s", text);
}

static void verbatim(void *document, const char *text) {
    html_item(document, "pre", NULL, "%s", text);
}

static void command(void *document, const char *text) {
    html_item(document, "pre", "command", "%s", text);
}

static void fold(void *document, const char *summary, bool is_begin) {
    if (is_begin) {
        html_open(document, "details");
        html_item(document, "summary", NULL, "%s", summary);
    } else {
        html_close(document);
    }
}

const struct sheet_form sheet_html = {begin, end,  heading,  paragraph, labelled, points,
                                      list,  item, verbatim, command,   fold};

FORMAT_WRITER(format_feedback_html) {
    sheet_write(&sheet_html, course, students, out);
    return students->is_graded ? GRADER_OK : GRADER_FAILED;
}

/*
 * A class's page: one HTML file that asks nothing of a network or of other files. Whatever a
 * student can have written is escaped by html.h; besides, the page forbids itself every script but
 * its own, by that one's hash, and every connection.
 */
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "grader/report/formats/format.h"
#include "grader/report/html/pieces.h"
#include "grader/grade/record.h"

static void meta(struct html *html, const char *key, const char *name, const char *content) {
    html_open(html, "meta");
    html_attribute(html, key, "%s", name);
    if (content)
        html_attribute(html, "content", "%s", content);
    html_close_void(html);
}

/* What the browser may do with this page. */
static void policy(struct html *html) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    char base64[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "", text[256];
    struct sha256_ctx sha256;
    sha256_init(&sha256);
    sha256_update(&sha256, strlen(parts_script), (const uint8_t *)parts_script);
    sha256_digest(&sha256, sizeof digest, digest);
    base64_encode_raw(base64, sizeof digest, digest);
    snprintf(text, sizeof text,
             "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; base-uri "
             "'none'; form-action 'none'",
             base64);
    meta(html, "http-equiv", "Content-Security-Policy", text);
}

static void head_part(struct html *html, const char *title) {
    html_open(html, "head");
    meta(html, "charset", "utf-8", NULL);
    policy(html);
    meta(html, "name", "viewport", "width=device-width, initial-scale=1");
    html_item(html, "title", NULL, "%s", title);
    html_open(html, "style");
    html_raw(html, parts_style);
    html_close(html);
    html_close(html);
}

static void device(struct html *html, const json_t *backend) {
    const json_t *gpu = json_object_get(backend, "gpu");
    if (json_is_object(gpu))
        html_text(html, "on a GPU (%s)", record_text(gpu, "name"));
    else if (json_is_object(backend))
        html_text(html, "on the simulator: %s", record_text(backend, "reason"));
}

static void introduction(const struct parts *parts) {
    struct html *html = parts->html;
    const char *started = record_text(parts->head, "started");
    const struct insight_numbers *shares = &parts->insight->shares;
    size_t n_ungraded = parts->n - shares->n, index;
    json_t *note;
    html_open(html, "p");
    if (*started)
        html_text(html, "%.10s, ", started);
    html_text(html, "%zu student%s, %zu lab%s", parts->n, parts->n == 1 ? "" : "s",
              parts->insight->n_labs, parts->insight->n_labs == 1 ? "" : "s");
    if (parts->head) {
        html_text(html, ", ");
        device(html, json_object_get(parts->head, "backend"));
    }
    html_text(html, ".");
    html_close(html);
    html_item(html, "p", NULL, "The mean is %.0f %% of all points, the median %.0f %%.",
              100 * insight_mean(shares), 100 * insight_quantile(shares, 0.5));
    if (n_ungraded > 0)
        html_item(html, "p", NULL,
                  "%zu student%s not in these numbers: something of theirs could not be graded, by "
                  "no fault of the code.",
                  n_ungraded, n_ungraded == 1 ? " is" : "s are");
    json_array_foreach(json_object_get(parts->head, "notes"), index, note)
        html_item(html, "p", "note", "%s", json_is_string(note) ? json_string_value(note) : "");
}

static void navigation(const struct parts *parts) {
    static const char *const links[][2] = {
        {"labs", "Labs"},         {"scores", "Scores"},   {"bandwidth", "Bandwidth"},
        {"mistakes", "Mistakes"}, {"tests", "Tests"},     {"alike", "Alike"},
        {"students", "Students"}, {"reports", "Reports"},
    };
    struct html *html = parts->html;
    html_open(html, "nav");
    html_attribute(html, "aria-label", "Parts of this page");
    html_open(html, "ul");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        if (strcmp(links[i][0], "alike") == 0 && !parts_has_alike(parts))
            continue;
        html_open(html, "li");
        html_link(html, links[i][0], links[i][1]);
        html_close(html);
    }
    html_close(html);
    html_close(html);
}

static void body(const struct parts *parts, const char *title) {
    struct html *html = parts->html;
    html_open(html, "body");
    html_open(html, "header");
    html_item(html, "h1", NULL, "%s", title);
    introduction(parts);
    html_close(html);
    navigation(parts);
    html_open(html, "main");
    parts_labs(parts);
    parts_scores(parts);
    parts_bandwidth(parts);
    parts_mistakes(parts);
    parts_tests(parts);
    parts_alike(parts);
    parts_students(parts);
    parts_reports(parts);
    html_close(html);
    html_open(html, "script");
    html_raw(html, parts_script);
    html_close(html);
    html_close(html);
}

FORMAT_WRITER(format_html) {
    struct html html;
    struct insight insight;
    const char *name = record_text(head, "class");
    bool is_graded = true;
    (void)diag;
    insight_make(&insight, students, n);
    for (size_t i = 0; i < n; i++)
        is_graded &= students[i].is_graded;
    const struct parts parts = {&html, head, students, n, &insight};
    char title[256];
    snprintf(title, sizeof title, "%s%s%s", course->title ? course->title : "",
             course->title && *name ? ": " : "",
             *name           ? name
             : course->title ? ""
                             : "Report");
    html_begin(&html);
    html_open(&html, "html");
    html_attribute(&html, "lang", "en");
    head_part(&html, title);
    body(&parts, title);
    html_close(&html);
    html_end(&html, out);
    insight_finish(&insight);
    return is_graded ? GRADER_OK : GRADER_FAILED;
}

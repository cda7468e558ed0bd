/*
 * A class's page: one HTML file that asks nothing of a network or of other files: its style and
 * script are page.css and page.js, put in at build time. Whatever a student can have written is
 * escaped by html.h; besides, the page's content security policy forbids every script but its own,
 * by that one's hash, and every connection. Without the script, tables don't sort at a click, and
 * links don't open folded reports.
 */
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/class_page.h"
#include "grader/report/formats/format.h"
#include "grader/report/html/page/sections.h"

/* What the browser may do with this page. The caller frees it. */
static char *make_policy(void) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    char base64[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
    struct sha256_ctx sha256;
    sha256_init(&sha256);
    sha256_update(&sha256, strlen(PAGE_SCRIPT), (const uint8_t *)PAGE_SCRIPT);
    sha256_digest(&sha256, sizeof digest, digest);
    base64_encode_raw(base64, sizeof digest, digest);
    return text_format("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; "
                       "base-uri 'none'; form-action 'none'",
                       base64);
}

static void device(struct html *html, const json_t *backend) {
    const json_t *gpu = json_object_get(backend, "gpu");
    if (json_is_object(gpu))
        html_text(html, "on a GPU (%s)", record_text(gpu, "name"));
    else if (json_is_object(backend))
        html_text(html, "on the simulator: %s", record_text(backend, "reason"));
}

static void introduction(const struct sections *sections) {
    struct html *html = sections->html;
    const char *started = record_text(sections->head, "started");
    const struct insight_numbers *shares = &sections->insight->shares;
    size_t n_ungraded = sections->n - shares->n, index;
    json_t *note;
    html_open(html, "p");
    if (*started)
        html_text(html, "%.10s, ", started);
    html_text(html, "%zu student%s, %zu lab%s", sections->n, sections->n == 1 ? "" : "s",
              sections->insight->n_labs, sections->insight->n_labs == 1 ? "" : "s");
    if (sections->head) {
        html_text(html, ", ");
        device(html, json_object_get(sections->head, "backend"));
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
    json_array_foreach(json_object_get(sections->head, "notes"), index, note)
        html_item(html, "p", "note", "%s", json_is_string(note) ? json_string_value(note) : "");
}

/* Whether the page has this part. */
static bool is_there(const struct sections *sections, const char *part) {
    if (strcmp(part, "alike") == 0)
        return sections_has_alike(sections);
    if (strcmp(part, "predictions") == 0)
        return sections_has_predictions(sections);
    if (strcmp(part, "leaderboard") == 0)
        return sections_has_leaderboard(sections);
    return true;
}

static void navigation(const struct sections *sections) {
    static const char *const links[][2] = {
        {"labs", "Labs"},           {"predictions", "Predictions"},
        {"help", "Help first"},     {"scores", "Scores"},
        {"bandwidth", "Bandwidth"}, {"leaderboard", "Leaderboard"},
        {"mistakes", "Mistakes"},   {"tests", "Tests"},
        {"alike", "Alike"},         {"students", "Students"},
        {"reports", "Reports"},
    };
    struct html *html = sections->html;
    html_open(html, "nav", "aria-label", "Parts of this page");
    html_open(html, "ul");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        if (!is_there(sections, links[i][0]))
            continue;
        html_open(html, "li");
        html_link(html, links[i][0], links[i][1]);
        html_close(html);
    }
    html_close(html);
    html_close(html);
}

static void body(const struct sections *sections, const char *title) {
    struct html *html = sections->html;
    html_open(html, "body");
    html_open(html, "header");
    html_item(html, "h1", NULL, "%s", title);
    introduction(sections);
    html_close(html);
    navigation(sections);
    html_open(html, "main");
    sections_labs(sections);
    sections_help(sections);
    sections_scores(sections);
    sections_bandwidth(sections);
    sections_leaderboard(sections);
    sections_mistakes(sections);
    sections_tests(sections);
    sections_alike(sections);
    sections_students(sections);
    sections_reports(sections);
    html_close(html);
    html_open(html, "script");
    html_raw(html, PAGE_SCRIPT);
    html_close(html);
    html_close(html);
}

FORMAT_WRITER(format_html) {
    struct html html;
    OWNED_BY(insight_finish) struct insight insight;
    const char *name = record_text(head, "class");
    bool is_graded = true;
    insight_make(&insight, students, n);
    for (size_t i = 0; i < n; i++)
        is_graded &= students[i].is_graded;
    struct ranking *rankings = make_zeroed(insight.n_labs, sizeof *rankings);
    for (size_t i = 0; i < insight.n_labs; i++)
        ranking_make(&rankings[i], course, insight.labs[i].name, students, n);
    const struct sections sections = {&html, head, students, n, &insight, rankings};
    char title[256];
    snprintf(title, sizeof title, "%s%s%s", course->title ? course->title : "",
             course->title && *name ? ": " : "",
             *name           ? name
             : course->title ? ""
                             : "Report");
    OWNED char *policy = make_policy();
    html_begin(&html);
    html_head(&html, title, policy, PAGE_STYLE);
    body(&sections, title);
    html_close(&html);
    html_end(&html, out);
    for (size_t i = 0; i < insight.n_labs; i++)
        ranking_finish(&rankings[i]);
    free(rankings);
    return is_graded ? GRADER_OK : GRADER_FAILED;
}

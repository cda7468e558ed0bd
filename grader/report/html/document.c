/*
 * A class's page: one HTML file that asks nothing of a network or of other files, with its style
 * and script. Whatever a student can have written is escaped by html.h; besides, the page's content
 * security policy forbids every script but its own, by that one's hash, and every connection.
 * Without the script, tables don't sort at a click, and links don't open folded reports.
 */
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/formats/format.h"
#include "grader/report/html/sections.h"

static const char style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:1rem/1.45 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:0 1rem 4rem;"
    "overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem;margin-bottom:.3rem}\n"
    "h2{font-size:1.25rem;border-bottom:1px solid;margin-top:2.5rem}\n"
    "h3{font-size:1rem;margin:1.2rem 0 .2rem}\n"
    "h4{font-size:.9rem;margin:.8rem 0 0}\n"
    "nav ul{padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-size:.85rem;padding:.3rem 0}\n"
    "th,td{text-align:left;vertical-align:top;padding:.2rem .7rem .2rem 0;"
    "border-bottom:1px solid #8884;font-weight:normal}\n"
    "thead th{font-weight:bold;vertical-align:bottom}\n"
    ".number{text-align:right;white-space:nowrap}\n"
    ".wide{overflow-x:auto}\n"
    ".note,figcaption{font-size:.85rem}\n"
    ".note{margin:.2rem 0}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));"
    "gap:1rem 2rem}\n"
    "figure{margin:0;break-inside:avoid}\n"
    "svg{width:100%;max-width:30rem;font-size:12px;fill:currentColor}\n"
    "rect{fill:#777;stroke:currentColor}\n"
    ".axis,.limit{stroke:currentColor}\n"
    ".limit{stroke-dasharray:5 3}\n"
    ".bar{width:20%;min-width:4rem}\n"
    ".bar span{display:block;height:.7rem;margin-top:.4rem;min-width:1px;background:#777;"
    "outline:1px solid;print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    "pre{font-size:.8rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;"
    "border-left:3px solid #888;padding-left:.6rem;unicode-bidi:isolate}\n"
    "th,td{overflow-wrap:break-word;unicode-bidi:isolate}\n"
    "tbody th{min-width:7rem;max-width:32rem}\n"
    ".who{min-width:6rem;max-width:16rem;overflow-wrap:anywhere}\n"
    ".sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));"
    "gap:0 1rem;margin:.6rem 0}\n"
    ".report{border-top:1px solid #8884;padding:.25rem 0}\n"
    "summary{cursor:pointer}\n"
    ".tests td{font-size:.85rem;padding-top:0;padding-bottom:0}\n"
    ".tests td:first-child{white-space:nowrap}.tests td{overflow-wrap:anywhere}\n"
    "thead button{font:inherit;background:none;border:0;padding:0;color:inherit;cursor:pointer;"
    "text-decoration:underline dotted}\n"
    "@media print{body{max-width:none;padding:0}nav{display:none}a{color:inherit;"
    "text-decoration:none}.wide{overflow:visible}tr{break-inside:avoid}}\n";

static const char script[] =
    "'use strict';\n"
    "function open(){const e=document.getElementById(location.hash.slice(1));"
    "if(e&&e.tagName==='DETAILS'){e.open=true;e.scrollIntoView()}}\n"
    "addEventListener('hashchange',open);open();\n"
    "const value=(row,i)=>{const t=row.cells[i].textContent;const n=parseFloat(t);"
    "return t.startsWith('–')?-1:isNaN(n)?t:n};\n"
    "for(const id of ['student-table','mistake-table']){const table=document.getElementById(id);"
    "if(!table)continue;\n"
    "[...table.tHead.rows[0].cells].forEach((cell,i)=>{if(!cell.textContent)return;"
    "const b=document.createElement('button');b.type='button';"
    "b.append(...cell.childNodes);cell.append(b);\n"
    "b.addEventListener('click',()=>{const up=cell.ariaSort!=='ascending';"
    "for(const c of table.tHead.rows[0].cells)c.removeAttribute('aria-sort');"
    "cell.setAttribute('aria-sort',up?'ascending':'descending');\n"
    "const body=table.tBodies[0];[...body.rows].sort((a,b)=>{const x=value(a,i),y=value(b,i);"
    "const d=typeof x==='number'&&typeof y==='number'?x-y:String(x).localeCompare(String(y));"
    "return up?d:-d}).forEach(r=>body.append(r))})})}\n";

/* What the browser may do with this page. The caller frees it. */
static char *make_policy(void) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    char base64[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
    struct sha256_ctx sha256;
    sha256_init(&sha256);
    sha256_update(&sha256, strlen(script), (const uint8_t *)script);
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

static void navigation(const struct sections *sections) {
    static const char *const links[][2] = {
        {"labs", "Labs"},         {"scores", "Scores"},   {"bandwidth", "Bandwidth"},
        {"mistakes", "Mistakes"}, {"tests", "Tests"},     {"alike", "Alike"},
        {"students", "Students"}, {"reports", "Reports"},
    };
    struct html *html = sections->html;
    html_open(html, "nav", "aria-label", "Parts of this page");
    html_open(html, "ul");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        if (strcmp(links[i][0], "alike") == 0 && !sections_has_alike(sections))
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
    sections_scores(sections);
    sections_bandwidth(sections);
    sections_mistakes(sections);
    sections_tests(sections);
    sections_alike(sections);
    sections_students(sections);
    sections_reports(sections);
    html_close(html);
    html_open(html, "script");
    html_raw(html, script);
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
    const struct sections sections = {&html, head, students, n, &insight};
    char title[256];
    snprintf(title, sizeof title, "%s%s%s", course->title ? course->title : "",
             course->title && *name ? ": " : "",
             *name           ? name
             : course->title ? ""
                             : "Report");
    OWNED char *policy = make_policy();
    html_begin(&html);
    html_head(&html, title, policy, style);
    body(&sections, title);
    html_close(&html);
    html_end(&html, out);
    return is_graded ? GRADER_OK : GRADER_FAILED;
}

/* See listing.h. Lines that nothing was found at are one element, since pages of large classes have
 * many. */
#include "grader/report/html/lab/listing.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/html/count/states.h"
#include "grader/report/html/lab/remarks.h"
#include "grader/report/text/render.h"

/* Of a file that is longer, the lines around findings are shown. */
enum { WHOLE_BYTES = 32 * 1024, AROUND = 5 };

static bool is_near(const struct remarks *remarks, unsigned line) {
    for (size_t i = 0; i < remarks->n; i++) {
        unsigned at = remarks->items[i].line;
        if (line + AROUND >= at && line <= at + AROUND)
            return true;
    }
    return false;
}

static size_t first_at(const struct remarks *remarks, unsigned line) {
    size_t i = 0;
    while (i < remarks->n && remarks->items[i].line < line)
        i++;
    return i;
}

static bool has_remark(const struct remarks *remarks, unsigned line) {
    size_t i = first_at(remarks, line);
    return i < remarks->n && remarks->items[i].line == line;
}

static void code(struct html *html, const char *text, size_t length, unsigned line) {
    OWNED char *clean = text_clean(text, length, false);
    html_text(html, "%4u │ %s\n", line, clean);
}

/* The line, and what was found at it. */
static void found(struct html *html, const struct remarks *remarks, const char *text, size_t length,
                  unsigned line) {
    html_open(html, "pre", "class", "found");
    code(html, text, length, line);
    html_close(html);
    html_open(html, "ul", "class", "remarks");
    html_attribute(html, "aria-label", "Found at line %u", line);
    for (size_t i = first_at(remarks, line); i < remarks->n && remarks->items[i].line == line; i++)
        html_item(html, "li", NULL, "%s", remarks->items[i].text);
    html_close(html);
}

static void lines(struct html *html, const struct remarks *remarks, const char *text) {
    bool is_open = false, is_whole = strlen(text) <= WHOLE_BYTES;
    html_open(html, "div", "class", "listing");
    for (unsigned line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        bool is_found = has_remark(remarks, line), is_shown = is_whole || is_near(remarks, line);
        if (is_open && (is_found || !is_shown)) {
            html_close(html);
            is_open = false;
        }
        if (is_found) {
            found(html, remarks, text, length, line);
        } else if (is_shown) {
            if (!is_open)
                html_open(html, "pre");
            is_open = true;
            code(html, text, length, line);
        }
        text += length + (text[length] == '\n');
    }
    if (is_open)
        html_close(html);
    html_close(html);
    if (!is_whole)
        html_item(html, "p", "note", "The file is longer than %d KiB: of it, the lines around %s",
                  WHOLE_BYTES / 1024,
                  remarks->n > 0 ? "findings." : "findings, and there is none.");
}

static void no_lines(struct html *html, const struct remarks *remarks) {
    html_item(html, "p", "note", "The file is no longer there, or no longer what was graded.");
    html_open(html, "ul");
    for (size_t i = 0; i < remarks->n; i++)
        html_item(html, "li", NULL, "Line %u: %s", remarks->items[i].line, remarks->items[i].text);
    html_close(html);
}

void listing_write(struct html *html, const struct scored_lab *lab) {
    enum state state = state_of_lab(lab);
    if (state != STATE_WRONG && state != STATE_BROKEN)
        return;
    OWNED_BY(remarks_finish) struct remarks remarks;
    OWNED char *text = render_source_load(lab->record);
    remarks_make(&remarks, lab);
    if (!text && remarks.n == 0)
        return;
    html_open(html, "details", "class", "others");
    html_item(html, "summary", NULL, "%s%zu finding%s at %s", text ? "The file, with " : "",
              remarks.n, remarks.n == 1 ? "" : "s", text ? "its lines" : "lines of the file");
    if (text)
        lines(html, &remarks, text);
    else
        no_lines(html, &remarks);
    html_close(html);
}

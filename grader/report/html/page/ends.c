/* How each lab ended for the whole class: a bar a lab, all as long as the class is large. */
#include "grader/report/html/draw/marks.h"
#include "grader/report/html/page/sections.h"

/* In words beside the bar, since a screen reader has no colours; few have all seven. */
static void numbers(struct html *html, const size_t *n_ended) {
    html_open(html, "span", "class", "ended");
    for (enum state state = 0; state < N_STATES; state++) {
        if (n_ended[state] == 0)
            continue;
        html_open(html, "span", "class", mark_class(state));
        mark_draw(html, state);
        html_text(html, "%zu", n_ended[state]);
        html_close(html);
        html_text(html, " ");
    }
    html_close(html);
}

static void bar(struct html *html, const size_t *n_ended, size_t n) {
    html_open(html, "span", "class", "stack", "aria-hidden", "true");
    for (enum state state = 0; state < N_STATES; state++) {
        if (n_ended[state] == 0)
            continue;
        html_open(html, "span", "class", mark_class(state), "title", mark_word(state));
        html_attribute(html, "style", "width:%.3f%%", 100 * (double)n_ended[state] / (double)n);
        html_close(html);
    }
    html_close(html);
}

void sections_ends(const struct sections *sections) {
    struct html *html = sections->html;
    html_open(html, "ul", "class", "ends", "aria-label", "How each lab ended for the class");
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        const struct insight_lab *lab = &sections->insight->labs[i];
        size_t n_ended[N_STATES] = {0};
        for (size_t k = 0; k < sections->n; k++)
            n_ended[state_of_student(&sections->students[k], lab->name)]++;
        html_open(html, "li");
        html_item(html, "span", "lab", "%.2s %s", lab->name, lab->title);
        bar(html, n_ended, sections->n);
        numbers(html, n_ended);
        html_close(html);
    }
    html_close(html);
    mark_legend(html);
}

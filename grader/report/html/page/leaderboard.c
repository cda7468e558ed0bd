/* The ranks of the labs that the course wants them of, by names or by pseudonyms. */
#include <string.h>

#include "common/base/text.h"
#include "grader/report/html/page/sections.h"

/* Entries of a lab that are not folded. */
enum { SHOWN = 20 };

bool sections_has_leaderboard(const struct sections *sections) {
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        if (sections->rankings[i].shown != COURSE_OFF)
            return true;
    }
    return false;
}

/* A test without its tier, or what is counted. */
static const char *short_name(const struct ranking *ranking, const char *name) {
    const char *point = strchr(name, '.');
    return ranking->by != RANKING_COUNTS && point ? point + 1 : name;
}

static void percent(struct html *html, const struct ranking *ranking, double percent) {
    html_item(html, "td", "number", "%.*f %%", ranking->by == RANKING_COUNTS ? 1 : 0, percent);
}

static void row(const struct sections *sections, const struct ranking *ranking,
                const struct ranking_entry *entry) {
    struct html *html = sections->html;
    html_open(html, "tr");
    html_item(html, "td", "number", "%zu", entry->rank);
    html_open(html, "th", "scope", "row");
    if (ranking->shown == COURSE_NAMES)
        sections_link(sections, entry->student);
    else
        html_text(html, "%s", entry->label);
    html_close(html);
    for (size_t i = 0; i < ranking->n_columns; i++)
        percent(html, ranking, 100 * ranking->columns[i].values[entry->student]);
    percent(html, ranking, entry->score);
    html_close(html);
}

static void table(const struct sections *sections, const char *lab, const struct ranking *ranking,
                  size_t from, size_t to) {
    struct html *html = sections->html;
    OWNED char *caption = text_format("Ranks of %s%s", lab, from > 0 ? ", continued" : "");
    sections_table(sections, NULL, caption);
    html_open(html, "thead");
    html_open(html, "tr");
    html_heading(html, "#Rank");
    html_heading(html, ranking->shown == COURSE_NAMES ? "Student" : "Pseudonym");
    for (size_t i = 0; i < ranking->n_columns; i++) {
        OWNED char *heading = text_format("#%s", short_name(ranking, ranking->columns[i].name));
        html_heading(html, heading);
    }
    html_heading(html, "#Mean");
    html_close(html);
    html_close(html);
    html_open(html, "tbody");
    for (size_t i = from; i < to; i++)
        row(sections, ranking, &ranking->list[i]);
    html_close(html);
    sections_end_table(sections);
}

static void rule(struct html *html, const struct ranking *ranking) {
    static const char *const rules[] = {
        [RANKING_COPY] = "By the share of the GPU's own copy, the mean of the tests at the largest "
                         "size; the fastest first. What is alike in whole per cents has one rank.",
        [RANKING_MODEL] = "By the share of the model answer's speed, the mean of the tests at the "
                          "largest size; the fastest first. What is alike in whole per cents has "
                          "one rank.",
        [RANKING_COUNTS] = "No GPU has timed it: so by what its tests count on the simulator, of "
                           "each thing the share of what they allow, and the mean of these; the "
                           "least first. What is alike in tenths of a per cent has one rank.",
    };
    html_item(html, "p", "note", "%s", rules[ranking->by]);
    html_item(html, "p", "note",
              "Ranked are %zu of %zu students: who passed all tests but those of speed, and has "
              "each of the numbers.",
              ranking->n, ranking->n_students);
}

static void of_lab(const struct sections *sections, const struct insight_lab *lab,
                   const struct ranking *ranking) {
    struct html *html = sections->html;
    size_t n_shown = ranking->n < SHOWN ? ranking->n : SHOWN;
    html_item(html, "h3", NULL, "%.2s %s", lab->name, lab->title);
    if (ranking->n == 0) {
        html_item(html, "p", "note",
                  "Nobody is ranked: that wants a time on a GPU, or counts of which the lab's "
                  "tests say how much they allow, of code that passed all tests but those of "
                  "speed.");
        return;
    }
    table(sections, lab->name, ranking, 0, n_shown);
    if (n_shown < ranking->n) {
        html_open(html, "details");
        html_item(html, "summary", NULL, "%zu more", ranking->n - n_shown);
        table(sections, lab->name, ranking, n_shown, ranking->n);
        html_close(html);
    }
    rule(html, ranking);
}

void sections_leaderboard(const struct sections *sections) {
    if (!sections_has_leaderboard(sections))
        return;
    sections_begin(sections, "leaderboard", "Leaderboard");
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        if (sections->rankings[i].shown != COURSE_OFF)
            of_lab(sections, &sections->insight->labs[i], &sections->rankings[i]);
    }
    html_close(sections->html);
}

void sections_rank_of(const struct sections *sections, size_t student, const char *lab) {
    const struct insight *insight = sections->insight;
    size_t i = 0;
    while (i < insight->n_labs && strcmp(insight->labs[i].name, lab) != 0)
        i++;
    const struct ranking_entry *entry =
        i < insight->n_labs ? ranking_of(&sections->rankings[i], student) : NULL;
    if (!entry)
        return;
    html_open(sections->html, "p", "class", "note");
    html_text(sections->html, "On the leaderboard: rank %zu of %zu", entry->rank,
              sections->rankings[i].n);
    if (sections->rankings[i].shown == COURSE_PSEUDONYMS)
        html_text(sections->html, ", as %s", entry->label);
    html_text(sections->html, ".");
    html_close(sections->html);
}

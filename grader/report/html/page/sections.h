/* The sections of the class's page, and what they are made with. */
#pragma once

#include "grader/report/html/count/insight.h"
#include "grader/report/html/count/ranking.h"
#include "grader/report/html/html.h"

struct sections {
    struct html *html;
    const json_t *head; /* of the class's document, or NULL */
    const struct scored_student *students;
    size_t n;
    const struct insight *insight;
    const struct ranking *rankings; /* of each lab of the insight */
};

/* Sections with a heading each. */
void sections_labs(const struct sections *sections);
void sections_help(const struct sections *sections);
void sections_scores(const struct sections *sections);
void sections_bandwidth(const struct sections *sections);
void sections_leaderboard(const struct sections *sections); /* nothing where none is wanted */
bool sections_has_leaderboard(const struct sections *sections);
void sections_mistakes(const struct sections *sections);
void sections_tests(const struct sections *sections);
void sections_alike(const struct sections *sections);     /* nothing where it has none */
bool sections_has_alike(const struct sections *sections); /* there are two whose files could be */
void sections_students(const struct sections *sections);
void sections_reports(const struct sections *sections);

/* <section id=…> and its heading; closed by html_close. */
void sections_begin(const struct sections *sections, const char *id, const char *title);
/* What was predicted, folded lab by lab, inside of the labs' section; nothing where no lab asked.
 */
void sections_predictions(const struct sections *sections);
bool sections_has_predictions(const struct sections *sections);
/* What one student did of it. */
void sections_predictions_of(const struct sections *sections, const struct scored_lab *lab);
/* A student's rank in a lab, where there are ranks. */
void sections_rank_of(const struct sections *sections, size_t student, const char *lab);
/* How each lab ended for all, in bars of one scale, and what the marks mean. */
void sections_ends(const struct sections *sections);
/* A table that can be wider than the page; closed by sections_end_table. */
void sections_table(const struct sections *sections, const char *id, const char *caption);
void sections_end_table(const struct sections *sections);
/* A cell of points, or of a dash where they are not known. */
void sections_points(struct html *html, bool is_known, points_t points, const char *more);
/* A link to a student's report. */
void sections_link(const struct sections *sections, size_t student);

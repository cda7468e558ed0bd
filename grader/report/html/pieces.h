/* The parts of the class's page. */
#ifndef GRADER_FORMATS_HTML_PARTS_H
#define GRADER_FORMATS_HTML_PARTS_H

#include "grader/report/html/html.h"
#include "grader/report/html/insight.h"

struct parts {
    struct html *html;
    const json_t *head; /* of the class's document, or NULL */
    const struct scored_student *students;
    size_t n;
    const struct insight *insight;
};

/* Sections with a heading each. */
void parts_labs(const struct parts *parts);
void parts_scores(const struct parts *parts);
void parts_bandwidth(const struct parts *parts);
void parts_mistakes(const struct parts *parts);
void parts_tests(const struct parts *parts);
void parts_alike(const struct parts *parts);     /* nothing where it has none */
bool parts_has_alike(const struct parts *parts); /* there are two whose files could be */
void parts_students(const struct parts *parts);
void parts_reports(const struct parts *parts);

/* <section id=…> and its heading; closed by html_close. */
void parts_section(const struct parts *parts, const char *id, const char *title);
/* A table that can be wider than the page; closed by parts_end_table. */
void parts_table(const struct parts *parts, const char *id, const char *caption);
void parts_end_table(const struct parts *parts);
/* A link to a student's report. */
void parts_student(const struct parts *parts, size_t student);

/* Style and script of the page. */
extern const char parts_style[], parts_script[];

#endif

/*
 * Writes HTML, element by element, by libxml2's writer: whatever is given as text or as an
 * attribute's value is escaped, and what XML cannot hold is made visible. There is no other way
 * for a student's text into the page.
 */
#pragma once

#include <libxml/xmlwriter.h>
#include <stdio.h>

struct html {
    xmlBuffer *buffer;
    xmlTextWriter *writer;
};

void html_begin(struct html *html);
/* Writes it, and lets go of it. */
void html_end(struct html *html, FILE *out);

/* An element; its attributes come before anything in it: pairs of a name and a value may follow.
 * Each one that is opened is closed. */
#define html_open(html, ...) html_open_with(html, __VA_ARGS__, NULL)
void html_open_with(struct html *html, const char *element, ...) __attribute__((sentinel));
void html_attribute(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void html_close(struct html *html);
/* An element that can have nothing in it, such as <meta>, after its attributes. */
void html_close_void(struct html *html);

void html_text(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An element with a class (or NULL) and a text. */
void html_item(struct html *html, const char *element, const char *class, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A heading of a table's column: what it is of, behind a # where that is numbers; "" for nothing.
 */
void html_heading(struct html *html, const char *text);
/* The head of a table, which has these columns. */
#define html_headings(html, ...) html_headings_of(html, (const char *const[]){__VA_ARGS__, NULL})
void html_headings_of(struct html *html, const char *const *texts);

/* A heading of a row. */
void html_row_heading(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* <a href="#…"> */
void html_link(struct html *html, const char *target, const char *text);

/* <html>, which stays open, and its <head> with a style of our own. `policy` is the page's content
 * security policy: what it may load and run. */
void html_head(struct html *html, const char *title, const char *policy, const char *style);

/* Text of our own as it is: style and script. */
void html_raw(struct html *html, const char *text);

/* See html.h. */
#include "grader/report/html/html.h"

#include <stdarg.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/report/formats/format.h"

void html_begin(struct html *html) {
    html->buffer = xmlBufferCreate();
    html->writer = html->buffer ? xmlNewTextWriterMemory(html->buffer, 0) : NULL;
    if (!html->writer)
        abort();
    html_raw(html, "<!DOCTYPE html>\n");
}

void html_end(struct html *html, FILE *out) {
    xmlTextWriterFlush(html->writer);
    fwrite(xmlBufferContent(html->buffer), 1, (size_t)xmlBufferLength(html->buffer), out);
    fputc('\n', out);
    xmlFreeTextWriter(html->writer);
    xmlBufferFree(html->buffer);
}

void html_open_with(struct html *html, const char *element, ...) {
    va_list args;
    xmlTextWriterStartElement(html->writer, BAD_CAST element);
    va_start(args, element);
    for (const char *name; (name = va_arg(args, const char *));)
        html_attribute(html, name, "%s", va_arg(args, const char *));
    va_end(args);
}

void html_attribute(struct html *html, const char *name, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *text = text_vformat(format, args), *clean = format_xml_text(text);
    va_end(args);
    xmlTextWriterWriteAttribute(html->writer, BAD_CAST name, BAD_CAST clean);
}

void html_close(struct html *html) {
    xmlTextWriterFullEndElement(html->writer);
}

void html_close_void(struct html *html) {
    xmlTextWriterEndElement(html->writer);
}

static void write_text(struct html *html, const char *format, va_list args) {
    OWNED char *text = text_vformat(format, args), *clean = format_xml_text(text);
    xmlTextWriterWriteString(html->writer, BAD_CAST clean);
}

void html_text(struct html *html, const char *format, ...) {
    va_list args;
    va_start(args, format);
    write_text(html, format, args);
    va_end(args);
}

void html_item(struct html *html, const char *element, const char *class, const char *format, ...) {
    va_list args;
    html_open(html, element);
    if (class)
        html_attribute(html, "class", "%s", class);
    va_start(args, format);
    write_text(html, format, args);
    va_end(args);
    html_close(html);
}

void html_heading(struct html *html, const char *text) {
    bool is_number = *text == '#';
    if (*text) {
        html_open(html, "th", "scope", "col");
        if (is_number)
            html_attribute(html, "class", "number");
        html_text(html, "%s", text + is_number);
    } else {
        html_open(html, "td");
    }
    html_close(html);
}

void html_headings_of(struct html *html, const char *const *texts) {
    html_open(html, "thead");
    html_open(html, "tr");
    for (; *texts; texts++)
        html_heading(html, *texts);
    html_close(html);
    html_close(html);
}

void html_row_heading(struct html *html, const char *format, ...) {
    va_list args;
    html_open(html, "th", "scope", "row");
    va_start(args, format);
    write_text(html, format, args);
    va_end(args);
    html_close(html);
}

void html_link(struct html *html, const char *target, const char *text) {
    html_open(html, "a");
    html_attribute(html, "href", "#%s", target);
    html_text(html, "%s", text);
    html_close(html);
}

void html_raw(struct html *html, const char *text) {
    xmlTextWriterWriteRaw(html->writer, BAD_CAST text);
}

static void meta(struct html *html, const char *key, const char *name, const char *content) {
    html_open(html, "meta", key, name);
    if (content)
        html_attribute(html, "content", "%s", content);
    html_close_void(html);
}

void html_head(struct html *html, const char *title, const char *policy, const char *style) {
    html_open(html, "html", "lang", "en");
    html_open(html, "head");
    meta(html, "charset", "utf-8", NULL);
    meta(html, "http-equiv", "Content-Security-Policy", policy);
    meta(html, "name", "viewport", "width=device-width, initial-scale=1");
    html_item(html, "title", NULL, "%s", title);
    html_open(html, "style");
    html_raw(html, style);
    html_close(html);
    html_close(html);
}

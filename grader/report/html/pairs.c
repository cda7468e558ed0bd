/* Files that are alike: who, how much, and the lines of both sides. */
#include <string.h>

#include "grader/report/html/pieces.h"
#include "grader/grade/record.h"

/* The students of one side, by links; ids of nobody on the page as they are. */
static void names(const struct parts *parts, const json_t *side) {
    size_t index;
    json_t *id;
    json_array_foreach(json_object_get(side, "students"), index, id) {
        const char *text = json_string_value(id) ? json_string_value(id) : "";
        size_t student = 0;
        html_text(parts->html, "%s", index > 0 ? ", " : "");
        while (student < parts->n && strcmp(parts->students[student].id, text) != 0)
            student++;
        if (student < parts->n)
            parts_student(parts, student);
        else
            html_text(parts->html, "%s", text);
    }
}

static void quote(const struct parts *parts, const json_t *lines) {
    struct html *html = parts->html;
    html_open(html, "div");
    html_item(html, "span", "note", "lines %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT,
              record_count(lines, "first"), record_count(lines, "last"));
    html_item(html, "pre", NULL, "%s", record_text(lines, "text"));
    html_close(html);
}

static void passages(const struct parts *parts, const json_t *list) {
    struct html *html = parts->html;
    size_t index;
    json_t *passage;
    if (json_array_size(list) == 0)
        return;
    html_open(html, "details");
    html_item(html, "summary", NULL, "%zu passage%s, side by side", json_array_size(list),
              json_array_size(list) == 1 ? "" : "s");
    json_array_foreach(list, index, passage) {
        html_open(html, "div");
        html_attribute(html, "class", "sides");
        quote(parts, json_object_get(passage, "one"));
        quote(parts, json_object_get(passage, "other"));
        html_close(html);
    }
    html_close(html);
}

static void entry(const struct parts *parts, const json_t *alike) {
    struct html *html = parts->html;
    const json_t *one = json_object_get(alike, "one"), *other = json_object_get(alike, "other");
    const char *how = record_text(alike, "how");
    html_open(html, "li");
    html_item(html, "strong", NULL, "Lab %.2s: ", record_text(alike, "lab"));
    names(parts, one);
    if (strcmp(how, "file") == 0) {
        html_text(html, " handed in the same file, byte for byte.");
    } else {
        html_text(html, " and ");
        names(parts, other);
        html_text(html,
                  ". Names, comments, layout and order aside, %" JSON_INTEGER_FORMAT
                  " %% of what is the first one's own is in the other, and %" JSON_INTEGER_FORMAT
                  " %% the other way round%s; %" JSON_INTEGER_FORMAT " bits. ",
                  record_count(one, "percent"), record_count(other, "percent"),
                  strcmp(how, "comments") == 0 ? "; so are words of the comments" : "",
                  record_count(alike, "bits"));
    }
    passages(parts, json_object_get(alike, "passages"));
    html_close(html);
}

bool parts_has_alike(const struct parts *parts) {
    return parts->n > 1;
}

void parts_alike(const struct parts *parts) {
    const json_t *list = json_object_get(parts->head, "alike");
    struct html *html = parts->html;
    size_t index;
    json_t *alike;
    if (!parts_has_alike(parts))
        return;
    parts_section(parts, "alike", "Files that are alike");
    html_item(
        html, "p", "note", "%s",
        json_array_size(list) > 0
            ? "More than the class is, leaving out the skeleton, known answers, and what many "
              "write. It is a reason to talk to them, no proof: short answers can meet by "
              "chance. Each bit halves how often that is to be expected."
        : list ? "No two files are more alike than the class is."
               : "They were not compared: that is done where all are graded at once, as a class.");
    if (json_array_size(list) > 0) {
        html_open(html, "ol");
        json_array_foreach(list, index, alike) entry(parts, alike);
        html_close(html);
    }
    html_close(html);
}

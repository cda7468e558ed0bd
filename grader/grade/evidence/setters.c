/* From a wrong element to the lines that set it: by the simulator's word, or by the array's name.
 */
#include "grader/grade/evidence/setters.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/evidence/counted.h"
#include "grader/grade/evidence/host.h"
#include "grader/grade/source/assignments.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"
#include "grader/grade/record.h"

/* True where an edit points to a line of the student's file. */
static bool has_proof_in_place(const json_t *lab, const json_t *test) {
    const json_t *experiment = json_object_get(test, "experiment"), *proven;
    size_t index;
    json_array_foreach(json_object_get(experiment, "proven"), index, proven) {
        if (record_is_of_file(lab, proven) || json_array_size(json_object_get(proven, "lines")) > 0)
            return true;
    }
    return false;
}

/* True where that, a finding, a diagnosis or the host's code does, unless all that is known of the
 * latter is what it asked of the device. */
static bool has_place(const json_t *lab, const json_t *test) {
    const json_t *finding;
    size_t index;
    json_array_foreach(json_object_get(test, "findings"), index, finding) {
        if (record_is_of_file(lab, json_object_get(finding, "here")) ||
            record_is_of_file(lab, json_object_get(finding, "other")))
            return true;
    }
    const json_t *host = json_object_get(test, "host");
    const bool has_host = json_is_object(host) && strcmp(record_text(host, "did"), "asked") != 0;
    return has_proof_in_place(lab, test) || has_host ||
           json_array_size(json_object_get(json_object_get(test, "diagnosis"), "lines")) > 0;
}

/* A name of the source, as in "sums[3]"; the labs call some results by words. */
static bool is_name(const char *what) {
    size_t n = 0;
    while (isalnum((unsigned char)what[n]) || what[n] == '_')
        n++;
    return n > 0 && what[n] == '\0';
}

/* What is new in the failing case: lines of the student's file, few of them, that ran in no case
 * that passed. In place of the places that the test program leaves. */
static json_t *find_news(const json_t *lab, const json_t *test) {
    enum { MOST = 6 };
    json_t *lines = json_array(), *place;
    size_t index;
    if (has_place(lab, test))
        return lines;
    json_array_foreach(json_object_get(json_object_get(test, "mismatch"), "news"), index, place) {
        if (record_is_of_file(lab, place))
            json_array_append(lines, json_object_get(place, "line"));
    }
    return lines_at_most(lines_in_order(lines), MOST);
}

/* Gives what a kernel did the lines on which that is launched, those that set what the launch hands
 * over, where these are few, and those on which it is named, to be launched elsewhere. */
static void add_launches(json_t *what, const char *kernel, const char *source) {
    OWNED char *plain = record_plain_name(kernel);
    json_t *launched = *plain ? lines_of_launches(source, plain) : json_array();
    json_object_set_new(what, "launched", launched);
    json_object_set_new(what, "handed",
                        lines_at_most(lines_made_of(source, launched), LINES_MOST_OF_SHAPES));
    json_object_set_new(what, "named", *plain ? lines_of_naming(source, kernel) : json_array());
}

/* What sets an array of which an element is read that nobody has written: the lines on which that
 * is done, and the conditions that they are of. `place` is as in "before[1]". */
static json_t *lines_of_writing(const char *source, unsigned line, const char *place) {
    OWNED char *name = text_format("%.*s", (int)strcspn(place, "["), place);
    return lines_with_guards(source, lines_of_setting_around(source, line, name));
}

static char *line_without_digits(const char *source, unsigned line) {
    size_t length = 0;
    const char *at = text_line(source, line, &length);
    char *text = text_format("%.*s", at ? (int)length : 0, at ? at : ""), *to = text;
    for (const char *from = text; *from; from++)
        if (!isdigit((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
    return text;
}

/* True where one of the lines is this one, or the same but for its numbers: the steps of a loop
 * that is written out are told by one of them. */
static bool have_alike(const json_t *lines, const char *source, unsigned line) {
    OWNED char *text = line_without_digits(source, line);
    size_t index;
    const json_t *one;
    json_array_foreach(lines, index, one) {
        OWNED char *other = line_without_digits(source, (unsigned)json_integer_value(one));
        if (strcmp(text, other) == 0)
            return true;
    }
    return false;
}

/* Adds those of some lines that are among others, up to LINES_MOST_BEHIND in all. */
static void add_those_of(json_t *lines, const json_t *some, const json_t *others,
                         const char *source) {
    size_t index;
    json_t *line;
    json_array_foreach(some, index, line) {
        const unsigned at = (unsigned)json_integer_value(line);
        if (json_array_size(lines) < LINES_MOST_BEHIND && lines_have(others, at, at) &&
            !have_alike(lines, source, at))
            json_array_append(lines, line);
    }
}

/* The line of a finding, those that write what was read though nobody had, and of those that ran
 * the nearest that its address, mask or condition may be made of. */
static json_t *lines_of_finding(const json_t *lab, const json_t *test, const json_t *finding,
                                const char *source) {
    const json_t *here = json_object_get(finding, "here");
    const json_int_t line = record_count(here, "line");
    const char *place = record_text(finding, "place");
    if (!record_is_of_file(lab, here) || has_proof_in_place(lab, test))
        return json_array();
    json_auto_t *ran = record_lines_run(lab, test);
    json_t *lines = json_pack("[I]", line);
    if (strcmp(record_text(finding, "kind"), "uninitialised") == 0 && strchr(place, '[')) {
        json_auto_t *writing = lines_of_writing(source, (unsigned)line, place);
        json_array_extend(lines, writing);
    }
    add_those_of(lines, json_object_get(finding, "behind"), ran, source);
    return lines_in_order(lines);
}

static void add_to_findings(const json_t *lab, json_t *test, const char *source) {
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(test, "findings"), index, finding) {
        add_launches(finding, record_text(finding, "kernel"), source);
        json_object_set_new(finding, "lines",
                            index == 0 ? lines_of_finding(lab, test, finding, source)
                                       : json_array());
    }
}

/* The line of the store, and of those that ran the nearest whose results may have gone into it: new
 * ones first. Where the simulator names none, those that the source does. */
static json_t *lines_of_store(const json_t *lab, const json_t *test, const json_t *news,
                              const char *source) {
    const json_t *stored = json_object_get(json_object_get(test, "mismatch"), "stored");
    const json_t *behind = json_object_get(stored, "behind");
    const json_int_t line = record_count(stored, "line");
    json_auto_t *ran = record_lines_run(lab, test);
    json_t *lines = json_pack("[I]", line);
    add_those_of(lines, behind, news, source);
    add_those_of(lines, behind, ran, source);
    add_those_of(lines, news, news, source);
    return json_array_size(behind) > 0
               ? lines_in_order(lines)
               : lines_behind(source, (unsigned)line, lines_in_order(lines), ran);
}

/* The first of the lines that does not ask the device for something, which is told anyhow; the
 * first where there is none; 0 where there are no lines. */
static unsigned first_not_asked(const json_t *test, const json_t *lines) {
    const json_t *asked = json_object_get(json_object_get(test, "host"), "asked"), *line;
    size_t index;
    json_array_foreach(lines, index, line) {
        const unsigned at = (unsigned)json_integer_value(line);
        if (!lines_have(asked, at, at))
            return at;
    }
    return (unsigned)json_integer_value(json_array_get(lines, 0));
}

static json_t *find_lines(const json_t *lab, const json_t *test, const json_t *news,
                          const char *source) {
    const json_t *mismatch = json_object_get(test, "mismatch");
    const json_t *stored = json_object_get(mismatch, "stored");
    const char *what = record_text(mismatch, "what");
    if (has_place(lab, test))
        return json_array();
    if (record_is_of_file(lab, stored))
        return lines_of_store(lab, test, news, source);
    if (json_array_size(news) > 0)
        return json_copy((json_t *)news);
    if (!is_name(what))
        return json_array();
    OWNED char *function = record_function(test);
    json_auto_t *kernels = record_kernels(test);
    json_auto_t *functions = functions_reached(source, function);
    json_auto_t *one = json_pack("[s]", function);
    const json_t *places[] = {kernels, functions, one};
    json_t *lines = json_array();
    for (size_t i = 0; i < sizeof places / sizeof *places && json_array_size(lines) == 0; i++) {
        json_decref(lines);
        lines = lines_of_setting(source, places[i], what);
    }
    return lines_behind(source, first_not_asked(test, lines), lines, NULL);
}

void record_setters(json_t *lab, const char *source) {
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_t *mismatch = json_object_get(test, "mismatch");
        host_add_lines(test, source);
        counted_add_lines(lab, test, source);
        add_to_findings(lab, test, source);
        if (!json_is_object(mismatch))
            continue;
        json_auto_t *news = find_news(lab, test);
        add_launches(mismatch, record_text(json_object_get(mismatch, "stored"), "kernel"), source);
        json_object_set_new(mismatch, "lines", find_lines(lab, test, news, source));
        json_object_set(mismatch, "news", news);
    }
}

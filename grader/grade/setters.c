/* From a wrong element to the lines that set it: by the simulator's word, or by the array's name.
 */
#include "grader/grade/setters.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/source/assignments.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/record.h"

static bool is_of_file(const json_t *lab, const json_t *place) {
    return record_count(place, "line") > 0 && strcmp(file_base(record_text(place, "file")),
                                                     file_base(record_text(lab, "source"))) == 0;
}

/* True where something else of the report points to a line of the student's file. */
static bool has_place(const json_t *lab, const json_t *test) {
    const json_t *experiment = json_object_get(test, "experiment"), *item;
    size_t index;
    json_array_foreach(json_object_get(test, "findings"), index, item) {
        if (is_of_file(lab, json_object_get(item, "here")) ||
            is_of_file(lab, json_object_get(item, "other")))
            return true;
    }
    json_array_foreach(json_object_get(experiment, "proven"), index, item) {
        if (is_of_file(lab, item) || json_array_size(json_object_get(item, "lines")) > 0)
            return true;
    }
    return json_is_object(json_object_get(test, "host")) ||
           json_array_size(json_object_get(json_object_get(test, "diagnosis"), "lines")) > 0;
}

/* A name of the source, as in "sums[3]"; the labs call some results by words. */
static bool is_name(const char *what) {
    size_t n = 0;
    while (isalnum((unsigned char)what[n]) || what[n] == '_')
        n++;
    return n > 0 && what[n] == '\0';
}

static json_t *find_lines(const json_t *lab, const json_t *test, const char *source) {
    const json_t *mismatch = json_object_get(test, "mismatch");
    const json_t *stored = json_object_get(mismatch, "stored");
    const char *what = record_text(mismatch, "what");
    if (has_place(lab, test))
        return json_array();
    if (is_of_file(lab, stored)) {
        json_t *line = json_pack("[I]", record_count(stored, "line"));
        return lines_behind(source, line);
    }
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
    return lines_behind(source, lines);
}

/* Of a call whose error was lost: the lines where it should have been looked at. */
static void add_questions(json_t *test, const char *source) {
    json_t *host = json_object_get(test, "host"), *diagnosis = json_object_get(test, "diagnosis");
    if (strcmp(record_text(host, "did"), "failed") == 0 &&
        strstr(record_text(diagnosis, "id"), "_error_swallowed"))
        json_object_set_new(diagnosis, "lines",
                            lines_after(source, (unsigned)record_count(host, "line")));
}

void record_setters(json_t *lab, const char *source) {
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_t *mismatch = json_object_get(test, "mismatch");
        add_questions(test, source);
        if (json_is_object(mismatch))
            json_object_set_new(mismatch, "lines", find_lines(lab, test, source));
    }
}

/* What experiments proved of lines that were given: no student may change those, so that a cause
 * there is none of theirs. */
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"

/* A line without the blanks around it. */
struct line {
    const char *at;
    size_t bytes;
};

static struct line trimmed(const char *at, size_t bytes) {
    while (bytes > 0 && strchr(" \t\r", at[bytes - 1]))
        bytes--;
    while (bytes > 0 && strchr(" \t", *at)) {
        at++;
        bytes--;
    }
    return (struct line){at, bytes};
}

/* Reads on to the next line; false at the text's end. */
static bool next_line(const char **rest, struct line *line) {
    if (!**rest)
        return false;
    const size_t bytes = strcspn(*rest, "\n");
    *line = trimmed(*rest, bytes);
    *rest += bytes + ((*rest)[bytes] == '\n');
    return true;
}

static bool begins(const struct line *line, const char *word) {
    return line->bytes >= strlen(word) && strncmp(line->at, word, strlen(word)) == 0;
}

/* Goes to a line of a text; whether it stands outside all TODO regions. */
static bool is_outside(const char *text, json_int_t number, struct line *line) {
    bool is_in_region = false;
    for (json_int_t i = 0; i < number; i++) {
        if (!next_line(&text, line))
            return false;
        if (begins(line, "// TODO("))
            is_in_region = true;
        if (begins(line, "// END TODO"))
            is_in_region = false;
    }
    return !is_in_region;
}

/* Whether the skeleton has such a line outside its TODO regions. */
static bool has_line(const char *skeleton, const struct line *wanted) {
    struct line line;
    bool is_in_region = false;
    while (next_line(&skeleton, &line)) {
        is_in_region |= begins(&line, "// TODO(");
        is_in_region &= !begins(&line, "// END TODO");
        if (!is_in_region && line.bytes == wanted->bytes &&
            strncmp(line.at, wanted->at, line.bytes) == 0)
            return true;
    }
    return false;
}

/* A line of a header, or one of the student's file that the skeleton has as well. */
static bool is_given(const json_t *lab, const json_t *proven, const char *source,
                     const char *skeleton) {
    struct line line = {0};
    const json_int_t number = record_count(proven, "line");
    if (number == 0)
        return false;
    if (strcmp(file_base(record_text(proven, "file")), file_base(record_text(lab, "path"))) != 0)
        return true;
    return strstr(source, "// TODO(") && is_outside(source, number, &line) &&
           has_line(skeleton, &line);
}

/* Takes what is proven of given lines out of a test's experiment; all of it where nothing is left.
 */
static void leave_given(const json_t *lab, json_t *test, const char *source, const char *skeleton) {
    json_t *list = json_object_get(json_object_get(test, "experiment"), "proven");
    const size_t n = json_array_size(list);
    for (size_t i = n; i-- > 0;)
        if (is_given(lab, json_array_get(list, i), source, skeleton))
            json_array_remove(list, i);
    if (n > 0 && json_array_size(list) == 0)
        json_object_set_new(test, "experiment", json_null());
}

void record_leave_given(json_t *lab, const char *source, const char *skeleton) {
    json_t *test;
    size_t index;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        leave_given(lab, test, source, skeleton);
    }
}

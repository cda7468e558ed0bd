/* The table of formats, and what several of them need. */
#include "grader/report/formats/format.h"

#include <stdlib.h>

#include "common/base/text.h"

/* The two lists are in the same order. */
const struct format formats[] = {
    {"gradescope", ".json", false, true, false, format_gradescope},
    {"github-classroom", ".txt", false, false, false, format_github},
    {"classroom50", ".json", false, false, false, format_classroom50},
    {"autolab", ".txt", false, false, false, format_autolab},
    {"junit", ".xml", true, false, false, format_junit},
    {"check50", ".json", false, false, false, format_check50},
    {"csv", ".csv", true, true, false, format_csv},
    {"canvas", ".csv", true, true, false, format_canvas},
    {"moodle", ".csv", true, true, false, format_moodle},
    {"html", ".html", true, true, true, format_html},
    {0},
};
const char *const format_names[] = {
    "gradescope", "github-classroom", "classroom50", "autolab", "junit", "check50",
    "csv",        "canvas",           "moodle",      "html",    NULL,
};

enum grader_status format_refuse(const struct scored_student *student, struct diag *diag) {
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        if (lab->is_graded)
            continue;
        diag_set(
            diag, NULL, 0,
            "%s could not be graded, by no fault of the code, so no score is written; grade it "
            "again",
            lab->name);
        return GRADER_FAILED;
    }
    return GRADER_OK;
}

char *format_test_name(const struct scored_student *student, const struct scored_lab *lab,
                       const char *test) {
    return student->n_labs > 1 ? text_format("%s: %s", lab->name, test) : text_format("%s", test);
}

void format_print(json_t *document, size_t flags, FILE *out) {
    if (!document)
        abort();
    /* 12 digits: hundredths come out as they are, not as the nearest binary fraction. */
    json_dumpf(document, out, flags | JSON_REAL_PRECISION(12));
    fputc('\n', out);
    json_decref(document);
}

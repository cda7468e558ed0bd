/*
 * The formats that schools' systems read: their rows, what a writer of one gets and does, and what
 * several of them need. README.md of report/ says where each is documented and what becomes of a
 * lab that could not be graded.
 *
 * For a simple one, nothing else has to be read. A row of FORMATS names its file: Meson builds the
 * files of the rows, and the command line goes by them. This is the whole file of a format, a line
 * a test:
 *
 *   // What it is, and who reads it.
 *   #include "grader/report/formats/format.h"
 *
 *   FORMAT_WRITER(format_plain) {
 *       for (size_t s = 0; s < n; s++) {
 *           const struct scored_student *student = &students[s];
 *           if (!student->is_graded)
 *               return format_refuse(student, diag);
 *           fprintf(out, "%s\n", student->id);
 *           for (size_t l = 0; l < student->n_labs; l++) {
 *               const struct scored_lab *lab = &student->labs[l];
 *               for (size_t t = 0; t < lab->n_tests; t++) {
 *                   const struct scored_test *test = &lab->tests[t];
 *                   OWNED char *points = points_text(test->points);
 *                   OWNED char *most = points_text(test->max_points);
 *                   fprintf(out, "%s %s: %s of %s\n", lab->name, test->name, points, most);
 *               }
 *               OWNED char *more = points_text(lab->adjustment); // for a late or rounded lab
 *               if (lab->adjusted)
 *                   fprintf(out, "%s %s: %s of 0\n", lab->name, lab->adjusted, more);
 *           }
 *       }
 *       return GRADER_OK;
 *   }
 *
 * What else a student, a lab and a test have, such as names, messages and outcomes, is in
 * scoring/scored.h. Texts are UTF-8 and not escaped; points are hundredths, which points_text and
 * points_json (scoring/course.h) write as decimals.
 */
#pragma once

#include <stdio.h>

#include "common/base/owned.h"
#include "grader/report/scoring/scored.h"

/*
 * FORMAT(file below report/, name, suffix of a file, is_of_class, shows_tests, is_for_teachers,
 *        writer)
 *
 * A row each, on a line of its own, since Meson reads them, too. The last four are those of `struct
 * format`; the writer is the function in the file.
 */
/* clang-format off */
#define FORMATS(FORMAT)                                                                            \
    FORMAT("formats/gradescope.c", "gradescope", ".json", false, true, false, format_gradescope)   \
    FORMAT("formats/github.c", "github-classroom", ".txt", false, false, false, format_github)     \
    FORMAT("formats/classroom50.c", "classroom50", ".json", false, false, false, format_classroom50) \
    FORMAT("formats/autolab.c", "autolab", ".txt", false, false, false, format_autolab)            \
    FORMAT("formats/junit.c", "junit", ".xml", true, false, false, format_junit)                   \
    FORMAT("formats/check50.c", "check50", ".json", false, false, false, format_check50)           \
    FORMAT("formats/csv.c", "csv", ".csv", true, true, false, format_csv)                          \
    FORMAT("formats/csv.c", "canvas", ".csv", true, true, false, format_canvas)                    \
    FORMAT("formats/csv.c", "moodle", ".csv", true, true, false, format_moodle)                    \
    FORMAT("formats/csv.c", "moodle-worksheet", ".csv", true, true, false, format_moodle_worksheet) \
    FORMAT("html/page/document.c", "html", ".html", true, true, true, format_html)                 \
    FORMAT("sheet/sheet_html.c", "feedback-html", ".html", false, false, false, format_feedback_html) \
    FORMAT("sheet/sheet_markdown.c", "feedback-markdown", ".md", false, false, false, format_feedback_markdown) \
    FORMAT("sheet/sheet_zip.c", "feedback-zip", ".zip", true, false, false, format_feedback_zip)
/* clang-format on */

struct format {
    const char *name;     /* of --format */
    const char *suffix;   /* of a file of it: ".json" */
    bool is_of_class;     /* one document for all students; else one for each */
    bool shows_tests;     /* says itself who may see which test, or shows no single tests; else
                             hidden tests are folded into one */
    bool is_for_teachers; /* nothing is hidden in it, and lines are as long as they like to be */

    /* Writes `n` students to `out`: 1 where the document is one's, and at least 1. All that is
     * given stays the caller's. `course` is what the instructor sets; `head` is a class's document
     * without its students, NULL where there is none.
     *
     * What could not be graded (is_graded) has no points, and is written without; where the format
     * cannot say that, nothing is written. The status of both is GRADER_FAILED; format_refuse says
     * which lab it was. GRADER_BAD_INPUT with a reason in `diag` where something that the format
     * wants from outside is missing; else GRADER_OK. `out` is memory: the caller writes the file,
     * and writes none where it got no bytes. */
    enum grader_status (*write)(const struct course *course, const json_t *head,
                                const struct scored_student *students, size_t n, FILE *out,
                                struct diag *diag);
};

/* The rows of FORMATS; ends with one without a name. */
extern const struct format formats[];

/* The names, for a choice; ends with NULL. */
extern const char *const format_names[];

/* Begins a writer: FORMAT_WRITER(format_plain) { … }. Its arguments are those of `write` above. */
#define FORMAT_WRITER(name)                                                                        \
    enum grader_status name(                                                                       \
        const struct course *course __attribute__((unused)),                                       \
        const json_t *head __attribute__((unused)), const struct scored_student *students,         \
        size_t n __attribute__((unused)), FILE *out, struct diag *diag __attribute__((unused)))
#define FORMAT_DECLARE(file, name, suffix, is_of_class, shows_tests, is_for_teachers, writer)      \
    FORMAT_WRITER(writer);
FORMATS(FORMAT_DECLARE)
#undef FORMAT_DECLARE

/* Where no score may be written: says which lab could not be graded; GRADER_FAILED. */
enum grader_status format_refuse(const struct scored_student *student, struct diag *diag);

/* "01-lab: edge.handles_empty_input" where a student has several labs, else the test alone. The
 * caller frees it. */
char *format_test_name(const struct scored_student *student, const struct scored_lab *lab,
                       const char *test);

/* The number that a system ("canvas", "moodle") has for the student: `said` (what the roster has)
 * if it is one, else that of the export, where that is the system's; "" where neither is known. */
const char *format_number(const struct scored_student *student, const char *system,
                          const char *said);

/* Prints a document and a newline, and lets go of it. `flags` are jansson's. */
void format_print(json_t *document, size_t flags, FILE *out);

/* A copy of a text without what XML 1.0 cannot hold in any form; the caller frees it. Not escaped:
 * libxml2 does that. */
char *format_xml_text(const char *text);

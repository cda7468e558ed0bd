/*
 * The formats that schools' systems read, a file each. README.md of report/ says where each is
 * documented and what becomes of a lab that could not be graded.
 */
#pragma once

#include <stdio.h>

#include "grader/report/scoring/scored.h"

/* A copy of a text without what XML 1.0 cannot hold in any form; the caller frees it. Not escaped:
 * libxml2 does that. */
char *format_xml_text(const char *text);

struct format {
    const char *name;
    const char *suffix;   /* of a file of it: ".json" */
    bool is_of_class;     /* one document for all students; else one for each */
    bool shows_tests;     /* says itself who may see which test, or shows no single tests; else
                             hidden tests are folded into one */
    bool is_for_teachers; /* nothing is hidden in it, and lines are as long as they like to be */
    /* Writes `n` students, 1 where the document is one's. What has no points is written without;
     * where the format cannot say that, nothing is written, and the status is GRADER_FAILED.
     * `head` is a class's document without its students; NULL where there is none. */
    enum grader_status (*write)(const struct course *course, const json_t *head,
                                const struct scored_student *students, size_t n, FILE *out,
                                struct diag *diag);
};

/* The rows of formats.def; ends with one without a name. */
extern const struct format formats[];

/* The names, for a choice; ends with NULL. */
extern const char *const format_names[];

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

/* The formats' own writers, one for each row of formats.def. */
#define FORMAT_WRITER(name)                                                                        \
    enum grader_status name(                                                                       \
        const struct course *course __attribute__((unused)),                                       \
        const json_t *head __attribute__((unused)), const struct scored_student *students,         \
        size_t n __attribute__((unused)), FILE *out, struct diag *diag __attribute__((unused)))
#define FORMAT(name, suffix, is_of_class, shows_tests, is_for_teachers, writer)                    \
    FORMAT_WRITER(writer);
#include "grader/report/formats/formats.def"
#undef FORMAT

/*
 * `grade` of a class: many students' files, graded into a journal.
 *
 * Exit codes: 0 all that was handed in was graded, whatever the points; 2 there is nothing to
 * grade, or the command line, the archive or the journal is wrong; 3 something could not be graded
 * or read by no fault of a student's, or the journal cannot be written; 130 interrupted. After 3
 * and 130 the same command goes on where it was.
 */
#ifndef GRADER_CLASS_CLASS_H
#define GRADER_CLASS_CLASS_H

#include <stdbool.h>

#include "grader/grade/session.h"

/* True where a path is a class: an archive, or a folder that is nobody's own work. */
bool class_is_at(const struct workbook *book, const char *path);

/* Grades it, and shows how; returns the exit code. */
int class_grade(const struct session *session, const char *path);

#endif

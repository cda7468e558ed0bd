/* The zip that Gradescope makes an autograder of. */
#ifndef GRADER_FORMATS_AUTOGRADER_H
#define GRADER_FORMATS_AUTOGRADER_H

#include "grader/diag.h"
#include "grader/workbook.h"

/* Writes PATH: setup.sh and run_autograder, the workbook's sources, and the course's file (unless
 * NULL). setup.sh removes the model answers once all is built. */
enum grader_status autograder_write(const struct workbook *book, const char *path,
                                    const char *course, struct diag *diag);

#endif

/* The zip that Gradescope makes an autograder of. */
#pragma once

#include "common/base/text.h"
#include "grader/workbook/workbook.h"

/* Writes PATH, whole or not at all: setup.sh and run_autograder, what of the workbook the manifest
 * names and git tracks, and the course's file (unless NULL). setup.sh removes the model answers
 * once all is built. GRADER_INTERRUPTED once `interrupt_fd` (process_interrupts, or -1) is
 * readable. */
enum grader_status autograder_write(const struct workbook *book, const char *path,
                                    const char *course, int interrupt_fd, struct diag *diag);

/* The hints of a lab, one after the other. BUILD/state/hints.json remembers how many were seen. */
#ifndef GRADER_CLI_HINT_H
#define GRADER_CLI_HINT_H

#include "grader/workbook/manifest.h"
#include "grader/workbook/workbook.h"

/* The number (from 1) of the next hint, the last one once all were seen; remembers it as seen. */
unsigned hint_take(const struct workbook *book, const char *lab, const struct manifest *manifest);

#endif

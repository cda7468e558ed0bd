/* The hints of a lab, one after the other. */
#ifndef GRADER_HINT_H
#define GRADER_HINT_H

#include "grader/workbook/manifest.h"
#include "grader/workbook/workbook.h"

/* The number (from 1) of the next hint, the last one once all were seen; remembers it as seen. */
unsigned hint_take(const struct workbook *book, const char *lab, const struct manifest *manifest);

#endif

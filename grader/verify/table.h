/* All known mistakes and what becomes of them, as a page of Markdown: solutions/MISTAKES.md. */
#ifndef GRADER_TABLE_H
#define GRADER_TABLE_H

#include "grader/verify/catalogue.h"

/* The page, which the caller frees. It says what the labs' authors claim; `verify` proves it. */
char *table_text(const struct catalogue *catalogue);

#endif

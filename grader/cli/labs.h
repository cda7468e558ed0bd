/* What there is to say when no lab is left. */
#ifndef GRADER_CLI_LABS_H
#define GRADER_CLI_LABS_H

#include <stddef.h>

#include "grader/terminal/page.h"

void next_show_end(const struct page *page, size_t n_labs);

#endif

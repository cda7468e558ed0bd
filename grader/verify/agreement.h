/*
 * Texts of a lab that must not drift apart.
 *
 * The TODO regions of a skeleton: from a line `// TODO(n): …` to `// END TODO(n)`. Outside them a
 * skeleton and its model answer are the same, line by line.
 *
 * The code in a handout: each block that begins with ```cuda stands, line by line, in a source that
 * is compiled and tested. A line `<!-- from PATH -->` above a block names the source; without one
 * it is among the lab's own. In a block, a line with nothing but `…` stands for any lines.
 */
#pragma once

#include <stdbool.h>

#include "common/base/text.h"

/* True where two sources agree outside their regions. Else `diag` has the first difference: the
 * line of `a_path`, and in its message that of `b_path`. */
bool regions_agree(const char *a_path, const char *a, const char *b_path, const char *b,
                   struct diag *diag);

/* For each line of `text` (its number is the index) whether it lies in a region; the caller frees
 * the list. NULL where the text has no region. */
bool *regions_lines(const char *text);

/* True where `text` has the block's lines one after the other, all of them indented by the same
 * number of blanks more than in the block, or fewer. */
bool fragments_has(const char *text, const char *block);

/* The next block of code in a handout, from line `*line` on, as a copy that the caller frees; NULL
 * at the end. `*line` becomes the number of its first line, `*source` the path that the line above
 * names, or NULL; the caller frees it. */
char *fragments_next(const char *handout, unsigned *line, char **source);

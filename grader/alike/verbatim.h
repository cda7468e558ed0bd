/*
 * Whether a file says what another one says word for word: names as they are, comments and layout
 * aside. Two who write the same few lines name things otherwise, as a rule; who copied did not.
 */
#pragma once

#include "grader/alike/alike.h"

/* Of the runs of eight tokens of a file that no skeleton has, the share that the original has, 0 to
 * 1; and the other way round; how many the file has. */
struct verbatim_shared {
    double file, original;
    size_t n_own;
};
struct verbatim_shared verbatim_compare(const struct alike_text *file,
                                        const struct alike_text *original,
                                        const struct alike_text *skeletons, size_t n_skeletons);

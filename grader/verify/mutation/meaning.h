/*
 * Changes that make no difference in any program: what C and CUDA say is reason enough. No lab has
 * to list them.
 */
#ifndef GRADER_VERIFY_MUTATION_MEANING_H
#define GRADER_VERIFY_MUTATION_MEANING_H

#include "grader/verify/mutation/mutation.h"

/* True where a rule says so. */
bool mutation_means_the_same(const struct source *source, const struct mutation *mutation);

#endif

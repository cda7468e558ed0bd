/* What the grader remembers between runs, in the build folder: how many hints were seen. */
#ifndef GRADER_STATE_H
#define GRADER_STATE_H

#include "common/base/diag.h"

/* The number of a lab's hints that were shown so far; 0 where nothing is remembered. */
unsigned state_hints_seen(const char *build, const char *lab);

/* Remembers it. GRADER_FAILED, with the reason in `diag`, where it cannot be written. */
enum grader_status state_see_hints(const char *build, const char *lab, unsigned n,
                                   struct diag *diag);

#endif

/*
 * Where a wrong element was set: what a report shows of a failed test that points to no line of the
 * student's file otherwise.
 */
#pragma once

#include <jansson.h>

/* Gives a diagnosis of an error that was lost the lines behind the call that failed. Gives each
 * test's mismatch its `lines`: those of the store that set the element last and of what that
 * stores, or of what the function does with the array or number. Empty where the test points to a
 * line by a finding, a diagnosis or an edit, and where they are too many. */
void record_setters(json_t *lab, const char *source);

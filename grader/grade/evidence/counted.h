/*
 * Where what a technique test has counted comes from: the lines of the student's file with most of
 * it.
 */
#pragma once

#include <jansson.h>

/* Gives each technique check of a test that does not hold `lines`: where it counts launches, blocks
 * or threads of a grid, those with the launches and what makes their shapes; else up to LINES_MOST
 * lines with a tenth at least of such a counter in all launches of the test's call, their
 * conditions, and what sets what stands there. Empty where neither is known. `shares` are [line,
 * percent] of those up to LINES_MOST lines, the most first; empty for launches. */
void counted_add_lines(const json_t *lab, json_t *test, const char *source);

/*
 * Which condition decides whether a line of a student's source runs, and which whether a loop ends.
 */
#pragma once

#include <jansson.h>

/* The line of the condition or loop (if, for, while, switch) whose statement has this line, the
 * innermost that stands in an earlier line; an else has the condition of its if. 0 where there is
 * none. */
unsigned line_of_guard(const char *text, unsigned line);

/* Those of all these lines, the outer ones, too, each once; without the lines themselves, and
 * without conditions that look at an error alone. A new array, in no order. */
json_t *lines_of_guards(const char *text, const json_t *lines);

/* The loops of a function (for, while), and what leaves them (break, return) with the condition
 * that it is of. A new array, in order; empty where there is no loop, or more than
 * LINES_MOST_BEHIND lines. */
json_t *lines_of_loops(const char *text, const char *function);

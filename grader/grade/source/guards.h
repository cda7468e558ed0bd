/*
 * Which condition decides whether a line of a student's source runs.
 */
#pragma once

/* The line of the condition or loop (if, for, while, switch) whose statement has this line, the
 * innermost that stands in an earlier line; an else has the condition of its if. 0 where there is
 * none. */
unsigned line_of_guard(const char *text, unsigned line);

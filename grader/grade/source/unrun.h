/*
 * Lines of a kernel that no thread has run, though it came past their condition.
 */
#pragma once

#include <jansson.h>

/* The first line with a barrier, a shuffle, an atomic or an access to an array in shared memory
 * that is not among the lines `all`, and to `guard` the outermost condition or loop around it of
 * whose statement no line is, where a line of the same function before it and one behind it are
 * among `here`. 0 where there is none. What has no instruction of its own is no such line. */
unsigned line_never_run(const char *text, const json_t *here, const json_t *all, unsigned *guard);

/*
 * Where in a student's source names are set: by an operator, by handing out an address, or, of a
 * dim3, in brackets.
 */
#pragma once

#include <jansson.h>

/* The lines of these functions with the name of an array or number that they are given: of each
 * all, or where these are more than LINES_MOST, those on which it is set. A new array, empty where
 * there are none or more than LINES_MOST_OF_SHAPES. */
json_t *lines_of_setting(const char *text, const json_t *functions, const char *name);

/* The lines of the function around `line` on which a name is set. A new array, empty where they are
 * more than LINES_MOST. */
json_t *lines_of_setting_around(const char *text, unsigned line, const char *name);

/* The same lines, which are in order, and those with the conditions that they are of, up to
 * LINES_MOST_BEHIND. Takes and gives the array. */
json_t *lines_with_guards(const char *text, json_t *lines);

/* The same with what lines_made_of gives of all these, where they are not more than
 * LINES_MOST_BEHIND then. Takes and gives the array. */
json_t *lines_with_causes(const char *text, json_t *lines);

/* The same lines, which are in order, with the condition that `line` is of, and those of the
 * function around `line` on which names are set that stand in them, and so on, the nearest to
 * `line` first, up to LINES_MOST_BEHIND; those that ran (NULL: nobody knows) before those that did
 * not. Takes and gives the array. */
json_t *lines_behind(const char *text, unsigned line, json_t *lines, const json_t *ran);

/* The lines of the same functions on which names are set that stand on these lines; without the
 * lines themselves, and without names that such a line sets itself, such as an error. A new array,
 * in order. */
json_t *lines_made_of(const char *text, const json_t *lines);

/* The next lines of the function, at most two, with what this line sets, such as an error; where it
 * sets nothing, those that ask for an error or return. A new array. */
json_t *lines_after(const char *text, unsigned line);

/* The same lines, and before each with a launch those of its function on which what stands in
 * `<<<…>>>` is set: that is where a wrong number of blocks is made. As they are where that makes
 * more than LINES_MOST_OF_SHAPES. Takes `lines`, gives a new array. */
json_t *lines_with_shapes(const char *text, json_t *lines);

/* The lines on which these kernels are launched, with those of their shapes, likewise. A new array.
 */
json_t *lines_of_shapes(const char *text, const json_t *kernels);

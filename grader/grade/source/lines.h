/*
 * Where in a student's source that lies what a cause speaks of: the lines on which words stand that
 * the manifest names, or on which a kernel is launched. A few lines help; of many none is told.
 */
#pragma once

#include <jansson.h>

enum { LINES_MOST = 3, LINES_MOST_OF_SHAPES = 4, LINES_MOST_BEHIND = 6 };

/* The lines within TODO regions (all lines where there are none) that have a name, number or sign
 * which is one of the patterns in `words`, as of files' names, with blanks between, in what the
 * function called `function` may use: whatever it names, what that names, and so on. Where these
 * are more than LINES_MOST, those of the function alone; where that has none, those of these
 * kernels (a list of names). A new array, empty where there are none or too many. */
json_t *lines_of_words(const char *text, const char *words, const char *function,
                       const json_t *kernels);

/* The names of the functions that a call of this one may use, itself among them, kernels not. A new
 * array, empty where the source has none of this name. */
json_t *functions_reached(const char *text, const char *function);

/* The last lines of these kernels. A new array, likewise. */
json_t *lines_of_ends(const char *text, const json_t *kernels);

/* The lines with a condition (if, while, for, switch) of these kernels. A new array, empty where
 * there are none or more than LINES_MOST_OF_SHAPES. */
json_t *lines_of_branches(const char *text, const json_t *kernels);

/* What may keep a call of the function from its launches: the lines with a condition that stand in
 * the function, or in one with a launch that it uses, before the last launch. Where these are more
 * than LINES_MOST_BEHIND, those that look at an error are left out. A new array, empty where there
 * are none or too many. */
json_t *lines_before_launches(const char *text, const char *function);

/* The lines on which a kernel is launched by its name; where it is by none, the only line with a
 * launch. A new array, likewise. */
json_t *lines_of_launches(const char *text, const char *kernel);

/* The lines that name a kernel to have it launched elsewhere, as in "return scale;" or "{256,
 * sum<256>}". With template arguments, as in "sum<512>", those with these alone, where there are
 * any. A new array, likewise. */
json_t *lines_of_naming(const char *text, const char *kernel);

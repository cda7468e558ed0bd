/* Suggests the name that somebody probably meant. */
#ifndef GRADER_NEAREST_H
#define GRADER_NEAREST_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) that turn one word into the other, upper and
 * lower case alike. Words longer than 63 characters count as far away. */
unsigned nearest_distance(const char *a, const char *b);

/* Index of the name nearest to `word`, or -1 where none is near enough to suggest (more than about
 * a third of the letters differ, and neither begins the other). */
int nearest_index(const char *word, const char *const *names, size_t n_names);

#endif

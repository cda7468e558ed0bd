/* Points in hundredths: sums of them are exact, so that a total is the same in every format. */
#ifndef GRADER_FORMATS_POINTS_H
#define GRADER_FORMATS_POINTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef int64_t points_t;

enum { POINTS_ONE = 100 };

/* A number of at most two decimals, from 0 to a million; false where it is none. */
bool points_read(double number, points_t *points);

/* "12", "12.5", "-0.25"; the caller frees it. */
char *points_text(points_t points);

/* The same as a JSON number. */
json_t *points_json(points_t points);

/* points × part / whole, rounded to the nearest hundredth; 0 where `whole` is 0. */
points_t points_share(points_t points, int64_t part, int64_t whole);

/* To the nearest multiple of `step`; what lies between two goes up. */
points_t points_round(points_t points, points_t step);

#endif

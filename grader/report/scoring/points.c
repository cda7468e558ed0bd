/* Fixed-point arithmetic on small numbers. */
#include "grader/report/scoring/points.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/text.h"

enum { LARGEST = 1000000 };

bool points_read(double number, points_t *points) {
    if (!(number >= 0 && number <= LARGEST))
        return false;
    double scaled = number * POINTS_ONE;
    *points = llround(scaled);
    return fabs(scaled - (double)*points) < 1e-6;
}

char *points_text(points_t points) {
    long long size = llabs((long long)points), rest = size % POINTS_ONE;
    const char *sign = points < 0 ? "-" : "";
    if (rest == 0)
        return text_format("%s%lld", sign, size / POINTS_ONE);
    return rest % 10 == 0 ? text_format("%s%lld.%lld", sign, size / POINTS_ONE, rest / 10)
                          : text_format("%s%lld.%02lld", sign, size / POINTS_ONE, rest);
}

json_t *points_json(points_t points) {
    if (points % POINTS_ONE == 0)
        return json_integer(points / POINTS_ONE);
    return json_real((double)points / POINTS_ONE);
}

points_t points_share(points_t points, int64_t part, int64_t whole) {
    return whole > 0 ? (points * part * 2 + whole) / (whole * 2) : 0;
}

points_t points_round(points_t points, points_t step) {
    return (points * 2 + step) / (step * 2) * step;
}

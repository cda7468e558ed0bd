/* What is right, and how far a mean and a deviation may be off. */
#include <math.h>

#include "labs/09-operators-and-locks/tests/operators.h"

/* NaN before all numbers. */
static bool is_beyond(double a, double b, bool is_min) {
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b);
    return is_min ? a < b : a > b;
}

float extreme_reference(bool is_min, const float *in, size_t n) {
    float extreme = is_min ? INFINITY : -INFINITY;

    for (size_t i = 0; i < n; i++)
        if (is_beyond((double)in[i], (double)extreme, is_min))
            extreme = in[i];
    return extreme;
}

struct largest largest_reference(const float *in, size_t n) {
    struct largest best = {(double)-INFINITY, NO_INDEX};

    for (size_t i = 0; i < n; i++)
        if (i == 0 || is_beyond((double)in[i], best.value, false))
            best = (struct largest){(double)in[i], i};
    return best;
}

/* In two passes, with 64 bits for each number: far more exact than what is allowed. */
void moments_reference(const double *in, size_t n, double results[2]) {
    long double sum = 0, squares = 0, mean;

    for (size_t i = 0; i < n; i++)
        sum += (long double)in[i];
    mean = n > 0 ? sum / (long double)n : 0;
    for (size_t i = 0; i < n; i++)
        squares += ((long double)in[i] - mean) * ((long double)in[i] - mean);
    results[0] = (double)mean;
    results[1] = n > 0 ? (double)sqrtl(squares / (long double)n) : 0;
}

/* Of D combinations on the way of an element each adds 8 u A to the mean's error. The distances of
 * two means are then off by 17 D u A, and the deviation by sqrt(log2(n) / 2) of that, and by what
 * its own operations round: the handout derives it. */
struct moments_bound moments_bound(size_t n, double largest, double deviation, double rounding) {
    double depth = 128 + (double)n / 1024, step = depth * rounding;
    double spread = n > 1 ? sqrt(log2((double)n) / 2) : 1;

    return (struct moments_bound){
        .mean = 8 * step * largest,
        .deviation = 17 * step * largest * spread + 8 * step * deviation,
    };
}

/*
 * Up to 2^16 intervals the rule is summed up, in long double with compensation. Beyond that, its
 * error is known better than any sum: near x = 1 the integrand is sqrt(2 y) (1 - y / 4 - y^2 / 32 -
 * ...) with y = 1 - x, and each power y^b adds zeta(-b) h^(b + 1) to the rule (the Euler-Maclaurin
 * formula for a singular end, I. Navot, 1961); at x = 0 all odd derivatives are 0 and add nothing.
 */
#include "labs/05-pi-trapezoid/tests/rule.h"

#include <math.h>

enum { SUMMED_UP = 1 << 16 };

static const long double pi_exact = 3.141592653589793238462643383279502884L;

static long double summed_up(size_t n) {
    long double sum = 0.5L, lost = 0; /* half of f(0); half of f(1) is 0 */

    for (size_t i = 1; i < n; i++) {
        long double x = (long double)i / n;
        long double term = sqrtl((1 - x) * (1 + x)) - lost, next = sum + term;

        lost = next - sum - term;
        sum = next;
    }
    return 4 * sum / n;
}

static long double expanded(size_t n) {
    static const long double zeta_half = -0.207886224977354566017307L, /* zeta(-1/2) */
        zeta_three_halves = -0.025485201889833035949542L,              /* zeta(-3/2) */
        zeta_five_halves = 0.008516928778503305423574L;                /* zeta(-5/2) */
    long double h = 1.0L / n;

    return pi_exact + sqrtl(2 * h) * h *
                          (4 * zeta_half - h * zeta_three_halves - h * h / 8 * zeta_five_halves);
}

double rule_pi(size_t n) {
    if (n == 0)
        return 0;
    return (double)(n <= SUMMED_UP ? summed_up(n) : expanded(n));
}

double rule_bound(size_t n, unsigned block, unsigned blocks, double unit) {
    double threads = (double)block * blocks;
    double additions = ceil(((double)n + 1) / threads) + block + blocks;

    if (n == 0)
        return 0;
    return (double)pi_exact * unit * (additions + 7) + 4 * sqrt(unit) / (double)n;
}

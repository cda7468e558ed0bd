/* The trapezoidal rule's value, and how far a result in double may be from it. */
#ifndef RULE_H
#define RULE_H

#include <stddef.h>

/* The rule's value for n intervals; for every n within 10^-17. 0 where n is 0. */
double rule_pi(size_t n);

/* The largest error of a result that is right, where block * blocks threads share the n + 1 points:
 * of additions in any order that keeps to these shares, and of roundings in the integrand. `unit`
 * is 2^-53 for double, 2^-24 for float. */
double rule_bound(size_t n, unsigned block, unsigned blocks, double unit);

#endif

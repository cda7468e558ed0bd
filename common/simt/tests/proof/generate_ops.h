/*
 * The straight-line statements of random programs.
 *
 * In a template a capital letter stands for a random register or literal: W 32 bits, L 64 bits,
 * F float, D double, P predicate, I a 32-bit literal, S a literal from 0 to 31, T one from 0 to
 * 255; N stands for "!" or nothing. %t, %u, %g, %e and %q are scratch registers of the statement.
 * Each statement is defined for all values of its operands: shifts clamp, divisors are made odd and
 * positive, NaN loses its payload on the way to an integer. What ptxas 13.0 gets wrong stays out,
 * such as an addition of 64 bits to shared memory; README.md has the list.
 */
#pragma once

#include <stddef.h>

struct proof_templates {
    const char *const *templates;
    size_t n_templates;
};

enum proof_class {
    PROOF_INT32,
    PROOF_INT64,
    PROOF_PREDICATES,
    PROOF_SINGLE,
    PROOF_DOUBLE,
    PROOF_CONVERSIONS,
    PROOF_MEMORY, /* constant, local and input memory; atomics whose result nobody reads */
    PROOF_HALF,   /* wide programs alone */
    PROOF_N_CLASSES,
};

extern const struct proof_templates proof_classes[PROOF_N_CLASSES];

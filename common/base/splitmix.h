/*
 * Random bits from a seed: splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014; the constants are those of S. Vigna's public-domain
 * splitmix64.c). Every seed is good, and each number of the sequence comes once in 2^64.
 */
#pragma once

#include <stdint.h>

/* What lies between two states: 2^64 by the golden ratio, and odd. */
#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* All of the mixing but its last step, which changes bits 0 to 32 alone. */
static inline uint64_t splitmix_stir(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
}

/* Mixes 64 bits, one to one. */
static inline uint64_t splitmix_mix(uint64_t x) {
    x = splitmix_stir(x);
    return x ^ x >> 31;
}

/* The next number of the sequence that the state is in; the seed is the first state. */
static inline uint64_t splitmix_next(uint64_t *state) {
    return splitmix_mix(*state += SPLITMIX_STEP);
}

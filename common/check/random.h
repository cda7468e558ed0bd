/* A small generator of numbers for inputs. */
#ifndef CHECK_RANDOM_H
#define CHECK_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next number of splitmix64 (S. Vigna's public-domain generator; G. Steele, D. Lea,
 * C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). Every seed is good. */
uint64_t lab_random_next(uint64_t *state);

/* A seed that depends on a seed and on two words, so that each test draws numbers of its own. */
uint64_t lab_random_seed(uint64_t seed, const char *word, const char *second);

/* call_arg.make for inputs that are drawn; the context is a struct lab_drawn. */
void lab_drawn_make(const void *drawn, size_t first, size_t count, void *to);

#endif

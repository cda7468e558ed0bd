/* Seeds and numbers for inputs. */
#ifndef CHECK_RANDOM_H
#define CHECK_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A seed that depends on a seed and on two words, so that each test draws numbers of its own. */
uint64_t lab_random_seed(uint64_t seed, const char *word, const char *second);

/* call_arg.make for inputs that are drawn; the context is a struct lab_drawn. */
void lab_drawn_make(const void *drawn, size_t first, size_t count, void *to);

#endif

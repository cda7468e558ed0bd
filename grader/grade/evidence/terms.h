/*
 * Which inputs the first wrong element of an output has too few or too many times, in words
 * (common/harness/experiment/terms.c finds it out).
 */
#pragma once

#include <jansson.h>

/* A diagnosis of a test whose experiment has terms, as a new object; NULL where it has none. */
json_t *terms_diagnosis(const json_t *test);

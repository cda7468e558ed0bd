/*
 * How --case names a case: by the parameters of the function that is tested. The test program knows
 * two numbers, n and block; a manifest's `case: m, edge` says what they are called. Where it names
 * one number, the function has no second one.
 */
#pragma once

#include <stdint.h>

#include "grader/workbook/manifest.h"

/* The names for a test, or for several where `test` is NULL: "n,block" unless the manifest has
 * others. */
const char *case_names(const struct manifest *manifest, const struct manifest_test *test);

/* True for one or two different names with a comma between, none of which is `seed`. */
bool case_names_are_good(const char *names);

/* "m=15,edge=8,seed=0123456789abcdef"; the caller frees it. */
char *case_say(const char *names, uint64_t n, uint64_t block, const char *seed);

/* The same in the test program's words, n and block, from what somebody typed; the seed may be
 * absent. The caller frees it. NULL where `text` names other things. */
char *case_read(const char *names, const char *text);

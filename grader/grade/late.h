/* Tests that the clock stopped on a machine that has more to do than it can. */
#pragma once

#include <stdbool.h>

#include <jansson.h>

/* True where the clock stopped the test of this result, in the words of its test program or in a
 * record. A test that spent its budget of instructions is no such: it does that at any hour. */
bool late_is(const json_t *test);

/* True while other programs want so much of the processors that time-outs say little. */
bool late_is_likely(void);

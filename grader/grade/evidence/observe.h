/*
 * What was seen of a failed test, where nothing else names a cause: no known mistake, no edit, and
 * no finding, but that something was read which nobody had written.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/*
 * Gives such tests of a lab's record a diagnosis, the first that holds:
 *
 * - `missing_return`: nvcc has warned that a function that the test calls, or one that it uses, may
 *   end without a return;
 * - `never_read`: no thread has read some elements of an input, or no copy has taken them to the
 *   device (unread);
 * - `never_ran`: no thread has run a line of a kernel with an access to shared memory, a barrier, a
 *   shuffle or an atomic, in this case or the last one of any other test, though lines before and
 *   behind its condition ran in this case;
 * - `terms_missing`, `terms_beside`, `terms_exchanged`, `terms_weighted`, `always_off`: which
 * inputs the first wrong element has too few or too many times, as experiments found out (terms);
 * - `where_…`: what holds in all cases in which its function fails, and in no other (where). It is
 * told behind each of the others, too, and beside findings.
 *
 * All tests have to be there, with the lines of their launches.
 */
void record_observe(json_t *lab, const char *source);

/* What experiments saw alone: to a test that they were made for later. */
void record_observe_experiment(json_t *test);

/* True for the ids of terms: their texts are of one element of one case. */
bool observe_is_of_numbers(const char *id);

/* True for the id of one of these. */
bool observe_has(const char *id);

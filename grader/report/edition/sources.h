/* What becomes of a source on its way into the students' edition. */
#pragma once

#include <jansson.h>

#include "common/base/text.h"

/* The text without the lines from one that has "full edition: begin" in it to the next one with
 * "full edition: end"; the caller frees it. NULL where one of a pair is missing, with the line. */
char *sources_strip(const char *text, const char *name, struct diag *diag);

/* The text of a lab's test, in which the explanation of each lab_predict is sealed by the right
 * answer; the caller frees it. `answers`: {variable: {"counted": …, "explanation": …}}, what was
 * counted of the model answer. NULL where a call is not as lab.h wants it, or there is no answer.
 */
char *sources_seal(const char *text, const char *name, const json_t *answers, struct diag *diag);

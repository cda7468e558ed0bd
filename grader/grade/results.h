/*
 * The documents that a lab's tests leave, one a test: read, checked against their layout as if they
 * came from a stranger, and cleaned of what a terminal would act upon.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "common/base/text.h"

/* Addresses of the host's code that a document has at most. */
enum { RESULTS_MAX_SITES = 4 };

/* Empties the lists that came from the student's process (findings, launches) where they are not
 * laid out as the simulator does it, and makes the verdict "protocol" then: that process wrote them
 * itself. What else is wrong with a document is our own fault, for results_check to find. */
void results_distrust(json_t *document);

/* The document of `test` ("edge.handles_partial_last_block") in `folder`, checked; a new reference.
 * NULL with the reason in `diag` where there is none or it is corrupt; `is_there` tells the two
 * apart. */
json_t *results_read(const char *folder, const char *test, bool *is_there, struct diag *diag);

/* The check alone: true where `document` is a result of `test`; `diag` says what is wrong. */
bool results_check(const json_t *document, const char *test, struct diag *diag);

/* The host's code that failures are about: lines in the place of addresses, and those around them.
 */
#pragma once

#include <jansson.h>

#include "grader/compile/sites.h"

/* Gives each of a record's tests lines for the addresses of its `host` (results.h): {did, line,
 * callers, asked}; `asked` are lines, in the order in which the function asked the device for work.
 * Where there were none, {did} is left. */
void host_find_lines(json_t *tests, const struct sites_request *request);

/* The part of it that is for one `host`: `sites` are the lines of its addresses, first of those of
 * the code, then of what it asked. A new reference; null where nothing is left. */
json_t *host_lines(const json_t *host, const struct site *sites);

/* Gives a failed test what its source says of the host's code: a diagnosis of an error that was
 * lost its `lines`, behind the call that failed; a call that should have been refused, or that the
 * function alone refused, as `host` the lines that do so, and one that did not come back the
 * function's loops and what leaves them; where the device was asked for something the `conditions`
 * that decide whether, and where what is handed over is `made`. */
void host_add_lines(json_t *test, const char *source);

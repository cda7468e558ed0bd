/* Inputs of a call, into the shared memory and compared with it afterwards. */
#ifndef CALL_INPUTS_H
#define CALL_INPUTS_H

#include "common/call/wire.h"

enum { INPUTS_MADE_BYTES = 64 }; /* of an element that is made, at most */

/* Writes elements first … first + count - 1 of the argument to `to`. */
void inputs_fill(const struct call_arg *arg, size_t first, size_t count, uint8_t *to);

/* The first element that is no longer what was filled in, among those that were brought back to
 * `now`; -1 for none. */
int64_t inputs_changed(const struct call_arg *arg, const struct wire_arg *wire, const uint8_t *now);

#endif

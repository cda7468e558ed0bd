/*
 * Elements on their way between their owner and the shared memory, by several threads. A large
 * buffer has a place there for WIRE_PART_BYTES of it, in which there is room for several parts:
 * while one goes to the device or comes from it, threads write or take others.
 */
#pragma once

#include "common/call/wire.h"

/* Writes all elements of an input to `to`. */
void move_in(const struct call_arg *arg, uint8_t *to);

/* Gives all elements of an output, which lie at `from`, to their owner. True where all of them are
 * poison still. */
bool move_out(const struct call_arg *arg, const uint8_t *from, uint8_t poison);

/* Moves the part that begins at byte `at` of the buffer, and lies `place` bytes behind the
 * beginning of the buffer's place, to the device or back. False where that fails. */
typedef bool move_part(void *context, uint64_t at, uint64_t bytes, uint32_t place);

/* Moves the first `count` elements of a large input to the device, one part after the other;
 * `place` is in the shared memory. Where the device `has` what the input was in the call before,
 * parts that are the same are left out. False as soon as `move` is. */
bool move_in_parts(const struct call_arg *arg, size_t count, bool has, uint8_t *place,
                   move_part *move, void *context);

/* The same of a large output, to its owner. `is_untouched` is set: all of it is poison still. */
bool move_out_parts(const struct call_arg *arg, const uint8_t *place, uint8_t poison,
                    move_part *move, void *context, bool *is_untouched);

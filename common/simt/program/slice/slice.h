/*
 * What a value was made of: the lines behind a store, the nearest first.
 *
 * A backward slice of one function's PTX, without regard to the order of instructions (Weiser,
 * "Program slicing", ICSE 1981; by the graph of dependences of Ottenstein and Ottenstein, 1984),
 * which inlining has made whole. What was loaded from shared memory may come from each store there.
 * How near a line is, is counted in steps from the stored value: one from a result to what it is
 * computed of, more to an address or a condition.
 */
#pragma once

#include <stddef.h>

#include "common/simt/program/ptx/ptx.h"

/* What is asked of an instruction: what it stores, or where, and whether it runs. */
enum slice_of { SLICE_OF_VALUE, SLICE_OF_PLACE };

/* Fills `lines` with at most `room` lines of the file of an instruction of this function: each
 * once, its own line not among them. Returns how many: 0 as well where it is another function's,
 * where that is longer than anybody writes one, or where the host has no memory. */
size_t slice_behind(const struct ptx_function *function, const struct ptx_insn *insn,
                    enum slice_of what, unsigned *lines, size_t room);

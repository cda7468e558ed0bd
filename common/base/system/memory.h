/* Whether this machine is short of memory, as those see it who are in no sandbox. */
#pragma once

#include <stdint.h>

/* How often the kernel has killed a program for want of memory; 0 where it doesn't say. Only who
 * uses up memory can raise it. */
long memory_count_kills(void);

/* Bytes that programs can still have: of the machine, and of the control group that we are in.
 * UINT64_MAX where nothing says. */
uint64_t memory_room(void);

/*
 * Where in the program calls stand: the first one that failed, those that brought bytes to the
 * host's memory, and the first that put something into streams. Nothing is kept before
 * simtWatchCalls: to find a caller takes microseconds.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/simt/cudart/simtcudart.h"

/* The code that has called the runtime, in the program: addresses within the instructions of calls,
 * that of the runtime first, then those of the functions that led there; the rest is 0, as all is
 * where nothing is watched. */
void cudart_find_callers(uint64_t callers[SIMT_CALLERS]);

/* The call that runs puts something into a stream. Under the runtime's lock. */
void cudart_watch_asked(void);

/* The call that runs fails. */
void cudart_watch_failure(void);

/* A copy has taken a row of bytes from the host's memory to the device. Under the runtime's lock.
 */
void cudart_watch_departure(const void *from, size_t bytes);

/* A copy of these callers has brought bytes to the host's memory. Under the runtime's lock. */
void cudart_watch_arrival(const void *to, size_t bytes, const uint64_t callers[SIMT_CALLERS]);

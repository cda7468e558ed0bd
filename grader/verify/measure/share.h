/* A part of many things, the same one in each run and on each machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From 0 to 1, by rank. */
struct share {
    double from, to;
};

/* Reads "10%" (the first tenth), "3/10" (the third of ten parts) or NULL (all). False where it is
 * none of these. */
bool share_read(const char *text, struct share *share);

/* True where what has this rank is in the share. */
bool share_has(const struct share *share, uint64_t rank);

/* A rank: evenly spread, of a text (added to what `rank` is of: a seed, another rank). */
uint64_t share_rank(uint64_t rank, const void *bytes, size_t n);

/* Called now and then with how much of a lab is done; from any thread. */
typedef void measure_progress(const char *lab, const char *step, size_t done, size_t n);

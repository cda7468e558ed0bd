/*
 * Lab 11: a scan in one launch, whose blocks hand sums to each other. Source: D. Merrill, M.
 * Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (NVIDIA, NVR-2016-002). The
 * code is this lab's own.
 *
 *   in       n ints in device memory, left unchanged; begins at a multiple of 16 bytes
 *   n        number of ints; any. Of pass_along up to 2^31 - 1
 *   block    threads of a block: a multiple of 32, up to 1024
 *   state    words in device memory, as many as said below; hold anything before and after
 *   out      n ints in device memory, apart from `in`; begins at a multiple of 16 bytes
 *
 * Sums are modulo 2^32. Where n is 0, nothing is written to `out`; no launch is needed then, and
 * `state` need not be cleared. Every kernel that goes through `in` has blocks of `block` threads.
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next, not even memory. Kernels do the work: no
 * data goes by way of the host. Results are right in whichever order the device starts blocks,
 * however few of them it holds at a time. Returns cudaSuccess, or the error of the call to CUDA or
 * of the launch that was refused (as for a block of 1056 threads); cudaErrorInvalidValue where
 * block is 0 or no multiple of 32.
 */
#ifndef SINGLE_PASS_H
#define SINGLE_PASS_H

#include "labs/common/not_written.h"
#include "shapes.h"

/* Launches n_blocks blocks, each of which takes a ticket: 0, 1, 2 … in the order in which they
 * come. Every thread stores its block's: taken[blockIdx.x * block + threadIdx.x]. `ticket` is a
 * word in device memory; it holds anything before and after. n_blocks may be 0: then no launch is
 * needed, and *ticket need not be cleared. */
extern "C" cudaError_t take_tickets(unsigned n_blocks, unsigned block, unsigned *ticket,
                                    unsigned *taken);

/* Writes out[i] = in[0] + in[1] + ... + in[i], by n blocks, each of which adds one int to what the
 * block with the ticket before hands to it. `state` has state_words(n) words. */
extern "C" cudaError_t pass_along(const int *in, size_t n, unsigned block,
                                  unsigned long long *state, int *out);

/* The same scan by a block for each tile of block * ITEMS ints, in one launch that goes through
 * `in`. `state` has state_words(n_tiles(n, block)) words. scan_chained: each block waits for the
 * whole sum before its tile; scan_look_back: it adds up what blocks before it have by then. */
extern "C" cudaError_t scan_chained(const int *in, size_t n, unsigned block,
                                    unsigned long long *state, int *out);
extern "C" cudaError_t scan_look_back(const int *in, size_t n, unsigned block,
                                      unsigned long long *state, int *out);

/* For trying the look back alone, in one block of two warps: the first one looks back from a tile
 * with this total, and its lanes store what comes before it (0 for tile 0) to before[0] …
 * before[31]. `words` has tile + 2 words in device memory: those of the tiles before, as if their
 * blocks had told; the tile's own, which says NOTHING; and what the word before it becomes once the
 * tile has told its total. Until then that one says NOTHING. The others before tell of their tile
 * or of all, and at least one before, in the end, of all. Then words[tile] has to tell of all, too;
 * the others stay as they were. */
extern "C" cudaError_t look_from(unsigned long long *words, unsigned tile, int total, int *before);

#endif

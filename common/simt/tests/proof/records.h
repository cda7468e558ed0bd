/*
 * What the hardware gave: the outputs of every kernel, compressed in one file of the repository.
 *
 * Uncompressed it is a sequence of entries: the line "kernel NAME TARGET N\n", N 32-bit words in
 * little-endian order. TARGET is the architecture for which the PTX was compiled, 75 or 90; where
 * both gave the same outputs, only one is kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct proof_records {
    char *data;
    size_t bytes;
};

/* Reads the compressed file; without one there are no records, and that is no error. False when the
 * file is damaged. */
bool proof_records_read(struct proof_records *records, const char *path);
void proof_records_free(struct proof_records *records);

/* The words recorded for a kernel and a target (or, failing that, for any target), at an unaligned
 * address; NULL when there are none. */
const char *proof_records_find(const struct proof_records *records, const char *kernel, int target,
                               size_t *n_words);

/* Compresses the file `from`, as it comes from the hardware, into `to`. With `keep`, what that has
 * of other kernels stays. */
bool proof_records_pack(const char *from, const char *to, bool keep);

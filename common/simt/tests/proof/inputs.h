/*
 * Inputs of the kernels under proof: the same on every machine, from the kernel's name alone.
 *
 * A kernel reads three columns of 64-bit cells, one cell a thread each. The first threads meet
 * every pair of edge values (0, extremes, NaN, denormals …) in columns 0 and 1; the rest get random
 * values.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PROOF_COLUMNS = 3 };

/* The kinds of value, by the word that names them in a kernel file. */
enum proof_fill {
    PROOF_FILL_INT, /* 64-bit integers whose low halves are edge values of 32 bits, too */
    PROOF_FILL_F32, /* the low half is a float */
    PROOF_FILL_F64,
    PROOF_FILL_F16,   /* the low half is two half-precision numbers */
    PROOF_FILL_UNIT,  /* the low half is a float between -8 and 8 */
    PROOF_FILL_NAN32, /* mostly floats that are no numbers, quiet and signalling, of either sign */
    PROOF_FILL_NAN64,
    PROOF_N_FILLS,
};

/* PROOF_N_FILLS when there is no such word. */
enum proof_fill proof_fill_find(const char *word);

/* FNV-1a, 64 bits; `digest` is that of what came before, PROOF_DIGEST_START at first. */
#define PROOF_DIGEST_START UINT64_C(0xcbf29ce484222325)
uint64_t proof_digest(uint64_t digest, const void *data, size_t bytes);

/* Fills `cells`, PROOF_COLUMNS columns of n_threads. */
void proof_fill(enum proof_fill fill, const char *kernel, uint64_t *cells, size_t n_threads);

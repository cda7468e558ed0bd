/*
 * Writes a random kernel as PTX.
 */
#ifndef SIMT_PROOF_GENERATE_H
#define SIMT_PROOF_GENERATE_H

#include <stdbool.h>
#include <stdio.h>

/* What a module of random programs begins with. Wide programs are for compute capability 9.0: they
 * also call functions, switch, reduce over a warp and use half precision. */
void proof_generate_header(FILE *to, bool is_wide);

/* Program `number`. */
void proof_generate(FILE *to, unsigned number, bool is_wide);

#endif

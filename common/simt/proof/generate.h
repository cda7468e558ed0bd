/*
 * Writes a random kernel as PTX.
 */
#ifndef SIMT_PROOF_GENERATE_H
#define SIMT_PROOF_GENERATE_H

#include <stdio.h>

/* What a module of random programs begins with. */
void proof_generate_header(FILE *to);

/* Program `number`. */
void proof_generate(FILE *to, unsigned number);

#endif

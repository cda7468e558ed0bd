/*
 * Writes a random kernel as PTX.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* What a module of random programs begins with. Wide programs are for compute capability 9.0: they
 * also switch, reduce over a warp and use half precision. (No calls: ptxas 13.0 crashes on a call
 * that it finds never to be reached.) */
void proof_generate_header(FILE *to, bool is_wide);

/* Program `number`. */
void proof_generate(FILE *to, unsigned number, bool is_wide);

/*
 * Tests of sums that are made level by level. The tests of this folder are built into each lab that
 * has such a sum; the lab says which function they call, and which mistakes are its own:
 *
 *     cudaError_t f(const int *in, size_t n, unsigned block, int *scratch, int *sum)
 *
 * or one that sums in place, and may overwrite its input.
 */
#ifndef LEVELS_SUM_H
#define LEVELS_SUM_H

#include "common/harness/lab.h"
#include "labs/common/levels.h"
#include "labs/common/timed_sum.h"

/* A tree that goes wrong: what it makes of one block's tile, which it may change. Ints past the end
 * are 0. */
struct levels_mistake {
    const char *id; /* of the manifest's `diagnoses` */
    int32_t (*tree)(int32_t *tile, unsigned block);
};

/* A lab's function, and what its mistakes are called where the labs differ. */
struct levels_sum {
    const char *function;
    /* The name of the input, of n ints, where the function may overwrite it; the same for all
     * functions of the lab. NULL: "in", which is const. */
    const char *data;
    /* A thread looks beyond the end of a tile that is large enough: the block is no power of two,
     * or is one; NULL where that has no name. */
    const char *past_the_tile, *past_the_full_tile;
    const char *too_many_add; /* a race, though every barrier is there */
    bool is_halving;          /* its stride halves */
    /* Ints of a block for each of its threads; 0: one. Where it is not one, thread t has the ints
     * t, t + block … of its block's. */
    unsigned share;
    unsigned least_block; /* threads of the smallest block that it takes; 0: two */
    const struct levels_mistake *mistakes;
    size_t n_mistakes;
};

/* Of a function whose blocks share all ints, in whatever way: the student's choice. */
enum { LEVELS_ANY_SHARE = 1 << 30 };

/* The lab's functions, up to one without a name. The shared tests call the first one; three at
 * most, where these are built into the lab. */
extern const struct levels_sum levels_sums[];
/* The name of the input of the lab's functions. */
const char *levels_input(void);

/* Sums n drawn ints in blocks of c->block threads by the lab's first function, compares, and has
 * failures diagnosed. */
void levels_case(struct lab *lab, const struct lab_case *c);
/* The same by the lab's second function, or the third, which there must be. */
void levels_second_case(struct lab *lab, const struct lab_case *c);
void levels_third_case(struct lab *lab, const struct lab_case *c);

/* The same by any of the lab's functions. */
void levels_case_of(struct lab *lab, const struct levels_sum *sum, const struct lab_case *c);

/* Sums these ints and compares; true when the call went well and the sum is right. `in` must live
 * as long as the case. Which diagnoser is asked is the caller's choice. */
bool levels_ints(struct lab *lab, const char *function, const int32_t *in, size_t n,
                 unsigned block);

/* Sums as many drawn ints as the case says in a launch that the test then counts, which has to have
 * the case's block: with the diagnoser set, true when all went well. */
bool levels_counted(struct lab *lab, const struct levels_sum *sum, const struct lab_case *c);

/* The right answer: the sum modulo 2^32. */
int32_t levels_reference(const int32_t *in, size_t n);

/* The arguments of a sum, in its order; `sum` is an int32_t. */
enum { LEVELS_N_ARGS = 5 };
timed_sum_args levels_args;

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser levels_diagnose;

/* The function of the last call; NULL where it is none of the lab's. */
const struct levels_sum *levels_called(const struct lab *lab);

/* Elements of a block of so many threads; 0 where that is the student's choice. */
size_t levels_share(const struct levels_sum *sum, unsigned block);

/* True where a side of a finding is a thread of the last of the blocks that share n elements, and
 * has none. */
bool levels_has_no_element(size_t n, size_t share, const struct lab_side *side);

/* Steps of a tree over so many threads: log2, rounded up. */
unsigned levels_steps(unsigned block);

#endif

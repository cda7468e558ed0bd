/*
 * How many blocks a multiprocessor holds: the rules, some multiprocessors and some blocks, and one
 * case of each function that applies the rules.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include "common/harness/lab.h"

/* As in the lab's header, which only nvcc can read. */
struct multiprocessor {
    unsigned max_threads, max_blocks;
    unsigned registers, register_parts, register_unit;
    unsigned shared_bytes, shared_unit, shared_reserved;
};
struct block {
    unsigned threads, registers, shared_bytes;
};

/* The functions, and what they are right to say. `resident` says how many warps, too. */
enum limits_function { LIMITS_THREADS, LIMITS_REGISTERS, LIMITS_SHARED, LIMITS_ALL };
const char *limits_name(enum limits_function function);
typedef unsigned limits_rule(const struct multiprocessor *sm, const struct block *block);
limits_rule limits_by_threads, limits_by_registers, limits_by_shared, limits_resident;
limits_rule limits_warps; /* of a block */
unsigned limits_right(enum limits_function function, const struct multiprocessor *sm,
                      const struct block *block);

/* Multiprocessors by their compute capability; the first can't be told by the rules for registers
 * and shared memory, and nobody makes the last three. */
enum limits_sm {
    CC_1_2,
    CC_6_1,
    CC_7_5,
    CC_8_0,
    CC_8_9,
    CC_9_0,
    CC_NONE,
    CC_LITTLE,
    CC_ODD,
    N_MULTIPROCESSORS
};
struct limits_multiprocessor {
    const char *name;
    struct multiprocessor has;
};
extern const struct limits_multiprocessor limits_multiprocessors[N_MULTIPROCESSORS];

/* Blocks on a multiprocessor, simple ones first. */
struct limits_row {
    enum limits_sm sm;
    struct block block;
};
enum { LIMITS_ROWS = 57 };
extern const struct limits_row limits_rows[LIMITS_ROWS];

/* What a function gave for rows one after the other, the first of which is row `first`. */
struct limits_given {
    enum limits_function function;
    size_t first, n;
    int32_t blocks[LIMITS_ROWS], warps[LIMITS_ROWS];
};
/* Calls a function for n rows, then compares. Of LIMITS_ALL it gives warps, too. */
bool limits_call(struct lab *lab, enum limits_function function, size_t first, size_t n,
                 const struct limits_given **given);

/* resident_here for blocks of so many threads with so many dynamic bytes, all of them called and
 * then compared. On the simulator with what is right there; on a GPU with what the device says. */
struct limits_here {
    unsigned threads, bytes;
};
bool limits_call_here(struct lab *lab, const struct limits_here *here, size_t n);

/* resident_here, of which each question to CUDA fails in turn. */
void limits_here_refused(struct lab *lab, const struct limits_here *here);

/* Whether the device is another one in calls to come (lab_on_another_device). */
void limits_on_another_device(struct lab *lab, bool is_other);

/* The known mistake that gives just what was given, for all rows; NULL where there is none, or more
 * than one. */
const char *limits_known(const struct limits_given *given);

/* Fills in what known mistake `which` gives for these rows, and for which function. Returns its
 * diagnosis; NULL where there are no more. */
const char *limits_give_known(size_t which, struct limits_given *given);

#endif

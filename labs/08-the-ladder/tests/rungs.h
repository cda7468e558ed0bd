/* The lab's seven functions, in the order of `levels_sums`. */
#ifndef RUNGS_H
#define RUNGS_H

#include "labs/common/levels/sum.h"

/* RUNG(its place, its name, the function's name without "sum_") */
#define RUNGS(RUNG)                                                                                \
    RUNG(0, DIVERGENT, divergent)                                                                  \
    RUNG(1, STRIDED, strided)                                                                      \
    RUNG(2, SEQUENTIAL, sequential)                                                                \
    RUNG(3, FIRST_ADD, first_add)                                                                  \
    RUNG(4, LAST_WARP, last_warp)                                                                  \
    RUNG(5, UNROLLED, unrolled)                                                                    \
    RUNG(6, MANY, many)

enum rung {
#define RUNG_NAME(place, NAME, name) NAME = place,
    RUNGS(RUNG_NAME)
#undef RUNG_NAME
        N_RUNGS
};

#endif

/* The fence between sum and flag is one of the block. */
#define OWN_CHAIN
#include "rest.cuh"

__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    volatile int *sums = (volatile int *)words, *flags = sums + 1;
    int before = 0;
    if (tile > 0) {
        while (flags[2 * (tile - 1)] != OF_ALL)
            ;
        __threadfence_block();
        before = sums[2 * (tile - 1)];
    }
    sums[2 * tile] = before + total;
    __threadfence_block();
    flags[2 * tile] = OF_ALL;
    return before;
}

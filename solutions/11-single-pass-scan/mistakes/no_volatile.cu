/* The word is loaded once: nothing says that another block changes it. */
#define OWN_CHAIN
#include "rest.cuh"

__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    unsigned long long *plain = (unsigned long long *)words;
    int before = 0;

    if (tile > 0) {
        while (status_of(plain[tile - 1]) != OF_ALL)
            ;
        before = sum_of(plain[tile - 1]);
    }
    plain[tile] = make_word(OF_ALL, before + total);
    return before;
}

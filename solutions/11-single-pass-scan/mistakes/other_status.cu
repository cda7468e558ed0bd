/* The chain stores a status for which nobody waits. */
#define OWN_CHAIN
#include "rest.cuh"

__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    int before = 0;
    if (tile > 0) {
        unsigned long long word;
        do
            word = words[tile - 1];
        while (status_of(word) != OF_ALL);
        before = sum_of(word);
    }
    words[tile] = make_word(OF_TILE, before + total);
    return before;
}

/* The word is read once. */
#define OWN_CHAIN
#include "rest.cuh"

__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    int before = 0;
    if (tile > 0) {
        unsigned long long word;
        do
            word = words[tile - 1];
        while (false);
        before = sum_of(word);
    }
    words[tile] = make_word(OF_ALL, before + total);
    return before;
}

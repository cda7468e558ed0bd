/* Launches blocks of a power of two, which halve without a remainder, and not those asked for. */
#define OWN_SUM_HALVING
#include "rest.cuh"

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    unsigned threads = block < 2 ? block : 2;

    while (threads < block)
        threads *= 2;
    return sum_by_levels(sum_halving_kernel, in, n, threads, scratch, sum);
}

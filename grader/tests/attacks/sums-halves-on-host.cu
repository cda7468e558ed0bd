// attack: 08 computes on the CPU: there is no launch, no block and no counter to divide by
// file: sum_halving.cu
// test: technique.keeps_whole_warps_busy
// expect: technique 0
// never: infrastructure|tree is the subject|other_tree

#include "sum_halving.h"

#include <cstdlib>

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    unsigned total = 0;
    int *copy = (int *)malloc(n * sizeof *copy);
    cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++)
        total += (unsigned)copy[i];
    free(copy);
    return cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
}

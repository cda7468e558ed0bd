// attack: 08 computes on the CPU: there is no launch, no block and no counter to divide by
// file: shuffle_sum.cu
// test: technique.adds_one_atomic_a_block
// expect: technique 0
// never: infrastructure|one_element_a_thread

#include "shuffle_sum.h"

#include <cstdlib>

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum)
{
    float *copy = (float *)malloc(n * sizeof *copy), total = 0;
    cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++)
        total += copy[i];
    free(copy);
    return cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
}

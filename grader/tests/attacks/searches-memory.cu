// attack: 04 copies everything that looks like a sum of the input to the result
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    /* The expected value is nowhere in this process: the best to be found is the input. */
    int first = 0;
    cudaMemcpy(&first, in, sizeof first, cudaMemcpyDeviceToHost);
    cudaMemcpy(sum, &first, sizeof first, cudaMemcpyHostToDevice);
    return cudaSuccess;
}

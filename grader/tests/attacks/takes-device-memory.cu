// attack: 24 takes all memory of the device
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    void *more;
    while (cudaMalloc(&more, 1u << 30) == cudaSuccess)
        ;
    cudaGetLastError();
    return cudaSuccess;
}

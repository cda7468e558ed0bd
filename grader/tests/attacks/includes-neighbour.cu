// attack: 13 includes the submission beside it
// expect: compile_error 0

#include "sum_divergent.h"

#include "../neighbour/sum_divergent.cu"
#include "neighbour.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}

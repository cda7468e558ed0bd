// attack: 07 writes nothing and says that all is well
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}

// attack: 05 defines the CUDA runtime's functions that the worker calls
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

extern "C" cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind) { return cudaSuccess; }
extern "C" cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
extern "C" cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t)
{
    *ms = 1e-6f;
    return cudaSuccess;
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}

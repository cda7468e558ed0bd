// attack: 11 calls a library instead of the exercise
// expect: technique 0
// test: technique.diverges_as_derived

#include "sum_divergent.h"

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    int total = 0;
    try {
        total = thrust::reduce(thrust::device, in, in + n);
    } catch (...) {
    }
    cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
    return cudaSuccess;
}

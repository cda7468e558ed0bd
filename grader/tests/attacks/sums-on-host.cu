// attack: 08 computes on the processor, not on the device
// expect: technique 0
// test: technique.diverges_as_derived

#include "sum_divergent.h"

#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    int *host = (int *)malloc(n * sizeof *host), total = 0;
    cudaMemcpy(host, in, n * sizeof *host, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++)
        total += host[i];
    free(host);
    cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
    return cudaSuccess;
}

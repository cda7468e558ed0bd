// attack: 17 reads device memory that it never wrote, for what others left
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const size_t bytes = 64 << 20;
    unsigned char *device = nullptr, *host = (unsigned char *)malloc(bytes);
    cudaMalloc(&device, bytes);
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
    free(host);
    return cudaSuccess;
}

/* No kernel at all. */
#include <vector>

#define OWN_SUM_DIVERGENT
#include "rest.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;

    std::vector<int> numbers(n);
    cudaError_t error =
        cudaMemcpy(numbers.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned total = 0;

    if (error != cudaSuccess || block > 1024)
        return block > 1024 ? cudaErrorInvalidConfiguration : error;
    for (int number : numbers)
        total += (unsigned)number;
    return cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
}

/* The host looks at memory that it shares with the device before the kernel is done. */
#define OWN_SCALE_ON_HOST
#include "rest.cuh"

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    int *numbers = NULL;

    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMallocManaged(&numbers, n * sizeof(int));
    if (error != cudaSuccess)
        return error;
    for (size_t i = 0; i < n; i++)
        numbers[i] = in[i];
    error = scale(numbers, n, factor, 256, numbers);
    for (size_t i = 0; i < n; i++)
        out[i] = numbers[i];
    cudaFree(numbers);
    return error;
}

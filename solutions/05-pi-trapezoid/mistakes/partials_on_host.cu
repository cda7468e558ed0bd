/* Adds up the partial sums on the host, without copying them there. */
#define OWN_PI_TRAPEZOID
#include "rest.cuh"

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0)
        return cudaMemset(pi, 0, sizeof *pi);

    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;

    double sum = 0;
    for (unsigned i = 0; i < blocks; i++)
        sum += scratch[i];
    *pi = 4 * sum / n;
    return cudaGetLastError();
}

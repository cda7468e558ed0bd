/* Looks at the errors of the launches, and leaves them for the next call. */
#define OWN_PI_TRAPEZOID
#include "rest.cuh"

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0)
        return cudaMemset(pi, 0, sizeof *pi);

    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    cudaError_t error = cudaPeekAtLastError();
    if (error != cudaSuccess)
        return error;

    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return cudaPeekAtLastError();
}

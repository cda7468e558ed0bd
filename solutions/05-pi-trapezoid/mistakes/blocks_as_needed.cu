/* Launches no more blocks than there are points for, where more were asked for. */
#define OWN_PI_TRAPEZOID
#include "rest.cuh"

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0)
        return cudaMemset(pi, 0, sizeof *pi);

    size_t needed = (n + block) / block;
    unsigned launched = needed < blocks ? (unsigned)needed : blocks;

    partial_sums_kernel<<<launched, block, block * sizeof(double)>>>(n, scratch);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;

    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, launched, n, pi);
    return cudaGetLastError();
}

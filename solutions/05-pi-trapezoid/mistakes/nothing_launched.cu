/* Only the first and the last lines were written. */
#define OWN_PI_TRAPEZOID
#include "rest.cuh"

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0)
        return cudaMemset(pi, 0, sizeof *pi);

    return cudaGetLastError();
}

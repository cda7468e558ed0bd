/* A library scans all. */
#define OWN_ENTRIES
#include "rest.cuh"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    thrust::inclusive_scan(thrust::device, in, in + n, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    thrust::exclusive_scan(thrust::device, in, in + n, out);
    return cudaGetLastError();
}

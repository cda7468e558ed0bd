/* What the device says is given twice. */
#define OWN_RESIDENT_HERE
#include "rest.cuh"

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    int blocks = 0;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, rotate_kernel, (int)threads, dynamic_bytes);

    if (error != cudaSuccess)
        return error;
    *computed = *asked = (unsigned)blocks;
    return cudaSuccess;
}

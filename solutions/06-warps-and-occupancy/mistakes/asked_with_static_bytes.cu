/* The device is asked about a launch that asks for all bytes of the block. */
#define OWN_RESIDENT_HERE
#include "rest.cuh"

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    struct multiprocessor sm;
    struct cudaFuncAttributes kernel;
    unsigned warps;
    int blocks = 0;
    cudaError_t error = multiprocessor_here(&sm);

    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&kernel, rotate_kernel);
    if (error != cudaSuccess)
        return error;
    struct block block = {threads, (unsigned)kernel.numRegs, (unsigned)(kernel.sharedSizeBytes + dynamic_bytes)};
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate_kernel, (int)threads,
                                                          block.shared_bytes);
    if (error != cudaSuccess)
        return error;
    *asked = (unsigned)blocks;
    return resident(&sm, &block, computed, &warps);
}

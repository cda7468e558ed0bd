/* The grid has 65,535 blocks at most, as many as a grid may have in y and z. */
#define OWN_SCAN
#include "rest.cuh"

template <bool looks_back>
static cudaError_t scan(const int *in, size_t n, unsigned block, unsigned long long *state,
                        int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    size_t tiles = n_tiles(n, block);
    if (tiles == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(state, 0, state_words(tiles) * sizeof *state);
    if (error != cudaSuccess)
        return error;
    scan_kernel<looks_back><<<tiles < 65535 ? (unsigned)tiles : 65535, block>>>(in, n, state, out);
    return cudaGetLastError();
}

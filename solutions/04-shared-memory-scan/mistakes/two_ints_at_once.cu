/* Reads two ints at once wherever they begin; a level in scratch may begin at an odd place. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;
    int own = gid < n ? in[gid] : 0;

    if (blockDim.x % 2 == 0 && (gid | 1) < n) {
        int2 two = *(const int2 *)(in + (gid & ~(size_t)1));
        own = t % 2 == 0 ? two.x : two.y;
    }
    int sum = scan_block(own, temp);

    if (gid < n)
        out[gid] = exclusive ? sum - own : sum;
    if (totals != NULL && t == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

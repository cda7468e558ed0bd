/*
 * One warp reads words of shared memory that lie `stride` apart: how many passes the banks need for
 * it, the simulator counts.
 */
__global__ void banks_kernel(int *out, unsigned stride) {
    __shared__ int tile[1024];

    for (unsigned i = threadIdx.x; i < 1024; i += 32)
        tile[i] = (int)i;
    __syncwarp();
    out[threadIdx.x] = tile[stride * threadIdx.x];
}

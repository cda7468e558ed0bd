/*
 * One warp reads words of shared memory that lie `stride` apart: how many passes the banks need for
 * it, the simulator counts. The same for a warp of a block of edge × edge threads that reads the first
 * word of row x of a tile, for each x; rows begin `row` words apart.
 */
__global__ void banks_kernel(int *out, unsigned stride) {
    __shared__ int tile[1024];

    for (unsigned i = threadIdx.x; i < 1024; i += 32)
        tile[i] = (int)i;
    __syncwarp();
    out[threadIdx.x] = tile[stride * threadIdx.x];
}

__global__ void rows_kernel(int *out, unsigned edge, unsigned row) {
    __shared__ int tile[32 * 33];

    for (unsigned i = threadIdx.x; i < 32 * 33; i += 32)
        tile[i] = (int)i;
    __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x % edge * row];
}

// Asks the device what it is, and the occupancy calls for a good size of a block.
#include "program.cuh"

__global__ void triple(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 3;
}

int main()
{
    int n_devices = 0, min_grid = 0, block = 0, resident = 0, clock_khz = 0;
    CHECK(cudaGetDeviceCount(&n_devices));
    EXPECT(n_devices > 0);
    CHECK(cudaSetDevice(0));
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    fprintf(stderr, "%s, %d.%d, %d multiprocessors, %zu MiB\n", prop.name, prop.major, prop.minor,
           prop.multiProcessorCount, prop.totalGlobalMem >> 20);
    EXPECT(prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024 && prop.major >= 7);
    CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
    EXPECT(clock_khz > 0);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, triple, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, triple, block, 0));
    EXPECT(block > 0 && block % 32 == 0 && resident * block <= prop.maxThreadsPerMultiProcessor);
    EXPECT(min_grid == resident * prop.multiProcessorCount);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, triple));
    EXPECT(attributes.maxThreadsPerBlock >= block);
    const int n = 5000;
    int *d, got[n];
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaMemset(d, 1, n * sizeof(int)));
    triple<<<(n + block - 1) / block, block>>>(d, n);
    CHECK(cudaMemcpy(got, d, n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 0x03030303 && got[n - 1] == 0x03030303);
    size_t unused, total;
    CHECK(cudaMemGetInfo(&unused, &total));
    EXPECT(unused < total);
    CHECK(cudaFree(d));
    return 0;
}

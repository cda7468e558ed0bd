// Asks the device what it is, and the occupancy calls for a good size of a block. What they say of how
// many blocks a multiprocessor holds is what NVIDIA's own formulas make of the device's figures.
#include "program.cuh"

#include <cuda_occupancy.h>

__global__ void triple(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 3;
}

__global__ void hold(int *x)
{
    __shared__ int words[250];
    words[threadIdx.x % 250] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = words[(threadIdx.x + 1) % 250];
}

// Blocks of `hold` by the formulas, for blocks of so many threads with so many dynamic bytes.
static int blocks_by_formula(const cudaDeviceProp &prop, const cudaFuncAttributes &kernel, int block,
                             size_t bytes)
{
    const cudaOccDeviceProp device(prop);
    const cudaOccFuncAttributes needs(kernel);
    const cudaOccDeviceState state;
    cudaOccResult result;
    EXPECT(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &needs, &state, block, bytes) ==
           CUDA_OCC_SUCCESS);
    return result.activeBlocksPerMultiprocessor;
}

static void compare_with_formulas(const cudaDeviceProp &prop)
{
    cudaFuncAttributes kernel;
    CHECK(cudaFuncGetAttributes(&kernel, hold));
    for (size_t bytes = 0; bytes <= (48 << 10) - 1000; bytes += 88)
        for (int block : {1, 32, 33, 96, 128, 250, 256, 384, 512, 700, 1024}) {
            int blocks = 0;
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hold, block, bytes));
            if (blocks != blocks_by_formula(prop, kernel, block, bytes))
                fprintf(stderr, "blocks of %d with %zu bytes: %d\n", block, bytes, blocks);
            EXPECT(blocks == blocks_by_formula(prop, kernel, block, bytes));
        }
}

// With the shared memory that there is for n blocks, n are resident.
static void fill_with_blocks()
{
    for (int n = 1; n <= 4; n++) {
        size_t bytes = 0;
        int blocks = 0;
        CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, hold, n, 256));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hold, 256, bytes));
        EXPECT(blocks >= n);
    }
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
    compare_with_formulas(prop);
    fill_with_blocks();
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

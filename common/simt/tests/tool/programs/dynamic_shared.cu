// Two arrays in one piece of dynamic shared memory, and more of it than a block has by default.
#include "program.cuh"
#include <vector>

// Sorts the block's part by counting, keys below `range`.
__global__ void sort_by_counting(unsigned *keys, int n, int range)
{
    extern __shared__ unsigned memory[];
    unsigned *counts = memory, *sorted = memory + range;
    unsigned *mine = keys + blockIdx.x * n;
    for (int i = threadIdx.x; i < range; i += blockDim.x)
        counts[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&counts[mine[i]], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int i = 0; i < range; i++) {
            unsigned count = counts[i];
            counts[i] = sum;
            sum += count;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sorted[atomicAdd(&counts[mine[i]], 1u)] = mine[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine[i] = sorted[i];
}

static void sort(int n, int range)
{
    const int blocks = 3;
    std::vector<unsigned> keys(blocks * n), got(blocks * n);
    unsigned seed = 5, *d_keys;
    for (unsigned &key : keys)
        key = next_random(&seed) % range;
    size_t bytes = keys.size() * sizeof(unsigned), shared = (range + n) * sizeof(unsigned);
    CHECK(cudaMalloc(&d_keys, bytes));
    CHECK(cudaMemcpy(d_keys, keys.data(), bytes, cudaMemcpyHostToDevice));
    if (shared > 48 << 10)
        CHECK(cudaFuncSetAttribute(sort_by_counting, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)shared));
    sort_by_counting<<<blocks, 128, shared>>>(d_keys, n, range);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), d_keys, bytes, cudaMemcpyDeviceToHost));
    for (int i = 1; i < blocks * n; i++)
        EXPECT(i % n == 0 || got[i - 1] <= got[i]);
    CHECK(cudaFree(d_keys));
}

int main()
{
    sort(500, 100);
    sort(8000, 5000); // 52,000 bytes
    puts("sorted");
    return 0;
}

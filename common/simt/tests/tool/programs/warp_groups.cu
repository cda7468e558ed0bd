// Cooperative groups within a block: tiles, coalesced groups, one atomic for all that come together.
#include "program.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int take_slot(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0)
        first = atomicAdd(counter, active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void keep_odd(const int *in, int n, int *out, int *counter)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2)
        out[take_slot(counter)] = in[i];
}

// Sums of eight neighbours.
__global__ void sum_tiles(const int *in, int *sums)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = block.group_index().x * block.size() + block.thread_rank();
    int sum = cg::reduce(tile, in[i], cg::plus<int>());
    if (tile.thread_rank() == 0)
        sums[i / 8] = sum;
    block.sync();
}

int main()
{
    const int n = 1024;
    static int h[n], got[n], sums[n / 8];
    int *in, *out, *counter, count = 0, odd = 0;
    long long sum = 0, got_sum = 0;
    for (int i = 0; i < n; i++) {
        h[i] = i * i % 101;
        odd += h[i] % 2;
        sum += h[i] % 2 ? h[i] : 0;
    }
    CHECK(cudaMalloc(&in, sizeof h));
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMalloc(&counter, sizeof(int)));
    CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(counter, 0, sizeof(int)));
    keep_odd<<<n / 128, 128>>>(in, n, out, counter);
    CHECK(cudaMemcpy(&count, counter, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(count == odd);
    CHECK(cudaMemcpy(got, out, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++)
        got_sum += got[i];
    EXPECT(got_sum == sum);
    sum_tiles<<<n / 64, 64>>>(in, out);
    CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n / 8; i++) {
        int expected = 0;
        for (int k = 0; k < 8; k++)
            expected += h[8 * i + k];
        EXPECT(sums[i] == expected);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(counter));
    printf("%d of %d are odd\n", count, n);
    return 0;
}

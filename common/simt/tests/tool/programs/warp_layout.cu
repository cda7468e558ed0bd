// Which warp and lane a thread of a block of one, two or three dimensions is, by its indices (x runs
// first, then y, then z), by the hardware's own registers, and by what its warp agrees upon.
#include "program.cuh"
#include <vector>

struct place {
    int warp, lane, first, active;
};

__global__ void place_threads(place *places)
{
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned lane, below, mask = __activemask();
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    int first = __shfl_sync(mask, t, 0);
    int rank = __popc(mask & below);
    places[block * threads + t] = {first / 32, rank == (int)lane ? rank : -1, first, __popc(mask)};
}

static void check(dim3 grid, dim3 block)
{
    int threads = block.x * block.y * block.z, n = grid.x * grid.y * grid.z * threads;
    std::vector<place> places(n);
    place *d;
    CHECK(cudaMalloc(&d, n * sizeof(place)));
    place_threads<<<grid, block>>>(d);
    CHECK(cudaMemcpy(places.data(), d, n * sizeof(place), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    int warps = (threads + 31) / 32, last = threads - (warps - 1) * 32;
    for (int i = 0; i < n; i++) {
        int t = i % threads;
        EXPECT(places[i].warp == t / 32 && places[i].lane == t % 32);
        EXPECT(places[i].first == t / 32 * 32);
        EXPECT(places[i].active == (t / 32 == warps - 1 ? last : 32));
    }
    printf("%2u x %2u x %2u: %2d warps, %2d lanes in the last\n", block.x, block.y, block.z, warps, last);
}

int main()
{
    check(3, 100);
    check(dim3(2, 2), dim3(8, 8));
    check(dim3(1, 3, 2), dim3(2, 2, 2));
    check(dim3(2, 1, 2), dim3(5, 7, 9));
    check(1, dim3(1, 1, 64));
    check(1, dim3(32, 32));
    return 0;
}

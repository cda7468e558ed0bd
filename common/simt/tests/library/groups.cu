// Cooperative groups and the barriers, pipelines, latches and semaphores of libcu++, unchanged, with
// all checks on. Each kernel counts what it finds wrong.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

// Barriers are initialised by one thread, as their documentation has it.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ unsigned n_wrong;
#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && atomicAdd(&n_wrong, 1) < 10)                                           \
            printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x, #condition);                 \
    } while (0)

__global__ void arrives_and_waits() {
    __shared__ block_barrier barrier;
    __shared__ int tile[256];
    const int n = blockDim.x, t = threadIdx.x;
    if (t == 0)
        init(&barrier, n);
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        tile[t] = i * 1000 + t;
        auto token = barrier.arrive();
        barrier.wait(std::move(token));
        HOLDS(tile[(t + 37) % n] == i * 1000 + (t + 37) % n);
        barrier.arrive_and_wait();
    }
    if (t < 32) {
        barrier.arrive_and_drop();
    } else {
        barrier.arrive_and_wait();
        barrier.arrive_and_wait();
    }
}

__global__ void waits_for_parities() {
    __shared__ block_barrier barrier;
    __shared__ int tile[256];
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    for (int phase = 0; phase < 4; phase += 2) {
        tile[threadIdx.x] = phase;
        (void)barrier.arrive();
        barrier.wait_parity(phase & 1);
        HOLDS(tile[blockDim.x - 1 - threadIdx.x] == phase);
        barrier.arrive_and_wait();
    }
}

__global__ void copies(const int *in) {
    extern __shared__ __align__(16) int tile[];
    __shared__ block_barrier barrier;
    const cg::thread_block block = cg::this_thread_block();
    const int t = threadIdx.x, n = blockDim.x, *const mine = in + blockIdx.x * n;
    if (t == 0)
        init(&barrier, n);
    block.sync();
    cuda::memcpy_async(block, tile, mine, cuda::aligned_size_t<16>(n * sizeof(int)), barrier);
    barrier.arrive_and_wait();
    HOLDS(tile[n - 1 - t] == mine[n - 1 - t]);
    block.sync();
    cuda::memcpy_async(tile + t, mine + t, sizeof(int), barrier);
    barrier.arrive_and_wait();
    HOLDS(tile[n - 1 - t] == mine[n - 1 - t]);
    block.sync();
    cg::memcpy_async(block, tile, mine, n * sizeof(int));
    cg::wait(block);
    HOLDS(tile[n - 1 - t] == mine[n - 1 - t]);
}

__global__ void pipelines(const int *in, int n_parts) {
    enum { STAGES = 2, PART = 128 };
    __shared__ int tile[STAGES][PART];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    const cg::thread_block block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0, expected = 0;
    for (int part = 0, ahead = 0; part < n_parts; part++) {
        for (; ahead < n_parts && ahead < part + STAGES; ahead++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tile[ahead % STAGES], in + ahead * PART, sizeof(tile[0]),
                               pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += tile[part % STAGES][PART - 1 - threadIdx.x];
        pipeline.consumer_release();
        expected += in[part * PART + PART - 1 - threadIdx.x];
    }
    HOLDS(sum == expected);
}

__global__ void produces_and_consumes(const int *in, int n_parts) {
    enum { PART = 64 };
    __shared__ int tile[2][PART];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const cg::thread_block block = cg::this_thread_block();
    const bool produces = threadIdx.x < PART;
    auto pipeline = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const int t = threadIdx.x % PART;
    int sum = 0, expected = 0;
    for (int part = 0; part < n_parts; part++) {
        if (produces) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&tile[part % 2][t], in + part * PART + t, sizeof(int), pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait();
            sum += tile[part % 2][PART - 1 - t];
            pipeline.consumer_release();
            expected += in[part * PART + PART - 1 - t];
        }
    }
    HOLDS(sum == expected);
}

__global__ void counts_down() {
    using block_latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(block_latch) char space[sizeof(block_latch)];
    __shared__ int n_came;
    block_latch &latch = *reinterpret_cast<block_latch *>(space);
    if (threadIdx.x == 0) {
        new (&latch) block_latch(blockDim.x - 1);
        n_came = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        latch.wait();
        HOLDS(n_came == static_cast<int>(blockDim.x) - 1);
    } else {
        atomicAdd(&n_came, 1);
        latch.count_down();
    }
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> semaphore{1};
__device__ int guarded;
__global__ void guards() {
    semaphore.acquire();
    guarded = guarded + 1;
    semaphore.release();
}

template <class T> __device__ void adds(T *place) {
    cuda::atomic_ref<T, cuda::thread_scope_device>(*place).fetch_add(static_cast<T>(1));
}
__global__ void adds_of_all_sizes(double *places) {
    adds(reinterpret_cast<unsigned char *>(places) + 3);
    adds(reinterpret_cast<short *>(places + 1));
    adds(reinterpret_cast<int *>(places + 2));
    adds(reinterpret_cast<long long *>(places + 3));
    adds(reinterpret_cast<float *>(places + 4));
    adds(places + 5);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
}

__global__ void syncs_the_grid(int *turn) {
    cg::grid_group grid = cg::this_grid();
    for (int i = 0; i < 3; i++) {
        if (grid.thread_rank() == 0)
            *turn = i;
        grid.sync();
        HOLDS(*turn == i);
        grid.sync();
    }
}

template <int Size> __device__ void uses_tile(const cg::thread_block &block) {
    const auto tile = cg::tiled_partition<Size>(block);
    const int rank = tile.thread_rank(), sum = Size * (Size - 1) / 2;
    HOLDS(cg::reduce(tile, rank, cg::plus<int>()) == sum);
    HOLDS(cg::reduce(tile, rank, cg::greater<int>()) == Size - 1);
    HOLDS(cg::reduce(tile, static_cast<double>(rank), cg::plus<double>()) == sum);
    HOLDS(cg::reduce(tile, 1u << rank, cg::bit_or<unsigned>()) == ~0u >> (32 - Size));
    HOLDS(cg::inclusive_scan(tile, 1) == rank + 1);
    HOLDS(cg::exclusive_scan(tile, 1) == rank);
    HOLDS(tile.shfl(rank, Size - 1) == Size - 1);
    HOLDS(tile.any(rank == 0) && tile.all(true) && __popc(tile.ballot(true)) == Size);
    tile.sync();
}

__global__ void partitions() {
    const cg::thread_block block = cg::this_thread_block();
    uses_tile<1>(block);
    uses_tile<2>(block);
    uses_tile<4>(block);
    uses_tile<8>(block);
    uses_tile<16>(block);
    uses_tile<32>(block);
    const auto warp = cg::tiled_partition<32>(block);
    const auto two = cg::binary_partition(warp, threadIdx.x % 3 == 0);
    HOLDS(cg::reduce(two, 1, cg::plus<int>()) == static_cast<int>(two.size()));
    const auto five = cg::labeled_partition(warp, static_cast<int>(threadIdx.x % 5));
    HOLDS(cg::reduce(five, 1, cg::plus<int>()) == static_cast<int>(five.size()));
    if (threadIdx.x % 2) {
        const auto odd = cg::coalesced_threads();
        HOLDS(odd.size() == 16 && odd.shfl(7, 3) == 7);
        HOLDS(cg::inclusive_scan(odd, 1) == static_cast<int>(odd.thread_rank()) + 1);
        odd.sync();
    }
    HOLDS(cg::invoke_one_broadcast(warp, [] { return 5; }) == 5);
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
}

__global__ void uses_large_tiles() {
    __shared__ cg::block_tile_memory<128> memory;
    const auto block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<64>(block);
    const int rank = tile.thread_rank();
    // One behind the other: in each the warps wait for each other, one lane of each by spinning.
    tile.sync();
    const bool any = tile.any(threadIdx.x == 0);
    const int third = tile.shfl(rank, 3);
    HOLDS(any == (threadIdx.x < 64) && third == 3);
    HOLDS(cg::reduce(tile, 1, cg::plus<int>()) == 64);
    HOLDS(cg::inclusive_scan(tile, 1) == rank + 1);
    tile.sync();
}

// A cluster of one block.
__global__ void uses_its_cluster() {
#if __CUDA_ARCH__ >= 900
    const cg::cluster_group cluster = cg::this_cluster();
    __shared__ int word;
    int *const mapped = cluster.map_shared_rank(&word, 0);
    HOLDS(cluster.num_blocks() == 1 && cluster.block_rank() == 0);
    if (threadIdx.x == 0)
        *mapped = 3;
    cluster.sync();
    HOLDS(word == 3);
#endif
}

static bool adds_well(double *d_places) {
    double places[6];
    must(cudaMemset(d_places, 0, sizeof(places)), "places");
    adds_of_all_sizes<<<2, 32>>>(d_places);
    must(cudaMemcpy(places, d_places, sizeof(places), cudaMemcpyDeviceToHost), "places");
    return reinterpret_cast<unsigned char *>(places)[3] == 64 &&
           *reinterpret_cast<short *>(places + 1) == 64 &&
           *reinterpret_cast<int *>(places + 2) == 64 &&
           *reinterpret_cast<long long *>(places + 3) == 64 &&
           *reinterpret_cast<float *>(places + 4) == 64 && places[5] == 64;
}

int main() {
    const std::vector<int> in = numbers(4096);
    int *d_in, *d_turn;
    double *d_places;
    must(cudaMalloc(&d_in, in.size() * sizeof(int)), "input");
    must(cudaMalloc(&d_turn, sizeof(int)), "turn");
    must(cudaMalloc(&d_places, 64), "places");
    must(cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice), "input");
    arrives_and_waits<<<2, 128>>>();
    waits_for_parities<<<1, 256>>>();
    copies<<<4, 256, 256 * sizeof(int)>>>(d_in);
    pipelines<<<1, 128>>>(d_in, 9);
    produces_and_consumes<<<1, 128>>>(d_in, 9);
    counts_down<<<1, 128>>>();
    guards<<<4, 32>>>();
    partitions<<<1, 128>>>();
    uses_large_tiles<<<1, 128>>>();
    uses_its_cluster<<<2, 64>>>();
    void *arguments[] = {&d_turn};
    must(cudaLaunchCooperativeKernel(syncs_the_grid, dim3(8), dim3(64), arguments), "grid");
    must(cudaDeviceSynchronize(), "kernels");
    unsigned wrong;
    int passed;
    must(cudaMemcpyFromSymbol(&wrong, n_wrong, sizeof(wrong)), "result");
    must(cudaMemcpyFromSymbol(&passed, guarded, sizeof(passed)), "guarded");
    bool right = holds(wrong == 0, "kernels, wrong in all", 11);
    right = holds(passed == 128, "passes of the semaphore", 128) && right;
    right = holds(adds_well(d_places), "atomics of all sizes", 64) && right;
    return nothing_found() && right ? 0 : 1;
}

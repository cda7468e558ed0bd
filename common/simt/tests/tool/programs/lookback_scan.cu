// Prefix sums in one launch. Blocks number themselves by a ticket, so that those before a block have
// begun; a block then takes the sum before it from its neighbour (chained), or looks back over blocks
// that have at least their own sum (Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back"). Within a block warps scan by shuffles, with two barriers.
#include "program.cuh"
#include <cuda/atomic>
#include <vector>

constexpr int BLOCK = 128;

__device__ int scan_warp(int x)
{
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(~0u, x, d);
        if (threadIdx.x % 32 >= d)
            x += left;
    }
    return x;
}

__device__ int scan_block(int x, int *total)
{
    __shared__ int warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x = scan_warp(x);
    if (lane == 31)
        warps[warp] = x;
    __syncthreads();
    if (warp == 0)
        warps[lane] = scan_warp(lane < BLOCK / 32 ? warps[lane] : 0);
    __syncthreads();
    *total = warps[31];
    return x + (warp > 0 ? warps[warp - 1] : 0);
}

__device__ int take_ticket(unsigned *ticket)
{
    __shared__ unsigned mine;
    if (threadIdx.x == 0)
        mine = atomicAdd(ticket, 1);
    __syncthreads();
    return mine;
}

__global__ void scan_chained(const int *in, int *out, int n, unsigned *ticket, volatile int *ready,
                             volatile int *sums)
{
    __shared__ int before;
    int block = take_ticket(ticket), i = block * BLOCK + threadIdx.x, total;
    int sum = scan_block(i < n ? in[i] : 0, &total);
    if (threadIdx.x == 0) {
        before = 0;
        if (block > 0) {
            while (ready[block - 1] == 0)
                ;
            __threadfence();
            before = sums[block - 1];
        }
        sums[block] = before + total;
        __threadfence();
        ready[block] = 1;
    }
    __syncthreads();
    if (i < n)
        out[i] = before + sum;
}

// A block's state in one word: what is known (nothing, its own sum, all up to it) and the number.
enum known : unsigned long long { NOTHING, OWN = 1ull << 32, ALL = 2ull << 32 };

__global__ void scan_lookback(const int *in, int *out, int n, unsigned *ticket, unsigned long long *words)
{
    __shared__ int before;
    int block = take_ticket(ticket), i = block * BLOCK + threadIdx.x, total;
    int sum = scan_block(i < n ? in[i] : 0, &total);
    if (threadIdx.x < 32) { // a warp looks at 32 blocks at once
        using word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
        int lane = threadIdx.x, behind = 0;
        if (lane == 0 && block > 0)
            word(words[block]).store(OWN | (unsigned)total, cuda::memory_order_release);
        for (int last = block - 1; last >= 0; last -= 32) {
            unsigned long long seen = ALL;
            if (last - lane >= 0)
                while ((seen = word(words[last - lane]).load(cuda::memory_order_acquire)) == NOTHING)
                    __nanosleep(20);
            __syncwarp();
            unsigned all = __ballot_sync(~0u, seen >= ALL);
            int sum_of = all == 0 || lane < __ffs(all) ? (int)(unsigned)seen : 0;
            for (int mask = 16; mask > 0; mask /= 2)
                sum_of += __shfl_xor_sync(~0u, sum_of, mask);
            behind += sum_of;
            if (all != 0)
                break;
        }
        if (lane == 0) {
            word(words[block]).store(ALL | (unsigned)(behind + total), cuda::memory_order_release);
            before = behind;
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = before + sum;
}

int main()
{
    for (int n : {1, 128, 129, 30007}) {
        int blocks = (n + BLOCK - 1) / BLOCK, *d_in, *d_out;
        std::vector<int> in(n), got(n);
        unsigned *ticket;
        unsigned long long *words;
        for (int i = 0; i < n; i++)
            in[i] = i % 13 - 5;
        CHECK(cudaMalloc(&d_in, n * sizeof(int)));
        CHECK(cudaMalloc(&d_out, n * sizeof(int)));
        CHECK(cudaMalloc(&ticket, sizeof *ticket));
        CHECK(cudaMalloc(&words, blocks * sizeof *words));
        CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        for (int version = 0; version < 2; version++) {
            CHECK(cudaMemset(d_out, -1, n * sizeof(int)));
            CHECK(cudaMemset(ticket, 0, sizeof *ticket));
            CHECK(cudaMemset(words, 0, blocks * sizeof *words));
            int *flags = (int *)words;
            if (version == 0)
                scan_chained<<<blocks, BLOCK>>>(d_in, d_out, n, ticket, flags, flags + blocks);
            else
                scan_lookback<<<blocks, BLOCK>>>(d_in, d_out, n, ticket, words);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += in[i];
                EXPECT(got[i] == sum);
            }
        }
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
        CHECK(cudaFree(ticket));
        CHECK(cudaFree(words));
        printf("%d: scanned in one launch, twice\n", n);
    }
    return 0;
}

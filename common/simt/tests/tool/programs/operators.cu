// Reductions by other operators: extremes, where the largest is (a tournament), mean and deviation in
// one pass; then one histogram by a lock for each bin, by atomics, and by blocks of their own.
#include "program.cuh"
#include <cfloat>
#include <vector>

struct winner {
    float value;
    int index;
};

struct moments {
    double n, mean, squares; // squares: the sum of squared distances from the mean
};

__device__ winner better(winner a, winner b)
{
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

// Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances".
__device__ moments joined(moments a, moments b)
{
    double n = a.n + b.n, d = b.mean - a.mean;
    if (n == 0)
        return a;
    return {n, a.mean + d * b.n / n, a.squares + b.squares + d * d * a.n * b.n / n};
}

__global__ void tournament(const float *in, int n, winner *out)
{
    __shared__ winner best[64];
    winner mine = {-FLT_MAX, n};
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x)
        mine = better(mine, {in[i], i});
    best[threadIdx.x] = mine;
    for (int stride = 32; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            best[threadIdx.x] = better(best[threadIdx.x], best[threadIdx.x + stride]);
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = best[0];
}

__global__ void extremes(const float *in, int n, int *low, int *high)
{
    int least = INT_MAX, most = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        least = min(least, (int)floorf(in[i]));
        most = max(most, (int)ceilf(in[i]));
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        least = min(least, __shfl_down_sync(~0u, least, offset));
        most = max(most, __shfl_down_sync(~0u, most, offset));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(low, least);
        atomicMax(high, most);
    }
}

__global__ void deviation(const float *in, int n, moments *out)
{
    moments mine = {0, 0, 0};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine = joined(mine, {1, in[i], 0});
    for (int mask = 16; mask > 0; mask /= 2)
        mine = joined(mine, {__shfl_xor_sync(~0u, mine.n, mask), __shfl_xor_sync(~0u, mine.mean, mask),
                             __shfl_xor_sync(~0u, mine.squares, mask)});
    if (threadIdx.x % 32 == 0)
        out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = mine;
}

constexpr int BINS = 16;
__device__ int locks[BINS], locked[BINS], atomic[BINS];

__device__ int bin_of(float x) { return (int)fabsf(x) % BINS; }

__global__ void count_by_lock(const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int bin = bin_of(in[i]);
    for (bool done = false; !done;) {
        if (atomicCAS(&locks[bin], 0, 1) == 0) {
            __threadfence();
            locked[bin]++;
            __threadfence();
            atomicExch(&locks[bin], 0);
            done = true;
        }
    }
}

__global__ void count_by_atomics(const float *in, int n)
{
    __shared__ int mine[BINS];
    if (threadIdx.x < BINS)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[bin_of(in[i])], 1);
    __syncthreads();
    if (threadIdx.x < BINS && mine[threadIdx.x] > 0)
        atomicAdd(&atomic[threadIdx.x], mine[threadIdx.x]);
}

int main()
{
    const int n = 5003, blocks = 5, warps = 4 * 2;
    std::vector<float> in(n);
    unsigned seed = 9;
    for (float &x : in)
        x = (int)(next_random(&seed) % 2001 - 1000) / 4.0f;
    in[4000] = in[1234] = 251; // the first of the largest is asked for
    float *d_in;
    winner *d_best, best[blocks];
    moments *d_moments, parts[warps];
    int *d_ends, ends[2] = {INT_MAX, INT_MIN}, by_lock[BINS], by_atomics[BINS], expected[BINS] = {0};
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_best, sizeof best));
    CHECK(cudaMalloc(&d_moments, sizeof parts));
    CHECK(cudaMalloc(&d_ends, sizeof ends));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_ends, ends, sizeof ends, cudaMemcpyHostToDevice));
    tournament<<<blocks, 64>>>(d_in, n, d_best);
    extremes<<<4, 64>>>(d_in, n, d_ends, d_ends + 1);
    deviation<<<4, 64>>>(d_in, n, d_moments);
    count_by_lock<<<(n + 95) / 96, 96>>>(d_in, n);
    count_by_atomics<<<4, 64>>>(d_in, n);
    CHECK(cudaMemcpy(best, d_best, sizeof best, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(ends, d_ends, sizeof ends, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(parts, d_moments, sizeof parts, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(by_lock, locked, sizeof by_lock));
    CHECK(cudaMemcpyFromSymbol(by_atomics, atomic, sizeof by_atomics));

    winner first = best[0];
    for (winner w : best)
        if (w.value > first.value || (w.value == first.value && w.index < first.index))
            first = w;
    EXPECT(first.value == 251 && first.index == 1234);

    double mean = 0, squares = 0, sum = 0;
    float least = in[0];
    for (float x : in) {
        sum += x;
        least = std::fmin(least, x);
        expected[(int)std::fabs(x) % BINS]++;
    }
    EXPECT(ends[0] == (int)std::floor(least) && ends[1] == 251);
    EXPECT(memcmp(by_lock, expected, sizeof expected) == 0);
    EXPECT(memcmp(by_atomics, expected, sizeof expected) == 0);
    for (float x : in)
        squares += (x - sum / n) * (x - sum / n);
    for (moments m : parts)
        mean += m.mean * m.n / n;
    double spread = 0;
    for (moments m : parts)
        spread += m.squares + m.n * (m.mean - mean) * (m.mean - mean);
    EXPECT(is_near(mean, sum / n, 1e-12) && is_near(spread, squares, 1e-12));
    printf("mean %.9f, deviation %.9f\n", mean, std::sqrt(spread / n));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_best));
    CHECK(cudaFree(d_moments));
    CHECK(cudaFree(d_ends));
    return 0;
}

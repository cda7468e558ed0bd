// Histogram of a text: atomics in global memory, then in shared memory first.
#include "program.cuh"

constexpr int BINS = 256;

__global__ void count_global(const unsigned char *text, int n, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[text[i]], 1u);
}

__global__ void count_shared(const unsigned char *text, int n, unsigned *bins)
{
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[text[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b])
            atomicAdd(&bins[b], local[b]);
}

int main()
{
    const int n = 100003;
    unsigned char *text = new unsigned char[n];
    unsigned expected[BINS] = {0}, got[BINS], seed = 7;
    for (int i = 0; i < n; i++)
        expected[text[i] = next_random(&seed) % 90 + ' ']++;
    unsigned char *d_text;
    unsigned *d_bins;
    CHECK(cudaMalloc(&d_text, n));
    CHECK(cudaMalloc(&d_bins, sizeof got));
    CHECK(cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice));
    for (int version = 0; version < 2; version++) {
        CHECK(cudaMemset(d_bins, 0, sizeof got));
        if (version == 0)
            count_global<<<(n + 255) / 256, 256>>>(d_text, n, d_bins);
        else
            count_shared<<<24, 192>>>(d_text, n, d_bins);
        CHECK(cudaMemcpy(got, d_bins, sizeof got, cudaMemcpyDeviceToHost));
        EXPECT(memcmp(got, expected, sizeof got) == 0);
    }
    printf("'a' comes %u times\n", got['a']);
    cudaFree(d_text);
    cudaFree(d_bins);
    delete[] text;
    return 0;
}

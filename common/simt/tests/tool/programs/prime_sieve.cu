// Eratosthenes: one block strikes out the multiples of one prime, then primes are counted by votes.
#include "program.cuh"

constexpr int N = 20000;

// Threads may strike out the same number: they write the same value.
__global__ void strike_out(unsigned char *is_composite, const int *primes)
{
    int p = primes[blockIdx.x];
    for (int i = p * p + threadIdx.x * p; i < N; i += blockDim.x * p)
        is_composite[i] = 1;
}

__global__ void count_primes(const unsigned char *is_composite, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool is_prime = i >= 2 && i < N && !is_composite[i];
    unsigned votes = __ballot_sync(0xffffffff, is_prime);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, __popc(votes));
}

int main()
{
    int small[200], n_small = 0, count = 0, expected = 0, *d_small, *d_count;
    static bool composite[N];
    for (int i = 2; i < N; i++) {
        if (composite[i])
            continue;
        expected++;
        if (i * i < N)
            small[n_small++] = i;
        for (int k = 2 * i; k < N; k += i)
            composite[k] = true;
    }
    unsigned char *d_sieve;
    CHECK(cudaMalloc(&d_sieve, N));
    CHECK(cudaMalloc(&d_small, n_small * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMemset(d_sieve, 0, N));
    CHECK(cudaMemset(d_count, 0, sizeof(int)));
    CHECK(cudaMemcpy(d_small, small, n_small * sizeof(int), cudaMemcpyHostToDevice));
    strike_out<<<n_small, 128>>>(d_sieve, d_small);
    count_primes<<<(N + 127) / 128, 128>>>(d_sieve, d_count);
    CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(count == expected);
    printf("%d primes below %d\n", count, N);
    cudaFree(d_sieve);
    cudaFree(d_small);
    cudaFree(d_count);
    return 0;
}

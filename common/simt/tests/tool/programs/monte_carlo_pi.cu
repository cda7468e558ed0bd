// Pi by throwing darts, with a generator of the program's own and 64-bit atomics.
#include "program.cuh"

__global__ void throw_darts(unsigned long long *hits, int n_throws)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345;
    unsigned long long mine = 0;
    for (int i = 0; i < n_throws; i++) {
        float x = next_random(&state) * (1.0f / (1 << 24)), y = next_random(&state) * (1.0f / (1 << 24));
        mine += x * x + y * y < 1.0f;
    }
    atomicAdd(hits, mine);
}

int main()
{
    const int blocks = 16, threads = 128, n_throws = 100;
    unsigned long long *d_hits, hits = 0;
    CHECK(cudaMalloc(&d_hits, sizeof hits));
    CHECK(cudaMemcpy(d_hits, &hits, sizeof hits, cudaMemcpyHostToDevice));
    throw_darts<<<blocks, threads>>>(d_hits, n_throws);
    CHECK(cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost));
    double pi = 4.0 * hits / ((double)blocks * threads * n_throws);
    printf("pi is about %.4f\n", pi);
    EXPECT(fabs(pi - 3.14159265) < 0.02);
    CHECK(cudaFree(d_hits));
    return 0;
}

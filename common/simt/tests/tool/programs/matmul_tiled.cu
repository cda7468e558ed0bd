// Matrix product, plain and in tiles of shared memory, of sizes that no tile divides.
#include "program.cuh"
#include <vector>

constexpr int TILE = 16;

__global__ void multiply_plain(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

__global__ void multiply_tiled(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
        int i = t * TILE + threadIdx.x, j = t * TILE + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < m && i < k ? a[row * k + i] : 0;
        tile_b[threadIdx.y][threadIdx.x] = j < k && col < n ? b[j * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int s = 0; s < TILE; s++)
            sum += tile_a[threadIdx.y][s] * tile_b[s][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

int main()
{
    const int m = 70, n = 45, k = 100;
    std::vector<float> a(m * k), b(k * n), plain(m * n), tiled(m * n);
    unsigned seed = 1;
    for (float &x : a)
        x = next_random(&seed) % 16;
    for (float &x : b)
        x = next_random(&seed) % 16;
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_c, plain.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply_plain<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
    CHECK(cudaMemcpy(plain.data(), d_c, plain.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(d_c, 0, tiled.size() * sizeof(float)));
    multiply_tiled<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
    CHECK(cudaMemcpy(tiled.data(), d_c, tiled.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum += a[row * k + i] * b[i * n + col];
            EXPECT(plain[row * n + col] == sum && tiled[row * n + col] == sum);
        }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    printf("%d x %d: right\n", m, n);
}

// A product of matrices by tiles of 8, 16 and 32, with double buffering, padding against bank
// conflicts, and each thread at several rows; what each shape makes resident by the occupancy calls.
#include "program.cuh"
#include <vector>

template <int TILE, int ROWS>
__global__ void __launch_bounds__(TILE *TILE / ROWS)
    multiply(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float tile_a[2][TILE][TILE + 1], tile_b[2][TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y, step = TILE / ROWS;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sums[ROWS] = {0};
    auto load = [&](int into, int from) {
#pragma unroll
        for (int r = 0; r < TILE; r += step) {
            bool has_a = row + r < n && from + x < n, has_b = from + y + r < n && col < n;
            tile_a[into][y + r][x] = has_a ? __ldg(&a[(row + r) * n + from + x]) : 0;
            tile_b[into][y + r][x] = has_b ? __ldg(&b[(from + y + r) * n + col]) : 0;
        }
    };
    load(0, 0);
    for (int from = 0, now = 0; from < n; from += TILE, now ^= 1) {
        __syncthreads();
        if (from + TILE < n)
            load(now ^ 1, from + TILE);
#pragma unroll
        for (int k = 0; k < TILE; k++)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                sums[r] = fmaf(tile_a[now][y + r * step][k], tile_b[now][k][x], sums[r]);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (row + r * step < n && col < n)
            c[(row + r * step) * n + col] = sums[r];
}

template <int TILE, int ROWS>
static void try_shape(const float *a, const float *b, float *c, int n, const std::vector<float> &want)
{
    std::vector<float> got(n * n);
    dim3 block(TILE, TILE / ROWS), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    int resident, threads = TILE * TILE / ROWS;
    CHECK(cudaMemset(c, 0xff, n * n * sizeof(float)));
    multiply<TILE, ROWS><<<grid, block>>>(a, b, c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), c, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(got == want);
    auto *kernel = multiply<TILE, ROWS>;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    EXPECT(resident > 0 && resident * threads <= 2048);
    printf("%d x %d, %d rows a thread: right\n", TILE, TILE, ROWS);
}

int main()
{
    const int n = 75;
    std::vector<float> a(n * n), b(n * n), want(n * n, 0.0f);
    unsigned seed = 3;
    for (float &x : a)
        x = next_random(&seed) % 32 - 16.0f;
    for (float &x : b)
        x = next_random(&seed) % 32 - 16.0f;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[i * n + j] += a[i * n + k] * b[k * n + j];
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_b, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_c, a.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    try_shape<8, 1>(d_a, d_b, d_c, n, want);
    try_shape<16, 1>(d_a, d_b, d_c, n, want);
    try_shape<16, 4>(d_a, d_b, d_c, n, want);
    try_shape<32, 1>(d_a, d_b, d_c, n, want);
    try_shape<32, 8>(d_a, d_b, d_c, n, want);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    return 0;
}

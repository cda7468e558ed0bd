// Gaussian elimination in double precision with the largest pivot, found by one block.
#include "program.cuh"

constexpr int N = 40;

__global__ void find_pivot(const double *a, int k, int *pivot)
{
    __shared__ int best[64];
    int t = threadIdx.x;
    best[t] = k + t < N ? k + t : k;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half && fabs(a[best[t + half] * (N + 1) + k]) > fabs(a[best[t] * (N + 1) + k]))
            best[t] = best[t + half];
        __syncthreads();
    }
    if (t == 0)
        *pivot = best[0];
}

__global__ void swap_rows(double *a, int k, const int *pivot)
{
    int c = threadIdx.x, p = *pivot;
    double t = a[k * (N + 1) + c];
    a[k * (N + 1) + c] = a[p * (N + 1) + c];
    a[p * (N + 1) + c] = t;
}

// A block a row below the pivot's.
__global__ void eliminate(double *a, int k)
{
    __shared__ double factor;
    int row = k + 1 + blockIdx.x, c = threadIdx.x;
    if (c == 0)
        factor = a[row * (N + 1) + k] / a[k * (N + 1) + k];
    __syncthreads();
    if (c >= k)
        a[row * (N + 1) + c] -= factor * a[k * (N + 1) + c];
}

int main()
{
    static double a[N][N + 1], u[N][N + 1], x[N];
    unsigned seed = 4;
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++) {
            a[r][c] = (double)(next_random(&seed) % 200) - 100;
            a[r][N] += a[r][c] * (c + 1); // so that x[c] is c + 1
        }
    }
    double *d;
    int *pivot;
    CHECK(cudaMalloc(&d, sizeof a));
    CHECK(cudaMalloc(&pivot, sizeof(int)));
    CHECK(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    for (int k = 0; k < N - 1; k++) {
        find_pivot<<<1, 64>>>(d, k, pivot);
        swap_rows<<<1, N + 1>>>(d, k, pivot);
        eliminate<<<N - 1 - k, N + 1>>>(d, k);
    }
    CHECK(cudaMemcpy(u, d, sizeof u, cudaMemcpyDeviceToHost));
    for (int r = N - 1; r >= 0; r--) {
        x[r] = u[r][N];
        for (int c = r + 1; c < N; c++)
            x[r] -= u[r][c] * x[c];
        x[r] /= u[r][r];
        EXPECT(is_near(x[r], r + 1, 1e-9));
    }
    CHECK(cudaFree(d));
    CHECK(cudaFree(pivot));
    printf("%d unknowns\n", N);
    return 0;
}

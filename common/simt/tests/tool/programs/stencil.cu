// Heat along a rod: a stencil with a halo in shared memory, weights in constant memory, two buffers
// that take turns.
#include "program.cuh"
#include <utility>
#include <vector>

constexpr int RADIUS = 3, BLOCK = 128;
__constant__ double weights[RADIUS + 1];

__global__ void step_kernel(const double *in, double *out, int n)
{
    __shared__ double tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + RADIUS;
    tile[t] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        tile[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
        tile[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    if (i >= n)
        return;
    double sum = weights[0] * tile[t];
    for (int r = 1; r <= RADIUS; r++)
        sum += weights[r] * (tile[t - r] + tile[t + r]);
    out[i] = sum;
}

int main()
{
    const int n = 1000, steps = 10;
    const double h_weights[RADIUS + 1] = {0.5, 0.125, 0.0625, 0.0625};
    std::vector<double> rod(n), next(n), got(n);
    for (int i = 0; i < n; i++)
        rod[i] = i % 100 < 50 ? 1 : 0;
    double *a, *b;
    CHECK(cudaMalloc(&a, n * sizeof(double)));
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    CHECK(cudaMemcpyToSymbol(weights, h_weights, sizeof h_weights));
    CHECK(cudaMemcpy(a, rod.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    for (int s = 0; s < steps; s++) {
        step_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, n);
        std::swap(a, b);
        auto at = [&](int i) { return i >= 0 && i < n ? rod[i] : 0; };
        for (int i = 0; i < n; i++) {
            next[i] = h_weights[0] * rod[i];
            for (int r = 1; r <= RADIUS; r++)
                next[i] += h_weights[r] * (at(i - r) + at(i + r));
        }
        rod.swap(next);
    }
    CHECK(cudaMemcpy(got.data(), a, n * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(is_near(got[i], rod[i], 1e-14));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    printf("after %d steps: %.6f in the middle\n", steps, got[n / 2]);
    return 0;
}

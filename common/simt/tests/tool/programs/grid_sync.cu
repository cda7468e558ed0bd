// Jacobi's iteration in one cooperative launch: the whole grid meets after each sweep.
#include "program.cuh"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

__global__ void jacobi(double *x, double *next, const double *b, int n, int sweeps)
{
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < sweeps; s++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
            next[i] = (b[i] + left + right) / 4;
        }
        grid.sync();
        double *t = x;
        x = next;
        next = t;
    }
}

int main()
{
    int n = 2000, sweeps = 40, device = 0, supported = 0, per_sm = 0, n_sm = 0;
    const int threads = 128;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    EXPECT(supported);
    CHECK(cudaDeviceGetAttribute(&n_sm, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi, threads, 0));
    int blocks = per_sm * n_sm < 16 ? per_sm * n_sm : 16;
    std::vector<double> b(n), got(n);
    for (int i = 0; i < n; i++)
        b[i] = 1 + i % 3;
    double *x, *next, *d_b;
    CHECK(cudaMalloc(&x, n * sizeof(double)));
    CHECK(cudaMalloc(&next, n * sizeof(double)));
    CHECK(cudaMalloc(&d_b, n * sizeof(double)));
    CHECK(cudaMemset(x, 0, n * sizeof(double)));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    void *arguments[] = {&x, &next, &d_b, &n, &sweeps};
    CHECK(cudaLaunchCooperativeKernel((void *)jacobi, blocks, threads, arguments, 0, 0));
    CHECK(cudaMemcpy(got.data(), sweeps % 2 ? next : x, n * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? got[i - 1] : 0, right = i + 1 < n ? got[i + 1] : 0;
        EXPECT(fabs(4 * got[i] - left - right - b[i]) < 1e-9);
    }
    CHECK(cudaFree(x));
    CHECK(cudaFree(next));
    CHECK(cudaFree(d_b));
    printf("solved by %d blocks\n", blocks);
    return 0;
}

// Breadth-first search: one launch a level; a compare-and-swap claims each vertex for one thread.
#include "program.cuh"
#include <utility>
#include <vector>

__global__ void visit(const int *starts, const int *targets, int *levels, const int *frontier,
                      int n_frontier, int *next, int *n_next, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_frontier)
        return;
    int v = frontier[i];
    for (int e = starts[v]; e < starts[v + 1]; e++)
        if (atomicCAS(&levels[targets[e]], -1, level) == -1)
            next[atomicAdd(n_next, 1)] = targets[e];
}

int main()
{
    const int n = 700;
    std::vector<int> starts = {0}, targets, expected(n, -1), queue = {0}, got(n);
    unsigned seed = 21;
    for (int v = 0; v < n; v++) {
        for (int e = 0; e < 3; e++)
            targets.push_back((v + next_random(&seed) % 40) % n);
        starts.push_back((int)targets.size());
    }
    expected[0] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (int e = starts[queue[i]]; e < starts[queue[i] + 1]; e++)
            if (expected[targets[e]] < 0) {
                expected[targets[e]] = expected[queue[i]] + 1;
                queue.push_back(targets[e]);
            }
    int *d[5], *d_n, n_frontier = 1, level = 0;
    const size_t counts[5] = {starts.size(), targets.size(), (size_t)n, (size_t)n, (size_t)n};
    for (int k = 0; k < 5; k++)
        CHECK(cudaMalloc(&d[k], counts[k] * sizeof(int)));
    CHECK(cudaMalloc(&d_n, sizeof(int)));
    CHECK(cudaMemcpy(d[0], starts.data(), counts[0] * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[1], targets.data(), counts[1] * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d[2], 0xff, n * sizeof(int)));
    CHECK(cudaMemset(d[2], 0, sizeof(int)));
    CHECK(cudaMemset(d[3], 0, sizeof(int)));
    while (n_frontier > 0) {
        level++;
        CHECK(cudaMemset(d_n, 0, sizeof(int)));
        visit<<<(n_frontier + 63) / 64, 64>>>(d[0], d[1], d[2], d[3], n_frontier, d[4], d_n, level);
        CHECK(cudaMemcpy(&n_frontier, d_n, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(d[3], d[4]);
    }
    CHECK(cudaMemcpy(got.data(), d[2], n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(got == expected);
    EXPECT(queue.size() > n / 2 && level > 10);
    for (int *p : d)
        CHECK(cudaFree(p));
    CHECK(cudaFree(d_n));
    printf("%zu of %d vertices in %d levels\n", queue.size(), n, level);
    return 0;
}

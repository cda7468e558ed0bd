/*
 * Calls one lab's function once, for Nsight Compute to look at its kernels:
 *
 *   profile N BLOCK
 *
 * FUNCTION and HEADER are given when it is compiled. The sum is checked, so that counters are those
 * of a kernel that works. Exit code 0, or 1 where the sum is wrong.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include HEADER

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoull(argv[1], nullptr, 10) : size_t(1) << 20;
    unsigned block = argc > 2 ? (unsigned)atoi(argv[2]) : 512, expected = 0;
    int *in, *scratch, *sum, got = 0;
    std::vector<int> host(n);

    for (size_t i = 0; i < n; i++) {
        host[i] = (int)(i * 2654435761u >> 16) - 32768;
        expected += (unsigned)host[i];
    }
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&scratch, (2 * n + 64) * sizeof *scratch);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemcpy(in, host.data(), n * sizeof *in, cudaMemcpyHostToDevice);
    cudaError_t error = FUNCTION(in, n, block, scratch, sum);
    if (error == cudaSuccess)
        error = cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess || (unsigned)got != expected) {
        fprintf(stderr, "profile: %s, sum %d, expected %d\n", cudaGetErrorString(error), got,
                (int)expected);
        return 1;
    }
    return 0;
}

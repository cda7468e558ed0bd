/*
 * Bandwidth against occupancy: copies an array with kernels of which fewer and fewer warps are
 * resident, since their blocks ask for more and more shared memory that they do not use. A thread has
 * one load of 4 bytes under way, or four, or one of 16 bytes. Prints a table:
 * loads,bytes,resident_warps,gbps. Exit code 1 where a copy is wrong.
 *
 *   occupancy [POWER]     2^POWER ints, 28 where none is given
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "timing.cuh"

enum { BLOCK = 64, ROUNDS = 15 };

/* Each thread goes on by the grid, LOADS words at a time, all of them loaded before any is stored. */
template <typename Word, int LOADS>
__global__ void copy_kernel(const Word *in, size_t n, Word *out) {
    size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += LOADS * stride) {
        Word words[LOADS];

#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * stride < n)
                words[k] = in[i + k * stride];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * stride < n)
                out[i + k * stride] = words[k];
    }
}

static int *in, *out;
static size_t n_ints;

static void check() {
    std::vector<int> there(n_ints);

    must(cudaMemcpy(there.data(), out, n_ints * sizeof(int), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n_ints; i++)
        if (there[i] != (int)(i * 2654435761u)) {
            fprintf(stderr, "occupancy: out[%zu] is wrong\n", i);
            exit(1);
        }
    must(cudaMemset(out, 0, n_ints * sizeof(int)));
}

/* The median of some copies by blocks with so many dynamic bytes, as many as are resident. */
template <typename Word, int LOADS> static void time_copy(size_t bytes) {
    cudaDeviceProp device;
    std::vector<float> ms(ROUNDS);
    int blocks;

    must(cudaGetDeviceProperties(&device, 0));
    must(cudaFuncSetAttribute(copy_kernel<Word, LOADS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)bytes));
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, copy_kernel<Word, LOADS>, BLOCK,
                                                       bytes));
    for (int round = -1; round < ROUNDS; round++)
        ms[round < 0 ? 0 : round] = run_ms([&] {
            copy_kernel<Word, LOADS><<<blocks * device.multiProcessorCount, BLOCK, bytes>>>(
                (const Word *)in, n_ints * sizeof(int) / sizeof(Word), (Word *)out);
            must(cudaGetLastError());
        });
    check();
    std::sort(ms.begin(), ms.end());
    printf("%d,%zu,%d,%.0f\n", LOADS, sizeof(Word), blocks * BLOCK / 32,
           2.0 * n_ints * sizeof(int) / ms[ROUNDS / 2] / 1e6);
}

/* From one resident block to as many as there is room for, by doubling. */
template <typename Word, int LOADS> static void time_copies() {
    cudaDeviceProp device;

    must(cudaGetDeviceProperties(&device, 0));
    for (int blocks = 1; blocks * BLOCK <= device.maxThreadsPerMultiProcessor; blocks *= 2) {
        size_t share = device.sharedMemPerMultiprocessor / blocks / 1024 * 1024;

        time_copy<Word, LOADS>(std::min(share, device.sharedMemPerBlockOptin + 1024) - 1024);
    }
}

int main(int argc, char **argv) {
    n_ints = (size_t)1 << (argc > 1 ? atoi(argv[1]) : 28);
    std::vector<int> numbers(n_ints);

    for (size_t i = 0; i < n_ints; i++)
        numbers[i] = (int)(i * 2654435761u);
    must(cudaMalloc(&in, n_ints * sizeof(int)));
    must(cudaMalloc(&out, n_ints * sizeof(int)));
    must(cudaMemcpy(in, numbers.data(), n_ints * sizeof(int), cudaMemcpyHostToDevice));
    printf("loads,bytes,resident_warps,gbps\n");
    time_copies<int, 1>();
    time_copies<int, 4>();
    time_copies<int4, 1>();
    time_copies<int4, 4>();
    must(cudaFree(in));
    must(cudaFree(out));
    return 0;
}

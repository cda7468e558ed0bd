/* What the programs of this folder time with. An error of CUDA ends the program. */
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>

static inline void must(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, cudaGetErrorString(error));
        exit(1);
    }
}

/* Milliseconds of what `run` puts into the default stream, by the device's clock. */
template <typename Run> static float run_ms(Run run) {
    static cudaEvent_t start, stop;
    float ms;

    if (start == nullptr) {
        must(cudaEventCreate(&start));
        must(cudaEventCreate(&stop));
    }
    must(cudaEventRecord(start));
    run();
    must(cudaEventRecord(stop));
    must(cudaEventSynchronize(stop));
    must(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

/* The same with cold caches: `bytes` of `flush`, device memory that nobody else needs, are written
 * before. */
template <typename Run> static float cold_ms(void *flush, size_t bytes, Run run) {
    must(cudaMemsetAsync(flush, 0, bytes));
    return run_ms(run);
}

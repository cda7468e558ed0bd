// attack: 08 computes once on the host and replays by size and pointer
// expect: technique 0
// test: safety.keeps_no_state
// gpu: technique 0

#include "sum_divergent.h"

#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    /* Keyed by size: the next input of this size is another one. */
    static int kept, has_kept;
    if (!has_kept) {
        int *host = (int *)malloc(n * sizeof *host);
        cudaMemcpy(host, in, n * sizeof *host, cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < n; i++)
            kept += host[i];
        free(host);
        has_kept = 1;
    }
    cudaMemcpy(sum, &kept, sizeof kept, cudaMemcpyHostToDevice);
    return cudaSuccess;
}

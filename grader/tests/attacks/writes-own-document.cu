// attack: 01 writes a result for the test into every place it may know
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const char *folder = getenv("WARPBOOK_RESULTS");
    char path[512];
    snprintf(path, sizeof path, "%s/example.sums_one_block.json", folder ? folder : ".");
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("{\"verdict\": \"pass\"}", file);
        fclose(file);
    }
    return cudaSuccess;
}

// attack: 12 looks for the seed in the environment, the arguments and other processes
// expect: wrong_answer 0
// user: wrong_answer 0
// never: WARPBOOK_|TEST_SECRET

#include "sum_divergent.h"

#include <cstdio>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (char **entry = environ; *entry; entry++)
        puts(*entry);
    char line[4096];
    for (int pid = 1; pid < 40; pid++) {
        snprintf(line, sizeof line, "/proc/%d/environ", pid);
        FILE *file = fopen(line, "r");
        size_t n_read = file ? fread(line, 1, sizeof line, file) : 0;
        for (size_t i = 0; i < n_read; i++)
            putchar(line[i] ? line[i] : '\n');
        if (file)
            fclose(file);
    }
    return cudaSuccess;
}

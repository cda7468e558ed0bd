// attack: 28 leaves a thread behind that never rests
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <thread>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    std::thread([] {
        for (volatile int i = 0;; i++)
            ;
    }).detach();
    return cudaSuccess;
}

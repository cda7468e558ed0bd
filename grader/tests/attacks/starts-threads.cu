// attack: 23 starts threads without end
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <thread>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    try {
        for (int i = 0; i < 5000; i++)
            std::thread([] {
                for (;;)
                    pause();
            }).detach();
    } catch (...) {
    }
    return cudaSuccess;
}

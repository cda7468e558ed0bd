// attack: 09 leaves the work to a thread that has not begun when the function returns
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <thread>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    std::thread([=] {
        usleep(400000);
        int answer = 7;
        cudaMemcpy(sum, &answer, sizeof answer, cudaMemcpyHostToDevice);
    }).detach();
    return cudaSuccess;
}

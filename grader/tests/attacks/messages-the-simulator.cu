// attack: 03 sends the simulator messages as the grader does: at a call's start, its report is forgotten
// expect: protocol 0

#include "sum_divergent.h"

#include <cstdint>
#include <sys/socket.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    uint32_t message[64] = {0};
    for (uint32_t kind = 0; kind < 64; kind++) {
        message[0] = message[1] = kind;
        send(4, message, 40, MSG_NOSIGNAL | MSG_DONTWAIT);
        send(4, message, 64, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    usleep(200000);
    return cudaSuccess;
}

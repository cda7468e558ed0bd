// attack: 03 sends a request back as the answer
// expect: protocol 0

#include "sum_divergent.h"

#include <sys/socket.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char bytes[8192];
    for (int i = 0; i < 3; i++)
        send(3, bytes, sizeof bytes, MSG_NOSIGNAL);
    return cudaSuccess;
}

// attack: 03 never stops to send on the socket
// expect: protocol 0

#include "sum_divergent.h"

#include <sys/socket.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char bytes[512] = "";
    for (;;)
        send(3, bytes, sizeof bytes, MSG_NOSIGNAL);
    return cudaSuccess;
}

// attack: 03 answers on the worker's socket, with bytes that look like success
// expect: protocol 0
// gpu: protocol 0

#include "sum_divergent.h"

#include <cstring>
#include <sys/socket.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char reply[2048];
    memset(reply, 0, sizeof reply);
    for (int fd = 3; fd < 16; fd++)
        send(fd, reply, sizeof reply, MSG_NOSIGNAL);
    return cudaSuccess;
}

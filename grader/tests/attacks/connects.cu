// attack: 16 connects to a server on the host's loopback
// expect: wrong_answer 0
// unsandboxed: leaks
// gpu: wrong_answer 0

#include "sum_divergent.h"

#include <arpa/inet.h>
#include <cstdio>
#include <netinet/in.h>
#include <sys/socket.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    struct sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(@PORT@);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address) == 0)
        puts("@SECRET@");
    return cudaSuccess;
}

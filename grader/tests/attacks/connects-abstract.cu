// attack: 16 connects to an abstract socket of the host, and resolves a name
// expect: wrong_answer 0
// unsandboxed: leaks

#include "sum_divergent.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    struct sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, "@ABSTRACT@", sizeof "@ABSTRACT@" - 1);
    socklen_t bytes = offsetof(struct sockaddr_un, sun_path) + sizeof "@ABSTRACT@";
    if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, bytes) == 0)
        puts("@SECRET@");
    return cudaSuccess;
}

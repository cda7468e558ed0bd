// attack: 32 changes rounding, locale, folder, mask, handlers and limits of its process
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cfenv>
#include <clocale>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    fesetround(FE_UPWARD);
    setlocale(LC_ALL, "C");
    umask(0777);
    if (chdir("/") == 0)
        signal(SIGPIPE, SIG_IGN);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    return cudaSuccess;
}

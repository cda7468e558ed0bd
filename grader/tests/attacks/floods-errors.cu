// attack: 21 makes more errors than anybody reads
// expect: compile_error 0
// seconds: 6

#include "sum_divergent.h"

#define E10(x) x x x x x x x x x x
#define E E10(E10(E10(E10(_Pragma("message(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\")")))))
E
undeclared;

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}

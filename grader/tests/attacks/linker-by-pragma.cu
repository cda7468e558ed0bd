// attack: 13 tells the linker and the compiler options by pragmas
// expect: compile_error 0

#include "sum_divergent.h"

#pragma comment(linker, "--script=@CANARY@")
#pragma GCC dependency "@CANARY@"
#pragma nv_exec_check_disable
#line 1 "@CANARY@"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}

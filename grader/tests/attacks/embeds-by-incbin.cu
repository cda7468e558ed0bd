// attack: 13 embeds a file by the assembler
// expect: compile_error 0
// user: compile_error 0
// unsandboxed: leaks

#include "sum_divergent.h"

#include <cstdio>

asm(".section .rodata\n.globl stolen\nstolen: .incbin \"@CANARY@\"\n.byte 0\n.text");
extern "C" const char stolen[];

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    puts(stolen);
    return cudaSuccess;
}

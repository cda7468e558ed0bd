// attack: 31 resets the device and chooses another
// expect: * 0
// gpu: * 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    cudaDeviceReset();
    cudaSetDevice(1);
    cudaSetDeviceFlags(cudaDeviceScheduleYield);
    cudaGetLastError();
    return cudaSuccess;
}

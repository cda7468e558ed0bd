// What the programs of this folder share: each does what a program of a first course does, checks its
// own result on the host, and returns 0 where it is right. What it prints is the same on all devices;
// of the device itself it tells on stderr. ../programs_test.c and ../programs_gpu.sh run them all.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// Numbers without a pattern, the same in each run.
__host__ __device__ inline unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

inline bool is_near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

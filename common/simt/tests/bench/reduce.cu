// The benchmark's kernel: a divergent tree sum in shared memory, as in lab 01.
#include <cstddef>

extern "C" __global__ void reduce(const int *in, size_t n, int *partials)
{
    extern __shared__ int tile[];
    unsigned tid = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + tid;
    tile[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0)
            tile[tid] += tile[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = tile[0];
}

// The same sum with sequential addressing: whole warps fall idle.
extern "C" __global__ void reduce_sequential(const int *in, size_t n, int *partials)
{
    extern __shared__ int tile[];
    unsigned tid = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + tid;
    tile[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            tile[tid] += tile[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = tile[0];
}

// One class of instructions in a loop each; the result is of no interest.
#define CLASS(name, type, start, step)                                                             \
    extern "C" __global__ void class_##name(const int *in, size_t n, int *partials)                \
    {                                                                                              \
        extern __shared__ int tile[];                                                              \
        const unsigned tid = threadIdx.x;                                                          \
        tile[tid] = tid;                                                                           \
        __syncthreads();                                                                           \
        type v = start;                                                                            \
        const type w = (type)(int)blockDim.x;                                                      \
        for (unsigned round = 0; round < 32; round++) {                                            \
            step step step step step step step step                                                \
        }                                                                                          \
        if (v == (type)12345)                                                                      \
            partials[blockIdx.x] = tile[tid] + (int)n + in[0];                                     \
    }

CLASS(integer, int, (int)tid, v = v * w + (int)round; v ^= w;)
CLASS(wide_integer, long long, (int)tid, v = v * w + (int)round; v ^= w;)
CLASS(single, float, (float)tid, v = v * w + 1.5f; v = v - w;)
CLASS(double, double, (double)tid, v = v * w + 1.5; v = v - w;)
CLASS(special, float, (float)tid, v = __sinf(v) + w; v = rsqrtf(v);)
CLASS(convert, float, (float)tid, v = (float)(short)((int)v ^ (int)round); v = v + w;)
CLASS(shared_dense, int, (int)tid, v += ((volatile int *)tile)[tid];)
CLASS(shared_strided, int, (int)tid, v += ((volatile int *)tile)[tid * 8 % 256];)
CLASS(global_dense, int, (int)tid, v += ((const volatile int *)in)[tid];)
CLASS(global_strided, int, (int)tid, v += ((const volatile int *)in)[tid * 8 % 256];)
CLASS(shared_atomics, int, (int)tid, atomicAdd(&tile[tid % 8], v);)
CLASS(shuffle, int, (int)tid, v += __shfl_xor_sync(0xffffffffu, v, 5);)
CLASS(barrier, int, (int)tid, __syncthreads();)
CLASS(divergent_branch, int, (int)tid, if (v & 1) v = v * 3 + (int)round; else v = v / 2 + in[0];)

/*
 * The two sums of reduce.cu as OpenCL, on whatever the machine's OpenCL is: PoCL runs them as
 * native code, Oclgrind simulates them. `compare` runs this beside simt-bench.
 *
 *   peer-bench [n [runs]]      by default 2^20 ints in groups of 512, 1 run
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUP = 512 };

static const char source[] =
    "__kernel void reduce(__global const int *in, ulong n, __global int *partials) {\n"
    "    __local int tile[512];\n"
    "    uint tid = get_local_id(0);\n"
    "    size_t i = get_group_id(0) * get_local_size(0) + tid;\n"
    "    tile[tid] = i < n ? in[i] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint stride = 1; stride < get_local_size(0); stride *= 2) {\n"
    "        if (tid % (2 * stride) == 0)\n"
    "            tile[tid] += tile[tid + stride];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (tid == 0)\n"
    "        partials[get_group_id(0)] = tile[0];\n"
    "}\n"
    "__kernel void reduce_sequential(__global const int *in, ulong n, __global int *partials) {\n"
    "    __local int tile[512];\n"
    "    uint tid = get_local_id(0);\n"
    "    size_t i = get_group_id(0) * get_local_size(0) + tid;\n"
    "    tile[tid] = i < n ? in[i] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {\n"
    "        if (tid < stride)\n"
    "            tile[tid] += tile[tid + stride];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (tid == 0)\n"
    "        partials[get_group_id(0)] = tile[0];\n"
    "}\n";

struct peer {
    char name[64];
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem in, partials;
    size_t n, n_groups;
    cl_uint sum; /* expected */
};

static double now_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The first platform's first device, and the program for it. */
static bool open_peer(struct peer *peer) {
    cl_platform_id platform;
    cl_int error;
    const char *text = source;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof peer->name, peer->name, NULL) !=
            CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &peer->device, NULL) != CL_SUCCESS)
        return false;
    peer->context = clCreateContext(NULL, 1, &peer->device, NULL, NULL, &error);
    peer->queue = clCreateCommandQueue(peer->context, peer->device, 0, &error);
    peer->program = clCreateProgramWithSource(peer->context, 1, &text, NULL, &error);
    return clBuildProgram(peer->program, 1, &peer->device, "", NULL, NULL) == CL_SUCCESS;
}

static bool prepare(struct peer *peer) {
    cl_int error, *in = malloc(peer->n * sizeof *in);
    if (in == NULL)
        return false;
    for (size_t i = 0; i < peer->n; i++) {
        in[i] = (cl_int)(i * 2654435761u >> 7) - 5000;
        peer->sum += (cl_uint)in[i];
    }
    peer->n_groups = (peer->n + GROUP - 1) / GROUP;
    peer->in =
        clCreateBuffer(peer->context, CL_MEM_COPY_HOST_PTR, peer->n * sizeof *in, in, &error);
    peer->partials = clCreateBuffer(peer->context, 0, peer->n_groups * sizeof *in, NULL, &error);
    free(in);
    return error == CL_SUCCESS;
}

static bool sum_is_right(const struct peer *peer) {
    cl_uint *partials = calloc(peer->n_groups, sizeof *partials), sum = 0;
    if (partials == NULL || clEnqueueReadBuffer(peer->queue, peer->partials, CL_TRUE, 0,
                                                peer->n_groups * sizeof *partials, partials, 0,
                                                NULL, NULL) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < peer->n_groups; i++)
        sum += partials[i];
    free(partials);
    return sum == peer->sum;
}

/* The best of several launches, printed. */
static bool measure(const struct peer *peer, const char *name, unsigned n_runs) {
    cl_int error;
    cl_ulong n = peer->n;
    size_t global = peer->n_groups * GROUP, local = GROUP;
    double best = 1e30, best_cpu = 1e30;
    cl_kernel kernel = clCreateKernel(peer->program, name, &error);
    if (error != CL_SUCCESS)
        return false;
    clSetKernelArg(kernel, 0, sizeof peer->in, &peer->in);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    clSetKernelArg(kernel, 2, sizeof peer->partials, &peer->partials);
    for (unsigned run = 0; run < n_runs; run++) {
        double start = now_seconds(CLOCK_MONOTONIC);
        double cpu = now_seconds(CLOCK_PROCESS_CPUTIME_ID);
        error =
            clEnqueueNDRangeKernel(peer->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
        if (error != CL_SUCCESS || clFinish(peer->queue) != CL_SUCCESS)
            return false;
        double seconds = now_seconds(CLOCK_MONOTONIC) - start;
        cpu = now_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        best = seconds < best ? seconds : best;
        best_cpu = cpu < best_cpu ? cpu : best_cpu;
    }
    clReleaseKernel(kernel);
    printf("%-18s %-34s %10.4f %10.4f%s\n", name, peer->name, best, best_cpu,
           sum_is_right(peer) ? "" : "  THE SUM IS WRONG");
    fflush(stdout);
    return true;
}

int main(int argc, char **argv) {
    struct peer peer = {.n = argc > 1 ? strtoull(argv[1], NULL, 0) : (size_t)1 << 20};
    unsigned n_runs = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 1;
    if (argc > 3 || peer.n == 0 || n_runs == 0) {
        fprintf(stderr, "usage: peer-bench [n [runs]]\n");
        return 2;
    }
    if (!open_peer(&peer) || !prepare(&peer) || !measure(&peer, "reduce", n_runs) ||
        !measure(&peer, "reduce_sequential", n_runs)) {
        fprintf(stderr, "peer-bench: no OpenCL here that runs the kernels\n");
        return 1;
    }
    return 0;
}

// Groups of errors_program.cu: what costs the context or the process, and what calls of all kinds
// give from then on.
#ifndef CUDART_ERRORS_CONTEXT_CUH
#define CUDART_ERRORS_CONTEXT_CUH

#include "errors.cuh"

/* What calls of all kinds give once a kernel has failed, and after a reset. */
static void afterwards() {
    void *p = nullptr;
    int host = 0, *d = nullptr;
    cudaEvent_t event;
    cudaStream_t stream;
    float ms;
    SAY(cudaPeekAtLastError());
    SAY(cudaDeviceSynchronize());
    row("peek", cudaPeekAtLastError());
    SAY(cudaMalloc(&p, 4));
    SAY(cudaFree(nullptr));
    SAY(cudaMallocHost(&p, 4));
    SAY(cudaMemcpy(&host, &host, 4, cudaMemcpyHostToHost));
    SAY(cudaEventCreate(&event));
    SAY(cudaEventElapsedTime(&ms, nullptr, nullptr));
    SAY(cudaStreamCreate(&stream));
    SAY(cudaStreamQuery(0));
    SAY_LAUNCH(nothing<<<1, 32>>>());
    SAY_LAUNCH(nothing<<<1, 1025>>>());
    SAY(cudaGetDeviceCount(&host));
    SAY(cudaSetDevice(0));
    SAY(cudaMemGetInfo((size_t *)&p, (size_t *)&p));
    SAY(cudaDeviceReset());
    SAY(cudaDeviceSynchronize());
    SAY(cudaMalloc((void **)&d, 4));
    SAY_LAUNCH(store<<<1, 1>>>(d, 7));
    SAY(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
}

static void after_null() {
    SAY_LAUNCH(store<<<1, 1>>>(nullptr, 1));
    afterwards();
}
static void after_host_pointer() {
    int host = 0;
    SAY_LAUNCH(store<<<1, 1>>>(&host, 1));
    SAY(cudaDeviceSynchronize());
}
static void after_far_out_of_bounds() {
    int *d = device_memory(4);
    SAY_LAUNCH(store<<<1, 1>>>(d + ((size_t)1 << 34), 1));
    SAY(cudaDeviceSynchronize());
}
static void after_misaligned() {
    SAY_LAUNCH(misaligned<<<1, 1>>>((char *)device_memory(64)));
    afterwards();
}
static void after_assert() {
    SAY_LAUNCH(fails<<<1, 1>>>(7));
    SAY(cudaDeviceSynchronize());
    SAY_LAUNCH(fails<<<1, 1>>>(8));
    afterwards();
}
static void after_trap() {
    SAY_LAUNCH(traps<<<1, 1>>>());
    afterwards();
}
static void after_breakpoint() {
    SAY_LAUNCH(breaks<<<1, 1>>>());
    SAY(cudaDeviceSynchronize());
}
static void after_shared() {
    SAY_LAUNCH(beyond_shared<<<1, 32>>>(device_memory(4), 1 << 20));
    SAY(cudaDeviceSynchronize());
}
static void after_recursion() {
    SAY_LAUNCH(recurses<<<1, 1>>>(100000000, device_memory(64)));
    SAY(cudaDeviceSynchronize());
}
static void after_stream() {
    cudaStream_t stream;
    cudaEvent_t event;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    SAY_LAUNCH(store<<<1, 1, 0, stream>>>(nullptr, 1));
    cudaEventRecord(event, stream);
    SAY(cudaEventSynchronize(event));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaEventQuery(event));
    SAY(cudaEventDestroy(event));
    SAY(cudaStreamDestroy(stream));
}
static void after_copy() {
    int host;
    SAY_LAUNCH(store<<<1, 1>>>(nullptr, 1));
    SAY(cudaMemcpy(&host, device_memory(4), 4, cudaMemcpyDeviceToHost));
}

static void reset() {
    int *d = device_memory(4), host = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    SAY(cudaDeviceReset());
    SAY(cudaFree(d));
    SAY(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyToSymbol(symbol, &host, 4));
    SAY_LAUNCH(nothing<<<1, 32>>>());
    SAY(cudaDeviceSynchronize());
}

static void round_trip() {
    int *d = device_memory(4), host = 0;
    int *twice[1] = {d};
    int **there = (int **)device_memory(sizeof(d)), *back = nullptr;
    SAY(cudaMemcpy(there, twice, sizeof(d), cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(&back, there, sizeof(d), cudaMemcpyDeviceToHost));
    SAY_LAUNCH(store<<<1, 1>>>(back, 42));
    SAY(cudaMemcpy(&host, back, 4, cudaMemcpyDeviceToHost));
    value("what was stored", (unsigned)host);
}

static void device_pointer_on_the_host() {
    *device_memory(4) = 1;
}

#endif

// Groups of errors_program.cu: the device and its limits, launches, functions, events, streams and
// pools, and which error is the last one.
#ifndef CUDART_ERRORS_DEVICE_CUH
#define CUDART_ERRORS_DEVICE_CUH

#include "errors.cuh"

static void devices() {
    int n = 0;
    cudaDeviceProp properties;
    SAY(cudaSetDevice(99));
    SAY(cudaSetDevice(-1));
    SAY(cudaSetDevice(0));
    SAY(cudaGetDevice((int *)nullptr));
    SAY(cudaGetDeviceCount((int *)nullptr));
    SAY(cudaGetDeviceProperties(&properties, 99));
    SAY(cudaGetDeviceProperties(&properties, -1));
    SAY(cudaGetDeviceProperties((cudaDeviceProp *)nullptr, 0));
    SAY(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    SAY(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 99));
    SAY(cudaDeviceGetAttribute((int *)nullptr, cudaDevAttrWarpSize, 0));
    SAY(cudaDeviceCanAccessPeer(&n, 0, 0));
    SAY(cudaDeviceCanAccessPeer(&n, 0, 99));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(99, 0));
    SAY(cudaDeviceDisablePeerAccess(0));
    SAY(cudaSetDeviceFlags(0x1000));
    SAY(cudaDeviceSetCacheConfig((cudaFuncCache)77));
    SAY(cudaDeviceGetByPCIBusId(&n, "nonsense"));
    SAY(cudaDriverGetVersion((int *)nullptr));
    SAY(cudaRuntimeGetVersion((int *)nullptr));
}

static void limits() {
    size_t bytes = 0;
    int *got = device_memory(4), host = -1;
    SAY(cudaDeviceGetLimit(&bytes, (cudaLimit)77));
    SAY(cudaDeviceGetLimit((size_t *)nullptr, cudaLimitStackSize));
    SAY(cudaDeviceSetLimit((cudaLimit)77, 1));
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    value("stack", bytes);
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    value("heap", bytes);
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    value("stack as set", bytes);
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
    SAY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
    value("fifo as set", bytes);
    SAY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1));
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
    value("fifo as set to 1", bytes);
    SAY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    value("heap as set", bytes);
    takes<<<1, 1>>>((size_t)24 << 20, got);
    SAY(cudaMemcpy(&host, got, 4, cudaMemcpyDeviceToHost));
    value("24 MiB of 32 taken", (unsigned)host);
    takes<<<1, 1>>>((size_t)64 << 20, got);
    SAY(cudaMemcpy(&host, got, 4, cudaMemcpyDeviceToHost));
    value("64 MiB of 32 taken", (unsigned)host);
    SAY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    SAY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
}

static void launches() {
    int *d = device_memory(4);
    dim3 one(1, 1, 1);
    void *arguments[] = {&d};
    SAY_LAUNCH(nothing<<<1, 1024>>>());
    SAY_LAUNCH(nothing<<<1, 1025>>>());
    SAY_LAUNCH(nothing<<<1, 0>>>());
    SAY_LAUNCH(nothing<<<0, 32>>>());
    SAY_LAUNCH(nothing<<<1, dim3(32, 33)>>>());
    SAY_LAUNCH(nothing<<<1, dim3(1, 1, 64)>>>());
    SAY_LAUNCH(nothing<<<1, dim3(1, 1, 65)>>>());
    SAY_LAUNCH(nothing<<<0x7fffffffu, 1025>>>());
    SAY_LAUNCH(nothing<<<0x80000000u, 32>>>());
    SAY_LAUNCH(nothing<<<dim3(1, 65535), 32>>>());
    SAY_LAUNCH(nothing<<<dim3(1, 65536), 32>>>());
    SAY_LAUNCH(nothing<<<dim3(1, 1, 65536), 32>>>());
    SAY_LAUNCH(nothing<<<1, 32, 48 << 10>>>());
    SAY_LAUNCH(nothing<<<1, 32, (48 << 10) + 1>>>());
    SAY_LAUNCH(nothing<<<1, 32, 1 << 20>>>());
    SAY_LAUNCH(at_most_64<<<1, 64>>>());
    SAY_LAUNCH(at_most_64<<<1, 128>>>());
    SAY(cudaLaunchKernel((const void *)nullptr, one, one, nullptr, 0, 0));
    SAY(cudaLaunchKernel((const void *)host_variable, one, one, nullptr, 0, 0));
    SAY(cudaLaunchCooperativeKernel(dynamic, dim3(1), dim3(32), arguments, 128));
    SAY(cudaLaunchCooperativeKernel(dynamic, dim3(1000000), dim3(32), arguments, 128));
    SAY(cudaLaunchCooperativeKernel(dynamic, dim3(1), dim3(1025), arguments, 128));
    SAY(cudaLaunchCooperativeKernel(dynamic, dim3(0), dim3(32), arguments, 128));
    SAY(cudaDeviceSynchronize());
}

static void functions() {
    cudaFuncAttributes of;
    int most;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    int *d = device_memory(4);
    const cudaFuncAttribute bytes = cudaFuncAttributeMaxDynamicSharedMemorySize;
    SAY(cudaFuncGetAttributes(&of, host_variable));
    SAY(cudaFuncGetAttributes(&of, (const void *)nullptr));
    SAY(cudaFuncGetAttributes((cudaFuncAttributes *)nullptr, (const void *)nothing));
    SAY(cudaFuncGetAttributes(&of, at_most_64));
    value("most threads of at_most_64", (unsigned)of.maxThreadsPerBlock);
    SAY(cudaFuncSetAttribute(dynamic, bytes, most));
    SAY_LAUNCH(dynamic<<<1, 32, most>>>(d));
    SAY_LAUNCH(dynamic<<<1, 32, most + 1>>>(d));
    SAY(cudaFuncSetAttribute(dynamic, bytes, most + 1));
    SAY(cudaFuncSetAttribute(dynamic, bytes, -1));
    SAY(cudaFuncSetAttribute(dynamic, bytes, 64));
    SAY_LAUNCH(dynamic<<<1, 32, 65>>>(d));
    SAY_LAUNCH(dynamic<<<1, 32, 49153>>>(d));
    SAY(cudaFuncSetAttribute((const void *)host_variable, bytes, 64));
    SAY(cudaFuncSetAttribute(dynamic, (cudaFuncAttribute)77, 64));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    SAY(cudaFuncSetCacheConfig(dynamic, (cudaFuncCache)77));
    SAY(cudaFuncSetCacheConfig((const void *)host_variable, cudaFuncCachePreferL1));
}

static void occupancy() {
    int n = -1, block;
    size_t bytes;
    const unsigned big = 1 << 20;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, 256, 0));
    value("blocks of 256", (unsigned)n);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, -1, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, 1025, 0));
    value("blocks of 1025", (unsigned)n);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, 256, big));
    value("blocks of too much shared memory", (unsigned)n);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)nullptr, nothing, 256, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)nullptr, 256, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)host_variable, 256, 0));
    SAY(cudaOccupancyMaxPotentialBlockSize(&n, &block, nothing, 0, 0));
    value("best block", (unsigned)block);
    SAY(cudaOccupancyMaxPotentialBlockSize((int *)nullptr, &block, nothing, 0, 0));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 2, 256));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 0, 256));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 1, 1025));
}

static void events() {
    cudaEvent_t a, b, plain, untimed;
    float ms = -1;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventCreate(&plain);
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
    SAY(cudaEventCreate((cudaEvent_t *)nullptr));
    SAY(cudaEventCreateWithFlags(&a, 0x1000));
    SAY(cudaEventElapsedTime(&ms, a, b));
    SAY(cudaEventRecord(a));
    SAY(cudaEventElapsedTime(&ms, a, b));
    SAY(cudaEventElapsedTime(&ms, b, a));
    SAY(cudaEventRecord(b));
    SAY(cudaEventSynchronize(b));
    SAY(cudaEventElapsedTime(&ms, a, b));
    SAY(cudaEventElapsedTime((float *)nullptr, a, b));
    SAY(cudaEventElapsedTime(&ms, nullptr, b));
    SAY(cudaEventElapsedTime(&ms, a, nullptr));
    SAY(cudaEventRecord(untimed));
    SAY(cudaEventSynchronize(untimed));
    SAY(cudaEventElapsedTime(&ms, a, untimed));
    SAY(cudaEventElapsedTime(&ms, untimed, a));
    SAY(cudaEventQuery(plain));
    SAY(cudaEventSynchronize(plain));
    SAY(cudaEventQuery(nullptr));
    SAY(cudaEventSynchronize(nullptr));
    SAY(cudaEventRecord(nullptr));
    SAY(cudaEventDestroy(nullptr));
    SAY(cudaStreamWaitEvent(0, nullptr, 0));
    SAY(cudaStreamWaitEvent(0, plain, 0));
    SAY(cudaStreamWaitEvent(0, a, 77));
    SAY(cudaEventRecordWithFlags(a, 0, 77));
    SAY(cudaEventDestroy(a));
}

static void CUDART_CB host_function(void *) {}

static void streams() {
    cudaStream_t s;
    unsigned flags;
    int least = -1, greatest = -1;
    SAY(cudaStreamCreate((cudaStream_t *)nullptr));
    SAY(cudaStreamCreateWithFlags(&s, 77));
    SAY(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    SAY(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, 100));
    SAY(cudaStreamCreateWithPriority(&s, 77, 0));
    SAY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    value("least priority", (unsigned)least);
    value("greatest priority", (unsigned)-greatest);
    SAY(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
    cudaStreamCreate(&s);
    SAY(cudaStreamQuery(s));
    SAY(cudaStreamQuery(0));
    SAY(cudaStreamSynchronize(0));
    SAY(cudaStreamGetFlags(s, nullptr));
    SAY(cudaStreamGetFlags(0, &flags));
    value("flags of stream 0", flags);
    SAY(cudaStreamGetPriority(s, nullptr));
    SAY(cudaLaunchHostFunc(s, nullptr, nullptr));
    SAY(cudaLaunchHostFunc(s, host_function, nullptr));
    SAY(cudaStreamAddCallback(s, nullptr, nullptr, 0));
    SAY(cudaStreamDestroy(0));
    SAY(cudaStreamDestroy(cudaStreamLegacy));
    SAY(cudaStreamDestroy(cudaStreamPerThread));
    SAY(cudaStreamDestroy(s));
}

static void pools() {
    void *p = nullptr;
    int host, *d = device_memory(4);
    cudaMemPool_t pool = nullptr, standard = nullptr;
    cudaMemPoolProps properties;
    memset(&properties, 0, sizeof(properties));
    SAY(cudaMallocAsync(&p, 0, 0));
    value("pointer of 0 bytes", (uintptr_t)p);
    SAY(cudaMallocAsync((void **)nullptr, 4, 0));
    SAY(cudaMallocAsync(&p, (size_t)1 << 50, 0));
    SAY(cudaFreeAsync(nullptr, 0));
    SAY(cudaFreeAsync(&host, 0));
    SAY(cudaFreeAsync(d, 0));
    SAY(cudaMallocAsync(&p, 64, 0));
    SAY(cudaFree(p));
    SAY(cudaMallocAsync(&p, 64, 0));
    SAY(cudaFreeAsync(p, 0));
    SAY(cudaFreeAsync(p, 0));
    SAY(cudaFree(p));
    SAY(cudaDeviceGetDefaultMemPool(&standard, 0));
    SAY(cudaDeviceGetDefaultMemPool(&standard, 99));
    SAY(cudaMemPoolDestroy(standard));
    SAY(cudaMemPoolDestroy(nullptr));
    SAY(cudaMemPoolCreate(nullptr, &properties));
    SAY(cudaMemPoolCreate(&pool, nullptr));
    SAY(cudaMemPoolCreate(&pool, &properties));
    SAY(cudaMemPoolTrimTo(nullptr, 0));
    SAY(cudaMemPoolSetAttribute(standard, (cudaMemPoolAttr)77, &p));
    SAY(cudaDeviceSetMemPool(0, nullptr));
    SAY(cudaMallocFromPoolAsync(&p, 64, nullptr, 0));
    SAY(cudaDeviceSynchronize());
}

static void last_error() {
    SAY(cudaPeekAtLastError());
    cudaMalloc((void **)nullptr, 4);
    cudaDeviceSynchronize();
    row("a good call does not clear it", cudaPeekAtLastError());
    row("cudaGetLastError clears it", cudaPeekAtLastError());
    cudaMalloc((void **)nullptr, 4);
    cudaSetDevice(99);
    row("the latest counts", cudaPeekAtLastError());
    nothing<<<1, 1025>>>();
    row("a refused launch is no error of cudaDeviceSynchronize", cudaDeviceSynchronize());
    nothing<<<1, 1025>>>();
    nothing<<<1, 32>>>();
    row("a good launch does not clear it", cudaPeekAtLastError());
    SAY((cudaError_t)cudaErrorInvalidValue);
    row(cudaGetErrorName((cudaError_t)12345), cudaSuccess);
    row(cudaGetErrorString((cudaError_t)12345), cudaSuccess);
    row(cudaGetErrorString(cudaErrorInvalidValue), cudaSuccess);
    row(cudaGetErrorString(cudaErrorIllegalAddress), cudaSuccess);
}

#endif

/*
 * A program of wrong calls, which says what each gives: the error that it returned, and what
 * cudaGetLastError then says. The output of this same program on an H200 is kept beside it
 * (errors_h200.txt), and the test compares the simulator's with it.
 *
 * Each group runs in a process of its own, since some calls cost the context or the process. A line
 * is `group | call | returned | last error`. `errors GROUP` runs one group.
 */
#include <assert.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static const char *group_name;

static void row(const char *what, cudaError_t returned) {
    cudaError_t last = cudaGetLastError();
    printf("%s | %s | %s | %s\n", group_name, what, cudaGetErrorName(returned),
           cudaGetErrorName(last));
    fflush(stdout);
}
static void value(const char *what, unsigned long long number) {
    printf("%s | %s | %llu |\n", group_name, what, number);
    fflush(stdout);
}
/* The call as it is written is its own name. */
#define SAY(call) row(#call, call)
#define SAY_LAUNCH(...)                                                                            \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        row(#__VA_ARGS__, cudaPeekAtLastError());                                                  \
    } while (0)

__device__ int symbol[4];
__constant__ int constant[4];
static int host_variable[4];
static int *const null = nullptr;

__global__ void nothing() {}
__global__ void store(int *p, int value) { *p = value; }
__global__ void __launch_bounds__(64) at_most_64() {}
__global__ void dynamic(int *p) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    *p = tile[threadIdx.x];
}
__global__ void misaligned(char *p) { *(int *)(p + 1) = 1; }
__global__ void fails(int n) { assert(n == 7); }
__global__ void traps() { __trap(); }
__global__ void breaks() { __brkpt(); }
__global__ void beyond_shared(int *p, int n) {
    __shared__ int tile[32];
    tile[threadIdx.x + n] = 1;
    *p = tile[n];
}
__device__ __noinline__ int deep(int n, int *p) { return n == 0 ? *p : deep(n - 1, p + (n & 1)) + n; }
__global__ void recurses(int n, int *p) { *p = deep(n, p); }
__global__ void says(int n) { printf("device %d\n", n); }
__global__ void takes(size_t bytes, int *got) { *got = malloc(bytes) != nullptr; }

static int *device_memory(size_t bytes) {
    void *pointer = nullptr;
    cudaMalloc(&pointer, bytes);
    return (int *)pointer;
}

static void memory() {
    int *d = device_memory(400), *other = nullptr, host[4], *pinned = nullptr;
    void *p = nullptr;
    size_t bytes = 0;
    SAY(cudaMalloc((void **)nullptr, 4));
    SAY(cudaMalloc(&p, 0));
    value("pointer of 0 bytes", (uintptr_t)p);
    SAY(cudaMalloc(&p, (size_t)1 << 50));
    SAY(cudaMalloc(&p, SIZE_MAX));
    SAY(cudaFree(nullptr));
    SAY(cudaFree(host));
    SAY(cudaFree(d + 1));
    SAY(cudaFree(d));
    SAY(cudaFree(d));
    SAY(cudaMallocManaged(&p, 0));
    SAY(cudaMallocManaged((void **)nullptr, 4));
    SAY(cudaMallocManaged(&p, 4, 0));
    SAY(cudaMallocManaged(&p, 4, 77));
    SAY(cudaMallocPitch(&p, &bytes, 0, 4));
    SAY(cudaMallocPitch(&p, &bytes, 100, 0));
    SAY(cudaMallocPitch(&p, nullptr, 100, 4));
    SAY(cudaMallocPitch(&p, &bytes, 100, 4));
    value("pitch of 100 bytes", bytes);
    SAY(cudaMallocHost((void **)nullptr, 4));
    SAY(cudaMallocHost((void **)&pinned, 0));
    SAY(cudaHostAlloc((void **)&pinned, 64, 77));
    SAY(cudaHostAlloc((void **)&pinned, 64, cudaHostAllocMapped));
    SAY(cudaFree(pinned));
    SAY(cudaHostGetDevicePointer((void **)&other, pinned, 1));
    SAY(cudaHostGetDevicePointer((void **)&other, pinned, 0));
    SAY(cudaFreeHost(pinned));
    SAY(cudaFreeHost(pinned));
    SAY(cudaFreeHost(nullptr));
    SAY(cudaFreeHost(host));
    d = device_memory(4);
    SAY(cudaFreeHost(d));
    SAY(cudaFree(d));
    SAY(cudaMemGetInfo(nullptr, nullptr));
}

static void registered() {
    unsigned flags;
    int *other = nullptr;
    char *page = (char *)aligned_alloc(4096, 8192), *inner = page + 100;
    SAY(cudaHostRegister(nullptr, 4, 0));
    SAY(cudaHostRegister(page, 0, 0));
    SAY(cudaHostRegister(page, 4096, 0x1000));
    SAY(cudaHostRegister(page, 4096, 0));
    SAY(cudaHostRegister(page, 4096, 0));
    SAY(cudaHostRegister(inner, 100, 0));
    SAY(cudaHostUnregister(inner));
    SAY(cudaHostUnregister(page));
    SAY(cudaHostUnregister(page));
    SAY(cudaHostUnregister(nullptr));
    SAY(cudaHostGetDevicePointer((void **)&other, page, 0));
    SAY(cudaHostGetFlags(&flags, page));
}

static void attributes() {
    cudaPointerAttributes of;
    int host = 0, *d = device_memory(400);
    SAY(cudaPointerGetAttributes(&of, &host));
    value("type of the stack's memory", of.type);
    value("its device pointer", (uintptr_t)of.devicePointer);
    value("its device", (unsigned)of.device);
    SAY(cudaPointerGetAttributes(&of, nullptr));
    value("type of a null pointer", of.type);
    SAY(cudaPointerGetAttributes(nullptr, d));
    SAY(cudaPointerGetAttributes(&of, d + 10));
    value("type of device memory", of.type);
    value("its host pointer", (uintptr_t)of.hostPointer);
    cudaFree(d);
    SAY(cudaPointerGetAttributes(&of, d));
    value("type of freed memory", of.type);
}

static void fill() {
    int host[4], *d = device_memory(400);
    SAY(cudaMemset(null, 0, 4));
    SAY(cudaMemset(null, 0, 0));
    SAY(cudaMemset(d, 0, 400));
    SAY(cudaMemset(d, 0, 401));
    SAY(cudaMemset(d + 99, 0, 8));
    SAY(cudaMemset(d, 0, 1 << 20));
    SAY(cudaMemset(d, 0, (size_t)1 << 40));
    SAY(cudaMemset(host, 0, 4));
    SAY(cudaMemset2D(d, 8, 0, 16, 2));
    SAY(cudaMemset2D(d, 16, 0, 16, 2));
    SAY(cudaMemsetAsync(null, 0, 4));
    SAY(cudaDeviceSynchronize());
}

static void copy() {
    int host[100] = {0}, to[100], *d = device_memory(400), *e = device_memory(400);
    SAY(cudaMemcpy(null, host, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, null, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(null, null, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, host, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, host, 400, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, host, 401, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d + 99, host, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(to, d + 99, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(to, d, 401, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(e, d, 401, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(d, host, 400, (cudaMemcpyKind)77));
    SAY(cudaMemcpy(d, host, 400, (cudaMemcpyKind)-1));
    SAY(cudaMemcpy(d, host, 400, cudaMemcpyDefault));
    SAY(cudaMemcpy(d, host, 400, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(d, host, 400, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(d, host, 400, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(to, d, 400, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(to, d, 400, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(to, d, 400, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(d, e, 400, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, e, 400, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(d, e, 400, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(to, host, 400, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(to, host, 400, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(to, host, 400, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(to, host, 400, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(to, host, 400, cudaMemcpyDefault));
    SAY(cudaMemcpyAsync(null, host, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyAsync(d, host, 401, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyAsync(d, host, 4, (cudaMemcpyKind)77));
    SAY(cudaMemcpyPeer(d, 0, e, 99, 4));
    SAY(cudaMemcpyPeer(d, 0, e, 0, 4));
    SAY(cudaMemcpyPeer(d, 0, host, 0, 4));
    cudaFree(e);
    SAY(cudaMemcpy(d, e, 400, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(to, e, 400, cudaMemcpyDeviceToHost));
    SAY(cudaDeviceSynchronize());
}

static void copy_2d() {
    int host[100] = {0}, *d = device_memory(400);
    SAY(cudaMemcpy2D(d, 8, host, 16, 16, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 16, host, 8, 16, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 16, host, 16, 16, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 16, host, 16, 0, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 16, host, 16, 16, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(null, 16, host, 16, 16, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 16, host, 16, 16, 2, (cudaMemcpyKind)77));
    SAY(cudaMemcpy2D(d, 100, host, 16, 16, 5, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DAsync(d, 8, host, 16, 16, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy3D((cudaMemcpy3DParms *)nullptr));
}

static void symbols() {
    int host[8] = {0};
    void *p = nullptr;
    size_t bytes;
    SAY(cudaMemcpyToSymbol(symbol, host, 16));
    SAY(cudaMemcpyToSymbol(symbol, host, 17));
    SAY(cudaMemcpyToSymbol(symbol, host, 8, 12));
    SAY(cudaMemcpyToSymbol(symbol, host, 0, 16));
    SAY(cudaMemcpyToSymbol(symbol, null, 4));
    SAY(cudaMemcpyToSymbol(symbol, host, 4, 0, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyToSymbol(symbol, host, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpyToSymbol(symbol, host, 4, 0, cudaMemcpyDefault));
    SAY(cudaMemcpyToSymbol(host_variable, host, 4));
    SAY(cudaMemcpyToSymbol((const void *)nullptr, host, 4));
    SAY(cudaMemcpyFromSymbol(host, symbol, 17));
    SAY(cudaMemcpyFromSymbol(host, constant, 16));
    SAY(cudaMemcpyFromSymbol(host, host_variable, 4));
    SAY(cudaMemcpyFromSymbol(host, symbol, 4, 0, cudaMemcpyHostToDevice));
    SAY(cudaGetSymbolAddress(&p, host_variable));
    SAY(cudaGetSymbolAddress((void **)nullptr, (const void *)symbol));
    SAY(cudaGetSymbolSize(&bytes, host_variable));
    SAY(cudaGetSymbolSize(&bytes, symbol));
    value("size of a symbol", bytes);
    SAY(cudaGetSymbolAddress(&p, symbol));
    SAY(cudaFree(p));
}

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

static void mark(const char *text) {
    printf("output | %s\n", text);
    fflush(stdout);
}
/* Where the output of a kernel comes to light. */
static void output_at_once() {
    int host, *d = device_memory(4);
    cudaEvent_t event;
    cudaEventCreate(&event);
    nothing<<<1, 1>>>();
    says<<<1, 1>>>(0);
    cudaDeviceSynchronize();
    says<<<1, 1>>>(1);
    mark("before cudaDeviceSynchronize");
    cudaDeviceSynchronize();
    mark("after it");
    says<<<1, 1>>>(2);
    nothing<<<1, 1>>>();
    mark("after the next launch");
    cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost);
    mark("after a copy");
    says<<<1, 1>>>(3);
    cudaEventRecord(event);
    mark("before cudaEventSynchronize");
    cudaEventSynchronize(event);
    mark("after it");
    says<<<1, 1>>>(4);
    mark("before cudaStreamSynchronize");
    cudaStreamSynchronize(0);
    mark("after it");
    says<<<1, 1>>>(5);
    mark("before cudaMalloc");
    void *p;
    cudaMalloc(&p, 4);
    mark("after it");
    cudaFree(p);
    mark("after cudaFree");
    says<<<1, 1>>>(6);
    mark("before cudaDeviceReset");
    cudaDeviceReset();
    mark("after it");
}
static void output_lost() {
    nothing<<<1, 1>>>();
    says<<<1, 1>>>(1);
    mark("the program ends at once");
}
static void output_of_a_trap() {
    says<<<1, 1>>>(1);
    traps<<<1, 1>>>();
    SAY(cudaDeviceSynchronize());
}

static const struct {
    const char *name;
    void (*run)();
} groups[] = {
#define GROUP(name) {#name, name}
    GROUP(memory), GROUP(registered), GROUP(attributes), GROUP(fill), GROUP(copy), GROUP(copy_2d),
    GROUP(symbols), GROUP(devices), GROUP(limits), GROUP(launches), GROUP(functions),
    GROUP(occupancy), GROUP(events), GROUP(streams), GROUP(pools), GROUP(last_error),
    GROUP(after_null), GROUP(after_host_pointer), GROUP(after_far_out_of_bounds),
    GROUP(after_misaligned), GROUP(after_assert), GROUP(after_trap), GROUP(after_breakpoint),
    GROUP(after_shared), GROUP(after_recursion), GROUP(after_stream), GROUP(after_copy),
    GROUP(reset), GROUP(round_trip), GROUP(device_pointer_on_the_host), GROUP(output_at_once),
    GROUP(output_lost), GROUP(output_of_a_trap),
#undef GROUP
};

static void run(size_t i) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        group_name = groups[i].name;
        alarm(60);
        groups[i].run();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("%s | ends by signal %d\n", groups[i].name, WTERMSIG(status));
    fflush(stdout);
}

int main(int argc, char **argv) {
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (argc < 2 || strcmp(argv[1], groups[i].name) == 0)
            run(i);
    return 0;
}

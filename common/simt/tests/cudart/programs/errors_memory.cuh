// Groups of errors_program.cu: memory of the device and of the host, fills and copies, pointers and
// symbols.
#ifndef CUDART_ERRORS_MEMORY_CUH
#define CUDART_ERRORS_MEMORY_CUH

#include "errors.cuh"

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

#endif

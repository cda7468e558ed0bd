/*
 * The program's own variables on the device: copies to and from them, addresses and sizes.
 */
#include "common/simt/cudart/memory/memory.h"

/* The device address of `bytes` at an offset in a variable. */
static cudaError_t in_symbol(struct cudart *rt, const void *symbol, size_t offset, size_t bytes,
                             void **address) {
    uint64_t base;
    size_t size;
    cudaError_t error = cudart_symbol(rt, symbol, &base, &size);
    if (error != cudaSuccess)
        return error;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    *address = (void *)(uintptr_t)(base + offset);
    return cudaSuccess;
}

/* The other end of a copy is the host's, as `kind` says, or the device's. */
static cudaError_t check_direction(enum cudaMemcpyKind given, enum cudaMemcpyKind kind) {
    return given == kind || given == cudaMemcpyDeviceToDevice || given == cudaMemcpyDefault
               ? cudaSuccess
               : cudaErrorInvalidMemcpyDirection;
}

/* A copy to the variable, or from it; `other` is its other end. */
static cudaError_t copy_symbol(bool is_to, const void *symbol, void *other, size_t bytes,
                               size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                               bool is_async) {
    struct cudart *rt;
    void *own;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = in_symbol(rt, symbol, offset, bytes, &own);
    if (error == cudaSuccess)
        error = check_direction(kind, is_to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) {
        struct cudart_copy copy =
            cudart_row(is_to ? own : other, is_to ? other : own, bytes, kind, is_async);
        copy.call = is_to ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
        error = cudart_copy(rt, &copy, stream);
    }
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaMemcpyToSymbolAsync, _ptsz,
            (const void *symbol, const void *from, size_t bytes, size_t offset,
             enum cudaMemcpyKind kind, cudaStream_t stream),
            (symbol, from, bytes, offset, kind, stream)) {
    return copy_symbol(true, symbol, (void *)from, bytes, offset, kind, stream, true);
}

CUDART_TWIN(cudaMemcpyToSymbol, _ptds,
            (const void *symbol, const void *from, size_t bytes, size_t offset,
             enum cudaMemcpyKind kind),
            (symbol, from, bytes, offset, kind)) {
    return copy_symbol(true, symbol, (void *)from, bytes, offset, kind, NULL, false);
}

CUDART_TWIN(cudaMemcpyFromSymbolAsync, _ptsz,
            (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            (to, symbol, bytes, offset, kind, stream)) {
    return copy_symbol(false, symbol, to, bytes, offset, kind, stream, true);
}

CUDART_TWIN(cudaMemcpyFromSymbol, _ptds,
            (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
            (to, symbol, bytes, offset, kind)) {
    return copy_symbol(false, symbol, to, bytes, offset, kind, NULL, false);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = in_symbol(rt, symbol, 0, 0, address);
    return cudart_leave(rt, error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    struct cudart *rt;
    uint64_t address;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = cudart_symbol(rt, symbol, &address, bytes);
    return cudart_leave(rt, error);
}

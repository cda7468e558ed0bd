/*
 * Copies between host and device, and to and from the program's own variables on the device.
 */
#include "common/simt/cudart/cudart.h"

#include <string.h>

/* Whether the direction agrees with where the two ends lie; cudaMemcpyDefault leaves it open. */
static cudaError_t check_kind(enum cudaMemcpyKind kind, bool to_device, bool from_device) {
    static const struct {
        bool to_device, from_device;
    } kinds[] = {
        [cudaMemcpyHostToHost] = {false, false},
        [cudaMemcpyHostToDevice] = {true, false},
        [cudaMemcpyDeviceToHost] = {false, true},
        [cudaMemcpyDeviceToDevice] = {true, true},
    };
    if (kind == cudaMemcpyDefault)
        return cudaSuccess;
    if ((unsigned)kind >= sizeof(kinds) / sizeof(kinds[0]))
        return cudaErrorInvalidMemcpyDirection;
    if (kinds[kind].to_device != to_device || kinds[kind].from_device != from_device)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudart_copy(struct cudart *rt, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind) {
    if (bytes == 0)
        return (unsigned)kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
    if (to == NULL || from == NULL)
        return cudaErrorInvalidValue;
    bool to_device = simt_is_device_address(rt->simt, (uintptr_t)to);
    bool from_device = simt_is_device_address(rt->simt, (uintptr_t)from);
    cudaError_t error = check_kind(kind, to_device, from_device);
    if (error != cudaSuccess)
        return error;
    if (to_device && from_device)
        return cudart_host_error(simt_copy(rt->simt, (uintptr_t)to, (uintptr_t)from, bytes));
    if (to_device)
        return cudart_host_error(simt_write(rt->simt, (uintptr_t)to, from, bytes));
    if (from_device)
        return cudart_host_error(simt_read(rt->simt, to, (uintptr_t)from, bytes));
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = cudart_copy(rt, to, from, bytes, kind);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemcpyAsync, _ptsz);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, NULL);
}
CUDART_TWIN(cudaMemcpy, _ptds);

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && (width > to_pitch || width > from_pitch))
        error = cudaErrorInvalidPitchValue;
    for (size_t row = 0; error == cudaSuccess && row < height; row++)
        error = cudart_copy(rt, (char *)to + row * to_pitch, (const char *)from + row * from_pitch,
                            width, kind);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemcpy2DAsync, _ptsz);

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
}
CUDART_TWIN(cudaMemcpy2D, _ptds);

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

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
    struct cudart *rt;
    void *to;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = in_symbol(rt, symbol, offset, bytes, &to);
    if (error == cudaSuccess)
        error = cudart_copy(rt, to, from, bytes, kind);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemcpyToSymbolAsync, _ptsz);

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, NULL);
}
CUDART_TWIN(cudaMemcpyToSymbol, _ptds);

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    struct cudart *rt;
    void *from;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = in_symbol(rt, symbol, offset, bytes, &from);
    if (error == cudaSuccess)
        error = cudart_copy(rt, to, from, bytes, kind);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemcpyFromSymbolAsync, _ptsz);

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, NULL);
}
CUDART_TWIN(cudaMemcpyFromSymbol, _ptds);

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

/*
 * Hints about managed memory: where it had better be. The simulator has it in one place, so the
 * calls check what they are given, and that is all.
 */
#include "common/simt/cudart/work.h"

/* Managed memory, allocated or of a variable: the device's range, but for device memory. */
static cudaError_t enter_managed(struct cudart **rt, const void *pointer, size_t bytes) {
    cudaError_t error = cudart_enter(rt);
    if (error != cudaSuccess)
        return error;
    const struct cudart_block *block = cudart_block(*rt, pointer);
    if (bytes == 0 || (block != NULL && block->type == cudaMemoryTypeDevice) ||
        !simt_is_range((*rt)->simt, (uintptr_t)pointer, bytes))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static bool is_place(struct cudaMemLocation location) {
    return (location.type == cudaMemLocationTypeDevice && location.id == 0) ||
           location.type == cudaMemLocationTypeHost ||
           location.type == cudaMemLocationTypeHostNuma ||
           location.type == cudaMemLocationTypeHostNumaCurrent;
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    struct cudart *rt;
    cudaError_t error = enter_managed(&rt, pointer, bytes);
    if (error == cudaSuccess &&
        (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy))
        error = cudaErrorInvalidValue;
    bool has_place = advice == cudaMemAdviseSetPreferredLocation ||
                     advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
    if (error == cudaSuccess && has_place && !is_place(location))
        error = cudaErrorInvalidDevice;
    return cudart_leave(rt, error);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = enter_managed(&rt, pointer, bytes);
    if (error == cudaSuccess && flags != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !is_place(location))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && cudart_stream(rt, stream) == NULL)
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemPrefetchAsync, _ptsz,
            (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
             cudaStream_t stream),
            (pointer, bytes, location, flags, stream))

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned flags) {
    (void)bytes;
    struct cudart *rt;
    cudaError_t error = enter_managed(&rt, pointer, 1);
    if (error == cudaSuccess && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
        flags != cudaMemAttachSingle)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && cudart_stream(rt, stream) == NULL)
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaStreamAttachMemAsync, _ptsz,
            (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags),
            (stream, pointer, bytes, flags))

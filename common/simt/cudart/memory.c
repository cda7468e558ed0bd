/*
 * Device memory: allocating, freeing and filling it.
 */
#include "common/simt/cudart/cudart.h"

#include <stdlib.h>

/* Rows of cudaMallocPitch start at multiples of this, as on hardware. */
enum { PITCH_BYTES = 512 };

const struct cudart_block *cudart_device_block(const struct cudart *rt, const void *address) {
    for (const struct cudart_block *b = rt->device_blocks; b != NULL; b = b->next)
        if ((uint64_t)(uintptr_t)address - b->address < b->bytes)
            return b;
    return NULL;
}

static cudaError_t allocate(struct cudart *rt, void **pointer, size_t bytes) {
    if (pointer == NULL)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    struct cudart_block *block = calloc(1, sizeof(*block));
    if (block == NULL)
        return cudaErrorMemoryAllocation;
    enum simt_status status = simt_malloc(rt->simt, bytes, &block->address);
    if (status != SIMT_OK) {
        free(block);
        return cudart_host_error(status);
    }
    block->bytes = bytes;
    block->next = rt->device_blocks;
    rt->device_blocks = block;
    *pointer = (void *)(uintptr_t)block->address;
    return cudaSuccess;
}

static cudaError_t release(struct cudart *rt, const void *pointer) {
    if (pointer == NULL)
        return cudaSuccess;
    for (struct cudart_block **link = &rt->device_blocks; *link != NULL; link = &(*link)->next) {
        struct cudart_block *block = *link;
        if (block->address == (uint64_t)(uintptr_t)pointer) {
            *link = block->next;
            simt_free(rt->simt, block->address);
            free(block);
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

void cudart_free_all(struct cudart *rt) {
    while (rt->device_blocks != NULL)
        release(rt, (const void *)(uintptr_t)rt->device_blocks->address);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = allocate(rt, pointer, bytes);
    return cudart_leave(rt, error);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = allocate(rt, pointer, bytes);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMallocAsync, _ptsz);

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    size_t row = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES, bytes;
    if (error == cudaSuccess && pitch == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (row < width || __builtin_mul_overflow(row, height, &bytes)))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = allocate(rt, pointer, bytes);
    if (error == cudaSuccess)
        *pitch = row;
    return cudart_leave(rt, error);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    (void)pointer, (void)bytes, (void)flags;
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess) {
        cudart_say(rt, "cudaMallocManaged is not supported by the simulator; use cudaMalloc and "
                       "cudaMemcpy.");
        error = cudaErrorNotSupported;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaFree(void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = release(rt, pointer);
    return cudart_leave(rt, error);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = release(rt, pointer);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaFreeAsync, _ptsz);

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (free_bytes == NULL || total_bytes == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        simt_memory_info(rt->simt, free_bytes, total_bytes);
    return cudart_leave(rt, error);
}

static cudaError_t fill(struct cudart *rt, const void *to, int value, size_t bytes) {
    if (bytes == 0)
        return cudaSuccess;
    return cudart_host_error(simt_set(rt->simt, (uintptr_t)to, (uint8_t)value, bytes));
}

static cudaError_t fill_rows(struct cudart *rt, void *to, size_t pitch, int value, size_t width,
                             size_t height) {
    if (width > pitch && height > 1)
        return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; error == cudaSuccess && row < height; row++)
        error = fill(rt, (char *)to + row * pitch, value, width);
    return error;
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return cudaMemsetAsync(to, value, bytes, NULL);
}
CUDART_TWIN(cudaMemset, _ptds);

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = fill(rt, to, value, bytes);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemsetAsync, _ptsz);

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}
CUDART_TWIN(cudaMemset2D, _ptds);

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = fill_rows(rt, to, pitch, value, width, height);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaMemset2DAsync, _ptsz);

/*
 * Pinned host memory: on a simulated device ordinary memory of the host, lent to kernels at its own
 * address. Pages of its own keep it apart from other memory.
 */
#include "common/simt/cudart/stream/operation.h"

#include <sys/mman.h>

/* Lends and notes a range. */
static cudaError_t add(struct cudart *rt, void *pointer, size_t bytes, unsigned flags,
                       bool is_registered) {
    struct cudart_block block = {
        .address = (uintptr_t)pointer,
        .bytes = bytes,
        .type = cudaMemoryTypeHost,
        .flags = flags,
        .is_registered = is_registered,
    };
    enum simt_status status = simt_map(rt->simt, pointer, bytes);
    if (status == SIMT_BAD_ADDRESS)
        return cudaErrorHostMemoryAlreadyRegistered;
    if (status != SIMT_OK)
        return cudart_host_error(status);
    if (cudart_add_block(rt, &block))
        return cudaSuccess;
    simt_unmap(rt->simt, pointer);
    return cudaErrorMemoryAllocation;
}

static struct cudart_block *host_block(const struct cudart *rt, const void *pointer) {
    struct cudart_block *block = cudart_block(rt, pointer);
    return block && block->type == cudaMemoryTypeHost ? block : NULL;
}

/* Forgets the block that starts at `pointer`, after all operations. Returns its size, 0 when there
 * is none of that sort. */
static size_t drop(struct cudart *rt, const void *pointer, bool is_registered) {
    struct cudart_block *block = host_block(rt, pointer);
    if (!block || block->address != (uintptr_t)pointer || block->is_registered != is_registered)
        return 0;
    const size_t bytes = block->bytes;
    cudart_wait(rt, NULL);
    simt_unmap(rt->simt, pointer);
    cudart_drop_block(rt, block);
    return bytes;
}

static cudaError_t allocate(struct cudart *rt, void **pointer, size_t bytes, unsigned flags) {
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t error = cudart_may_refuse(rt, SIMT_ALLOCATION, cudaErrorMemoryAllocation);
    if (error != cudaSuccess)
        return error;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    error = add(rt, pages, bytes, flags, false);
    if (error == cudaSuccess)
        *pointer = pages;
    else
        munmap(pages, bytes);
    return error;
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    struct cudart *rt;
    unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (flags & ~known) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = allocate(rt, pointer, bytes, flags);
    return cudart_leave(rt, error);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && pointer) {
        const size_t bytes = drop(rt, pointer, false);
        if (bytes == 0 || munmap(pointer, bytes) != 0)
            error = cudaErrorInvalidValue;
    }
    return cudart_leave(rt, error);
}

/* All that CUDA 13 knows: portable, mapped, of a device, read-only. */
#define REGISTER_FLAGS 0xfu

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (!pointer || bytes == 0 || (flags & ~REGISTER_FLAGS) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = add(rt, pointer, bytes, flags, true);
    return cudart_leave(rt, error);
}

cudaError_t cudaHostUnregister(void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    const struct cudart_block *block = cudart_block(rt, pointer);
    if (error == cudaSuccess && (!pointer || (block && block->address != (uintptr_t)pointer)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && drop(rt, pointer, true) == 0)
        error = cudaErrorHostMemoryNotRegistered;
    return cudart_leave(rt, error);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    const struct cudart_block *block = host_block(rt, pointer);
    if (error == cudaSuccess && (!flags || !block))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = block->flags;
    return cudart_leave(rt, error);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *pointer, unsigned flags) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (!device || flags != 0 || !host_block(rt, pointer)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *device = pointer;
    return cudart_leave(rt, error);
}

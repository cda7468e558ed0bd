/*
 * Pinned host memory: on a simulated device ordinary memory, of which a record is kept so that
 * freeing what was never allocated is the error that it is on hardware. Kernels can't reach it.
 */
#include "common/simt/cudart/cudart.h"

#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

const struct cudart_block *cudart_host_block(const struct cudart *rt, const void *address) {
    for (const struct cudart_block *b = rt->host_blocks; b != NULL; b = b->next)
        if ((uint64_t)(uintptr_t)address - b->address < b->bytes)
            return b;
    return NULL;
}

static cudaError_t add(struct cudart *rt, void *pointer, size_t bytes, unsigned flags,
                       bool is_registered) {
    struct cudart_block *block = malloc(sizeof(*block));
    if (block == NULL)
        return cudaErrorMemoryAllocation;
    *block = (struct cudart_block){
        .next = rt->host_blocks,
        .address = (uintptr_t)pointer,
        .bytes = bytes,
        .flags = flags,
        .is_registered = is_registered,
    };
    rt->host_blocks = block;
    return cudaSuccess;
}

/* Forgets the block that starts at `pointer`; false when there is none of that sort. */
static bool drop(struct cudart *rt, const void *pointer, bool is_registered) {
    for (struct cudart_block **link = &rt->host_blocks; *link != NULL; link = &(*link)->next) {
        struct cudart_block *block = *link;
        if (block->address == (uintptr_t)pointer && block->is_registered == is_registered) {
            *link = block->next;
            free(block);
            return true;
        }
    }
    return false;
}

static cudaError_t allocate(struct cudart *rt, void **pointer, size_t bytes, unsigned flags) {
    if (pointer == NULL)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (posix_memalign(pointer, PAGE_BYTES, bytes) != 0) {
        *pointer = NULL;
        return cudaErrorMemoryAllocation;
    }
    cudaError_t error = add(rt, *pointer, bytes, flags, false);
    if (error != cudaSuccess) {
        free(*pointer);
        *pointer = NULL;
    }
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
    if (error == cudaSuccess && pointer != NULL) {
        if (drop(rt, pointer, false))
            free(pointer);
        else
            error = cudaErrorInvalidValue;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (pointer == NULL || bytes == 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && cudart_host_block(rt, pointer) != NULL)
        error = cudaErrorHostMemoryAlreadyRegistered;
    if (error == cudaSuccess)
        error = add(rt, pointer, bytes, flags, true);
    return cudart_leave(rt, error);
}

cudaError_t cudaHostUnregister(void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && !drop(rt, pointer, true))
        error = cudaErrorHostMemoryNotRegistered;
    return cudart_leave(rt, error);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    const struct cudart_block *block = cudart_host_block(rt, pointer);
    if (error == cudaSuccess && (flags == NULL || block == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = block->flags;
    return cudart_leave(rt, error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && attributes == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        void *address = (void *)(uintptr_t)pointer;
        *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered,
                                                     .device = cudaInvalidDeviceId,
                                                     .hostPointer = address};
        if (cudart_device_block(rt, pointer) != NULL)
            *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeDevice,
                                                         .devicePointer = address};
        else if (cudart_host_block(rt, pointer) != NULL)
            *attributes =
                (struct cudaPointerAttributes){.type = cudaMemoryTypeHost, .hostPointer = address};
    }
    return cudart_leave(rt, error);
}

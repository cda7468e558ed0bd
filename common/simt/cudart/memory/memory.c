/*
 * Device and managed memory: allocating, freeing and asking about it.
 */
#include "common/simt/cudart/memory/memory.h"

#include <stdlib.h>

/* Rows of cudaMallocPitch start at multiples of this, as on hardware. */
enum { PITCH_BYTES = 512 };

struct cudart_block *cudart_block(const struct cudart *rt, const void *address) {
    for (struct cudart_block *b = rt->blocks; b; b = b->next)
        if ((uint64_t)(uintptr_t)address - b->address < b->bytes)
            return b;
    return NULL;
}

bool cudart_is_range(const struct cudart *rt, const void *address, size_t bytes) {
    const struct cudart_block *block = cudart_block(rt, address);
    const uint64_t offset = block ? (uint64_t)(uintptr_t)address - block->address : 0;
    return (block && bytes <= block->bytes - offset) ||
           simt_is_range(rt->simt, (uintptr_t)address, bytes);
}

bool cudart_add_block(struct cudart *rt, const struct cudart_block *block) {
    struct cudart_block *copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *block;
    copy->next = rt->blocks;
    rt->blocks = copy;
    return true;
}

void cudart_drop_block(struct cudart *rt, struct cudart_block *block) {
    struct cudart_block **link = &rt->blocks;
    while (*link != block)
        link = &(*link)->next;
    *link = block->next;
    free(block);
}

cudaError_t cudart_allocate(struct cudart *rt, void **pointer, size_t bytes,
                            const struct cudart_block *sort) {
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t error = cudart_may_refuse(rt, SIMT_ALLOCATION, cudaErrorMemoryAllocation);
    if (error != cudaSuccess)
        return error;
    struct cudart_block block = *sort;
    block.bytes = bytes;
    enum simt_status status = sort->type == cudaMemoryTypeManaged
                                  ? simt_malloc_managed(rt->simt, bytes, &block.address)
                                  : simt_malloc(rt->simt, bytes, &block.address);
    if (status == SIMT_UNSUPPORTED) {
        cudart_say(rt, "Managed memory needs a range of addresses that this host refused.");
        return cudaErrorNotSupported;
    }
    if (status == SIMT_NO_MEMORY)
        cudart_say(rt, "%s", simt_memory_refusal(rt->simt));
    if (status != SIMT_OK)
        return cudart_host_error(status);
    if (!cudart_add_block(rt, &block)) {
        simt_free(rt->simt, block.address);
        return cudaErrorMemoryAllocation;
    }
    *pointer = (void *)(uintptr_t)block.address;
    return cudaSuccess;
}

struct cudart_block *cudart_freeable(const struct cudart *rt, const void *pointer) {
    struct cudart_block *block = cudart_block(rt, pointer);
    bool is_start = block && block->address == (uint64_t)(uintptr_t)pointer;
    return is_start && block->type != cudaMemoryTypeHost ? block : NULL;
}

void cudart_release(struct cudart *rt, struct cudart_block *block) {
    if (block->pool)
        block->pool->used_bytes -= block->bytes;
    simt_free(rt->simt, block->address);
    cudart_drop_block(rt, block);
}

void cudart_free_all(struct cudart *rt) {
    struct cudart_block *next;
    for (struct cudart_block *block = rt->blocks; block; block = next) {
        next = block->next;
        if (block->type != cudaMemoryTypeHost)
            cudart_release(rt, block);
    }
}

static const struct cudart_block device_sort = {.type = cudaMemoryTypeDevice};

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = cudart_allocate(rt, pointer, bytes, &device_sort);
    return cudart_leave(rt, error);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    static const struct cudart_block sort = {.type = cudaMemoryTypeManaged};
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_allocate(rt, pointer, bytes, &sort);
    return cudart_leave(rt, error);
}

/* Rows of `width` bytes at a pitch, `n_rows` of them. */
static cudaError_t allocate_rows(struct cudart *rt, void **pointer, size_t *pitch, size_t width,
                                 size_t n_rows) {
    size_t row = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES, bytes;
    if (row < width || __builtin_mul_overflow(row, n_rows, &bytes))
        return cudaErrorMemoryAllocation;
    *pitch = row;
    return cudart_allocate(rt, pointer, bytes, &device_sort);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && !pitch)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = allocate_rows(rt, pointer, pitch, width, height);
    return cudart_leave(rt, error);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
    struct cudart *rt;
    size_t n_rows = 0;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && !pitched)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && __builtin_mul_overflow(extent.height, extent.depth, &n_rows))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        *pitched = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
        error = allocate_rows(rt, &pitched->ptr, &pitched->pitch, extent.width, n_rows);
    }
    return cudart_leave(rt, error);
}

/* Waits for all operations first, as hardware does. */
cudaError_t cudaFree(void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = cudart_wait(rt, NULL);
    if (error == cudaSuccess && pointer) {
        struct cudart_block *block = cudart_freeable(rt, pointer);
        if (!block)
            error = cudaErrorInvalidValue;
        else
            cudart_release(rt, block);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    size_t available, total;
    if (error == cudaSuccess) {
        simt_memory_info(rt->simt, &available, &total);
        if (free_bytes)
            *free_bytes = available;
        if (total_bytes)
            *total_bytes = total;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && !attributes)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const struct cudart_block *block = cudart_block(rt, pointer);
        void *address = (void *)(uintptr_t)pointer;
        *attributes = (struct cudaPointerAttributes){.device = cudaInvalidDeviceId};
        if (block)
            *attributes =
                (struct cudaPointerAttributes){.type = block->type, .devicePointer = address};
        if (!block || block->type != cudaMemoryTypeDevice)
            attributes->hostPointer = address;
    }
    return cudart_leave(rt, error);
}

/* --- hints about managed memory, which the simulator has in one place: it checks what it is given
 */

/* Managed memory, allocated or of a variable: the device's range, but for device memory. */
static cudaError_t enter_managed(struct cudart **rt, const void *pointer, size_t bytes) {
    cudaError_t error = cudart_enter(rt);
    if (error != cudaSuccess)
        return error;
    const struct cudart_block *block = cudart_block(*rt, pointer);
    if (bytes == 0 || (block && block->type == cudaMemoryTypeDevice) ||
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

CUDART_TWIN(cudaMemPrefetchAsync, _ptsz,
            (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
             cudaStream_t stream),
            (pointer, bytes, location, flags, stream)) {
    struct cudart *rt;
    cudaError_t error = enter_managed(&rt, pointer, bytes);
    if (error == cudaSuccess && flags != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !is_place(location))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && !cudart_stream(rt, stream))
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaStreamAttachMemAsync, _ptsz,
            (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags),
            (stream, pointer, bytes, flags)) {
    (void)bytes;
    struct cudart *rt;
    cudaError_t error = enter_managed(&rt, pointer, 1);
    if (error == cudaSuccess && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
        flags != cudaMemAttachSingle)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !cudart_stream(rt, stream))
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}

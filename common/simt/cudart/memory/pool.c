/*
 * Allocating and freeing in stream order, and memory pools. A pool here is an account: it counts
 * what came from it, and keeps nothing that was freed.
 */
#include "common/simt/cudart/memory/memory.h"

#include <stdlib.h>

enum { DEVICE = 0 };

static bool pool_exists(struct cudart *rt, cudaMemPool_t pool) {
    for (const struct CUmemPoolHandle_st *p = rt->pools; p; p = p->next)
        if (p == pool)
            return true;
    return pool == &rt->default_pool;
}

static cudaError_t enter_pool(struct cudart **rt, cudaMemPool_t pool) {
    cudaError_t error = cudart_enter(rt);
    if (error == cudaSuccess && !pool_exists(*rt, pool))
        error = cudaErrorInvalidValue;
    return error;
}

/* Memory as an operation in its stream: its beginning or its end. */
struct span {
    struct cudart_op op;
    void *pointer;
    size_t bytes;
};

static cudaError_t run_beginning(struct cudart *rt, struct cudart_op *op) {
    const struct span *span = (const struct span *)op;
    cudart_touch(rt, op, "cudaMallocAsync");
    simt_note(rt->simt, (uintptr_t)span->pointer, span->bytes, true);
    return cudaSuccess;
}

static const struct cudart_op_kind beginning_kind = {.run = run_beginning};

/* The address is known at once, though only later operations of the stream may use it. */
static cudaError_t allocate(struct cudart *rt, void **pointer, size_t bytes, cudaMemPool_t pool,
                            cudaStream_t stream) {
    struct cudart_block sort = {.type = cudaMemoryTypeDevice, .pool = pool};
    if (pool->max_bytes != 0 && bytes > pool->max_bytes - pool->used_bytes)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudart_allocate(rt, pointer, bytes, &sort);
    if (error == cudaSuccess) {
        pool->used_bytes += bytes;
        if (pool->used_bytes > pool->used_high)
            pool->used_high = pool->used_bytes;
        struct span span = {.op.kind = &beginning_kind, .pointer = *pointer, .bytes = bytes};
        error = cudart_submit(rt, stream, &span.op, sizeof span);
    }
    return error;
}

CUDART_TWIN(cudaMallocAsync, _ptsz, (void **pointer, size_t bytes, cudaStream_t stream),
            (pointer, bytes, stream)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = allocate(rt, pointer, bytes, rt->pool, stream);
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaMallocFromPoolAsync, _ptsz,
            (void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
            (pointer, bytes, pool, stream)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = pool_exists(rt, pool) ? allocate(rt, pointer, bytes, pool, stream)
                                      : cudaErrorInvalidValue;
    return cudart_leave(rt, error);
}

static cudaError_t run_end(struct cudart *rt, struct cudart_op *op) {
    struct cudart_block *block = cudart_freeable(rt, ((struct span *)op)->pointer);
    if (!block)
        return cudaErrorInvalidValue;
    cudart_touch(rt, op, "cudaFreeAsync");
    simt_note(rt->simt, block->address, block->bytes, true);
    cudart_release(rt, block);
    return cudaSuccess;
}

static const struct cudart_op_kind end_kind = {.run = run_end};

CUDART_TWIN(cudaFreeAsync, _ptsz, (void *pointer, cudaStream_t stream), (pointer, stream)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && pointer && !cudart_freeable(rt, pointer))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && pointer) {
        struct span span = {.op.kind = &end_kind, .pointer = pointer};
        error = cudart_submit(rt, stream, &span.op, sizeof span);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess &&
        (!pool || !properties || properties->location.type != cudaMemLocationTypeDevice))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && properties->location.id != DEVICE)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && properties->handleTypes != cudaMemHandleTypeNone) {
        cudart_say(rt, "Memory pools for other processes are not supported by the simulator.");
        error = cudaErrorNotSupported;
    }
    if (error == cudaSuccess) {
        struct CUmemPoolHandle_st *made = calloc(1, sizeof *made);
        if (!made)
            return cudart_leave(rt, cudaErrorMemoryAllocation);
        made->max_bytes = properties->maxSize;
        made->next = rt->pools;
        *pool = rt->pools = made;
    }
    return cudart_leave(rt, error);
}

/* Allocations of it stay good; their pool is the default one from then on. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    if (error == cudaSuccess && pool == &rt->default_pool)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        for (struct cudart_block *block = rt->blocks; block; block = block->next)
            if (block->pool == pool)
                block->pool = NULL;
        if (rt->pool == pool)
            rt->pool = &rt->default_pool;
        struct CUmemPoolHandle_st **link = &rt->pools;
        while (*link != pool)
            link = &(*link)->next;
        *link = pool->next;
        free(pool);
    }
    return cudart_leave(rt, error);
}

/* The counter of an attribute, or NULL; those of reuse are ints, see below. */
static uint64_t *counter(cudaMemPool_t pool, enum cudaMemPoolAttr attribute) {
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent: /* nothing is kept in reserve */
    case cudaMemPoolAttrUsedMemCurrent:
        return &pool->used_bytes;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}

static int *reuse(cudaMemPool_t pool, enum cudaMemPoolAttr attribute) {
    int at = (int)attribute - (int)cudaMemPoolReuseFollowEventDependencies;
    return at >= 0 && at < 3 ? &pool->reuse[at] : NULL;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    if (error == cudaSuccess) {
        if (value && counter(pool, attribute))
            *(uint64_t *)value = *counter(pool, attribute);
        else if (value && reuse(pool, attribute))
            *(int *)value = !*reuse(pool, attribute); /* 1 unless the program said otherwise */
        else
            error = cudaErrorInvalidValue;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    bool is_high =
        attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    if (error == cudaSuccess) {
        if (value && attribute == cudaMemPoolAttrReleaseThreshold)
            pool->release_threshold = *(uint64_t *)value;
        else if (value && is_high && *(uint64_t *)value == 0)
            pool->used_high = pool->used_bytes;
        else if (value && reuse(pool, attribute))
            *reuse(pool, attribute) = *(int *)value == 0;
        else
            error = cudaErrorInvalidValue;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t min_bytes) {
    (void)min_bytes;
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    return cudart_leave(rt, error);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count) {
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id != DEVICE ||
            list[i].flags != cudaMemAccessFlagsProtReadWrite)
            error = cudaErrorInvalidValue;
    return cudart_leave(rt, error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    if (error == cudaSuccess && (!flags || !location))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = location->type == cudaMemLocationTypeDevice && location->id == DEVICE
                     ? cudaMemAccessFlagsProtReadWrite
                     : cudaMemAccessFlagsProtNone;
    return cudart_leave(rt, error);
}

/* The current or the default pool of the device; the host has none. */
static cudaError_t get_pool(cudaMemPool_t *pool, int device, bool is_default) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && device != DEVICE)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && !pool)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *pool = is_default ? &rt->default_pool : rt->pool;
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    return get_pool(pool, device, true);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return get_pool(pool, device, false);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    struct cudart *rt;
    cudaError_t error = enter_pool(&rt, pool);
    if (error == cudaSuccess && device != DEVICE)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        rt->pool = pool;
    return cudart_leave(rt, error);
}

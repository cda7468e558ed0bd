/*
 * Copies between host and device.
 *
 * The host's ordinary (pageable) memory can't be reached by a device: as on hardware, what goes to
 * the device is put aside before the call returns, and what comes back has arrived when it does.
 * Only copies of pinned memory go on while the host does.
 */
#include "common/simt/cudart/memory/memory.h"
#include "common/simt/cudart/watch.h"

#include <stdlib.h>
#include <string.h>

enum place { PAGEABLE, PINNED, MANAGED, DEVICE };

struct transfer {
    struct cudart_op op;
    struct cudart_copy copy;
    enum place to, from;
    void *staged;                   /* a copy of pageable memory, or NULL */
    const char *origin;             /* where the program has the bytes */
    uint64_t callers[SIMT_CALLERS]; /* of a copy to the host */
};

struct cudart_copy cudart_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                              bool is_async) {
    return (struct cudart_copy){
        .to = {.at = to, .pitch = bytes, .slice = bytes},
        .from = {.at = (char *)(uintptr_t)from, .pitch = bytes, .slice = bytes},
        .width = bytes,
        .height = 1,
        .depth = 1,
        .kind = kind,
        .is_async = is_async,
        .call = is_async ? "cudaMemcpyAsync" : "cudaMemcpy",
    };
}

static enum place place_of(const struct cudart *rt, const void *address) {
    const struct cudart_block *block = cudart_block(rt, address);
    if (block && block->type == cudaMemoryTypeManaged)
        return MANAGED;
    if (simt_is_device_address(rt->simt, (uintptr_t)address))
        return DEVICE;
    return block ? PINNED : PAGEABLE;
}

/* Says which end is not where the direction has it, and returns the error. */
static cudaError_t refuse_kind(struct cudart *rt, const struct cudart_copy *copy, bool is_to) {
    cudart_say(rt,
               "%s was refused: its direction (%s) has the %s in device memory, but it is in the "
               "host's.",
               copy->call,
               copy->kind == cudaMemcpyHostToDevice   ? "cudaMemcpyHostToDevice"
               : copy->kind == cudaMemcpyDeviceToHost ? "cudaMemcpyDeviceToHost"
                                                      : "cudaMemcpyDeviceToDevice",
               is_to ? "destination" : "source");
    return cudaErrorInvalidValue;
}

/* Whether the direction agrees with where the two ends lie, as hardware sees it: an end that is
 * said to be the device's must be one that a device can use; one that is said to be the host's may
 * lie anywhere. */
static cudaError_t check_kind(struct cudart *rt, const struct cudart_copy *copy, enum place to,
                              enum place from) {
    static const struct {
        enum place to, from;
    } kinds[] = {
        [cudaMemcpyHostToHost] = {PAGEABLE, PAGEABLE},
        [cudaMemcpyHostToDevice] = {DEVICE, PAGEABLE},
        [cudaMemcpyDeviceToHost] = {PAGEABLE, DEVICE},
        [cudaMemcpyDeviceToDevice] = {DEVICE, DEVICE},
    };
    enum cudaMemcpyKind kind = copy->kind;
    if (kind == cudaMemcpyDefault)
        return cudaSuccess;
    if ((unsigned)kind >= sizeof kinds / sizeof *kinds)
        return cudaErrorInvalidMemcpyDirection;
    if (kinds[kind].to == DEVICE && to == PAGEABLE)
        return refuse_kind(rt, copy, true);
    if (kinds[kind].from == DEVICE && from == PAGEABLE)
        return refuse_kind(rt, copy, false);
    return cudaSuccess;
}

/* Whether an end that is not the host's lies in one allocation; says so where it does not. */
static bool is_inside(struct cudart *rt, const struct cudart_box *box,
                      const struct cudart_copy *copy, enum place place) {
    size_t bytes = box->slice * (copy->depth - 1) + box->pitch * (copy->height - 1) + copy->width;
    if (place == PAGEABLE || cudart_is_range(rt, box->at, bytes))
        return true;
    const struct cudart_block *block = cudart_block(rt, box->at);
    const char *verb = box == &copy->to ? "writes" : "reads";
    const char *sort = place == PINNED ? "pinned" : place == MANAGED ? "managed" : "device";
    if (block)
        cudart_say(rt,
                   "%s was refused: it %s %zu bytes from byte %zu of %s memory on, which has %zu.",
                   copy->call, verb, bytes, (size_t)((uint64_t)(uintptr_t)box->at - block->address),
                   sort, block->bytes);
    else if (cudart_is_range(rt, box->at, 1))
        cudart_say(rt,
                   "%s was refused: it %s %zu bytes, more than the %s memory has from there on.",
                   copy->call, verb, bytes, sort);
    else
        cudart_say(rt, "%s was refused: it %s %zu bytes of device memory where none is allocated.",
                   copy->call, verb, bytes);
    return false;
}

/* Memory of the host that kernels may use as well. */
static bool is_shared(enum place place) {
    return place == PINNED || place == MANAGED;
}

static cudaError_t copy_row(struct cudart *rt, const struct transfer *transfer, char *to,
                            const char *from) {
    size_t bytes = transfer->copy.width;
    if (is_shared(transfer->from))
        simt_note(rt->simt, (uintptr_t)from, bytes, false);
    if (is_shared(transfer->to))
        simt_note(rt->simt, (uintptr_t)to, bytes, true);
    if (transfer->to == DEVICE && transfer->from == DEVICE)
        return cudart_host_error(simt_copy(rt->simt, (uintptr_t)to, (uintptr_t)from, bytes));
    if (transfer->to == DEVICE)
        return cudart_host_error(simt_write(rt->simt, (uintptr_t)to, from, bytes));
    if (transfer->from == DEVICE)
        return cudart_host_error(simt_read(rt->simt, to, (uintptr_t)from, bytes));
    memmove(to, from, bytes);
    return cudaSuccess;
}

static cudaError_t run_row(struct cudart *rt, const struct transfer *transfer, size_t y, size_t z) {
    const struct cudart_copy *copy = &transfer->copy;
    const size_t from = z * copy->from.slice + y * copy->from.pitch;
    cudaError_t error = copy_row(
        rt, transfer, copy->to.at + z * copy->to.slice + y * copy->to.pitch, copy->from.at + from);
    if (error == cudaSuccess && transfer->to == DEVICE && transfer->from != DEVICE)
        cudart_watch_departure(transfer->origin + from, copy->width);
    return error;
}

static cudaError_t run_transfer(struct cudart *rt, struct cudart_op *op) {
    const struct transfer *transfer = (const struct transfer *)op;
    const struct cudart_copy *copy = &transfer->copy;
    cudaError_t error = cudaSuccess;
    cudart_touch(rt, op, "a copy (cudaMemcpy)");
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height && error == cudaSuccess; y++)
            error = run_row(rt, transfer, y, z);
    size_t bytes = copy->width * copy->height * copy->depth;
    if (error == cudaSuccess && copy->height == 1 && copy->depth == 1)
        cudart_watch_arrival(copy->to.at, bytes, transfer->callers);
    bool is_pinned = transfer->to != PAGEABLE && transfer->from != PAGEABLE;
    if (op->engine == CUDART_ENGINE_COMPUTE)
        op->ms = model_device_ms(rt->device, 2 * (uint64_t)bytes);
    else if (op->engine != CUDART_ENGINE_NONE)
        op->ms = model_transfer_ms(bytes, is_pinned);
    return error;
}

static void finish_transfer(struct cudart_op *op) {
    free(((struct transfer *)op)->staged);
}

static const struct cudart_op_kind transfer_kind = {
    .run = run_transfer, .finish = finish_transfer, .is_asked = true};

static enum cudart_engine engine_of(enum place to, enum place from) {
    if (to == DEVICE)
        return from == DEVICE ? CUDART_ENGINE_COMPUTE : CUDART_ENGINE_TO_DEVICE;
    return from == DEVICE ? CUDART_ENGINE_FROM_DEVICE : CUDART_ENGINE_NONE;
}

/* Puts the bytes of pageable memory aside. */
static cudaError_t stage(struct transfer *transfer) {
    struct cudart_copy *copy = &transfer->copy;
    transfer->staged = malloc(copy->width);
    if (!transfer->staged)
        return cudaErrorMemoryAllocation;
    copy->from.at = memcpy(transfer->staged, copy->from.at, copy->width);
    return cudaSuccess;
}

cudaError_t cudart_copy(struct cudart *rt, const struct cudart_copy *copy, cudaStream_t stream) {
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0)
        return (unsigned)copy->kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection
                                                        : cudaSuccess;
    if (!copy->to.at || !copy->from.at) {
        cudart_say(rt, "%s was refused: its %s is NULL.", copy->call,
                   copy->to.at ? "source" : "destination");
        return cudaErrorInvalidValue;
    }
    struct transfer transfer = {
        .op.kind = &transfer_kind,
        .copy = *copy,
        .to = place_of(rt, copy->to.at),
        .from = place_of(rt, copy->from.at),
        .origin = copy->from.at,
    };
    transfer.op.engine = engine_of(transfer.to, transfer.from);
    if (transfer.op.engine == CUDART_ENGINE_FROM_DEVICE)
        cudart_find_callers(transfer.callers);
    cudaError_t error = check_kind(rt, copy, transfer.to, transfer.from);
    if (error == cudaSuccess && (!is_inside(rt, &copy->to, copy, transfer.to) ||
                                 !is_inside(rt, &copy->from, copy, transfer.from)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_COPY, cudaErrorInvalidValue);
    bool is_row = copy->height == 1 && copy->depth == 1;
    bool stays_on_device = transfer.to == DEVICE && transfer.from == DEVICE;
    bool returns = stays_on_device || (copy->is_async && transfer.to != PAGEABLE);
    if (error == cudaSuccess && returns && transfer.from == PAGEABLE && rt->seed != 0) {
        if (is_row)
            error = stage(&transfer);
        else
            returns = false;
    }
    if (error == cudaSuccess)
        error = cudart_submit(rt, stream, &transfer.op, sizeof transfer);
    if (error == cudaSuccess && !returns)
        error = cudart_wait(rt, cudart_stream(rt, stream));
    return error;
}

static cudaError_t enter_copy(const struct cudart_copy *copy, cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && copy->height > 1 &&
        (copy->width > copy->to.pitch || copy->width > copy->from.pitch))
        error = cudaErrorInvalidPitchValue;
    if (error == cudaSuccess)
        error = cudart_copy(rt, copy, stream);
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaMemcpyAsync, _ptsz,
            (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            (to, from, bytes, kind, stream)) {
    struct cudart_copy copy = cudart_row(to, from, bytes, kind, true);
    return enter_copy(&copy, stream);
}

CUDART_TWIN(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
            (to, from, bytes, kind)) {
    struct cudart_copy copy = cudart_row(to, from, bytes, kind, false);
    return enter_copy(&copy, NULL);
}

static struct cudart_copy rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t width, size_t height) {
    struct cudart_copy copy = cudart_row(to, from, width, cudaMemcpyDefault, false);
    copy.to.pitch = to_pitch;
    copy.from.pitch = from_pitch;
    copy.height = height;
    copy.call = "cudaMemcpy2D";
    return copy;
}

CUDART_TWIN(cudaMemcpy2DAsync, _ptsz,
            (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
            (to, to_pitch, from, from_pitch, width, height, kind, stream)) {
    struct cudart_copy copy = rows(to, to_pitch, from, from_pitch, width, height);
    copy.kind = kind;
    copy.is_async = true;
    copy.call = "cudaMemcpy2DAsync";
    return enter_copy(&copy, stream);
}

CUDART_TWIN(cudaMemcpy2D, _ptds,
            (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
             size_t height, enum cudaMemcpyKind kind),
            (to, to_pitch, from, from_pitch, width, height, kind)) {
    struct cudart_copy copy = rows(to, to_pitch, from, from_pitch, width, height);
    copy.kind = kind;
    return enter_copy(&copy, NULL);
}

/* --- copies that structs describe, and those between devices, of which there is one */

/* One end of a 3D copy. Positions and widths are in bytes, as there are no arrays. */
static struct cudart_box box_at(const struct cudaPitchedPtr *pitched, const struct cudaPos *at) {
    size_t slice = pitched->pitch * pitched->ysize;
    char *start = pitched->ptr;
    if (start)
        start += at->z * slice + at->y * pitched->pitch + at->x;
    return (struct cudart_box){start, pitched->pitch, slice};
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *given, cudaStream_t stream,
                           bool is_async) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && !given)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (given->srcArray || given->dstArray)) {
        cudart_say(rt, "CUDA arrays are not supported by the simulator.");
        error = cudaErrorNotSupported;
    }
    if (error == cudaSuccess) {
        struct cudart_copy copy = {
            .to = box_at(&given->dstPtr, &given->dstPos),
            .from = box_at(&given->srcPtr, &given->srcPos),
            .width = given->extent.width,
            .height = given->extent.height,
            .depth = given->extent.depth,
            .kind = given->kind,
            .is_async = is_async,
            .call = is_async ? "cudaMemcpy3DAsync" : "cudaMemcpy3D",
        };
        bool has_rows = copy.height > 1 || copy.depth > 1;
        if (has_rows && (copy.width > copy.to.pitch || copy.width > copy.from.pitch))
            error = cudaErrorInvalidPitchValue;
        else
            error = cudart_copy(rt, &copy, stream);
    }
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaMemcpy3DAsync, _ptsz, (const struct cudaMemcpy3DParms *given, cudaStream_t stream),
            (given, stream)) {
    return copy_3d(given, stream, true);
}

CUDART_TWIN(cudaMemcpy3D, _ptds, (const struct cudaMemcpy3DParms *given), (given)) {
    return copy_3d(given, NULL, false);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
    if (to_device != 0 || from_device != 0)
        return cudart_note(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes) {
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}
